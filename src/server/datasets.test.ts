import { existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { Datasets } from './datasets.ts';
import { defaultLimits } from './http/limits.ts';

const limits = { ...defaultLimits, uploadBytes: 100, datasets: 2, datasetBytes: 150 };
const bytes = (length: number) => Readable.from([Buffer.alloc(length, 0x61)]);

test('data sets lie in a folder of their own, which goes with them', async () => {
  const sets = new Datasets(limits);
  const own = await sets.add(bytes(10), 'mine.csv');
  expect(own).toMatchObject({ name: 'mine.csv', bytes: 10 });
  expect(existsSync(own.path)).toBe(true);
  expect(sets.get(own.id)).toBe(own);
  await sets.close();
  expect(existsSync(own.path)).toBe(false);
  await new Datasets(limits).close();
});

test('the oldest make room: for their number, and for their bytes', async () => {
  const sets = new Datasets(limits);
  const all = [
    await sets.add(bytes(10), ''),
    await sets.add(bytes(90), 'b'),
    await sets.add(bytes(10), 'c'),
    await sets.add(bytes(100), 'd'),
  ];
  expect(all[0].name).toBe('upload');
  expect(all.map(({ path }) => existsSync(path))).toEqual([false, false, true, true]);
  expect(() => sets.get(all[0].id)).toThrow(expect.objectContaining({ code: 'E_NOT_FOUND' }));
  await sets.close();
});

test('what is too large, empty, or of an unknown format leaves nothing behind', async () => {
  const sets = new Datasets(limits);
  await expect(sets.add(bytes(101), 'x')).rejects.toMatchObject({ code: 'E_TOO_LARGE' });
  await expect(sets.add(Readable.from([]), 'x')).rejects.toMatchObject({ code: 'E_EMPTY_INPUT' });
  await expect(sets.add(bytes(1), 'x', 'pickle')).rejects.toMatchObject({ code: 'E_BAD_REQUEST' });
  await expect(sets.add(bytes(1), 'x', 'folder')).rejects.toMatchObject({ code: 'E_BAD_REQUEST' });
  await sets.close();
});
