import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { folder } from '../../test/cli/harness.ts';
import { writeAtomic } from './atomic-file.ts';

const { path, remove } = folder();
afterAll(remove);
const bytes = new TextEncoder().encode('new');

test('a file is replaced whole, through a link as well, and what dead processes left is cleared away', async () => {
  writeFileSync(join(path, 'model'), 'old');
  symlinkSync(join(path, 'model'), join(path, 'link'));
  writeFileSync(join(path, '.model.999999999-0.part'), 'half');
  writeFileSync(join(path, `.model.${process.ppid}-0.part`), 'of a living process');
  await writeAtomic(join(path, 'link'), bytes);
  expect(readFileSync(join(path, 'model'), 'utf8')).toBe('new');
  expect(lstatSync(join(path, 'link')).isSymbolicLink()).toBe(true);
  expect(readdirSync(path).filter((name) => name.endsWith('.part'))).toEqual([`.model.${process.ppid}-0.part`]);
});

test.each([
  ['a folder that is not there', 'none/model', 'E_PATH'],
  ['a folder in its place', 'folder', 'E_PATH'],
])('%s is refused', async (_, name, code) => {
  mkdirSync(join(path, 'folder'), { recursive: true });
  await expect(writeAtomic(join(path, name), bytes)).rejects.toMatchObject({ code });
  expect(readdirSync(path).filter((own) => own.includes(`.${process.pid}-`))).toEqual([]);
});

test.runIf(process.platform === 'linux')('a full disk is said, and nothing is changed', async () => {
  await expect(writeAtomic('/dev/full', bytes)).rejects.toMatchObject({ code: 'E_DISK_FULL' });
});

test('a file that is replaced keeps its permissions', async () => {
  writeFileSync(join(path, 'private'), 'old', { mode: 0o600 });
  await writeAtomic(join(path, 'private'), bytes);
  expect(statSync(join(path, 'private')).mode & 0o777).toBe(0o600);
});

test('a file is guarded under its other name while it is written, and its parts follow each other', async () => {
  const guarded: string[] = [];
  await writeAtomic(join(path, 'other'), [Uint8Array.of(1, 2), Uint8Array.of(), Uint8Array.of(3)], true, (file) => {
    guarded.push(file);
    return () => guarded.push('written');
  });
  expect(guarded).toEqual([expect.stringContaining(join(path, `.other.${process.pid}-`)), 'written']);
  expect([...readFileSync(join(path, 'other'))]).toEqual([1, 2, 3]);
});
