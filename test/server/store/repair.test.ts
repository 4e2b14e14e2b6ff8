import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/server/store/index.ts';
import { repairStore } from '../../../src/server/store/repair.ts';
import { lastSegment, leftBehind } from '../../faults/flips.ts';
import { rowOf } from '../../faults/rows.ts';
import { firstRows, wordsModel } from './models.ts';
import { codeOf, newFolder } from './subjects.ts';

const ROWS = 40;

/** The model of the rows whose versions are not lost; row k made version k + 2. */
const without = (lost: readonly (readonly [number, number])[], last: number) =>
  wordsModel([
    ...firstRows,
    ...Array.from({ length: ROWS }, (_, k) => k)
      .filter((k) => k + 2 <= last && !lost.some(([from, to]) => k + 2 >= from && k + 2 <= to))
      .map(rowOf),
  ]);

test('wherever a byte of the log is damaged, a repair keeps a copy, loses only what it reports, and the store starts', async () => {
  const left = await leftBehind(newFolder(), ROWS);
  const whole = readFileSync(lastSegment(left.folder));
  let [refused, rowsLost] = [0, 0];
  for (let at = 5; at < whole.length; at += Math.ceil(whole.length / 60)) {
    const folder = join(newFolder(), 'store');
    cpSync(left.folder, folder, { recursive: true });
    const damaged = Buffer.from(whole);
    for (let k = 0; k < 16; k++) damaged[at + k] ^= 0x55;
    writeFileSync(lastSegment(folder), damaged);
    if ((await codeOf(openStore(folder).then((store) => store.close()))) !== 'accepted') refused++;
    else continue;
    const { copy, models, gone, unreadable } = await repairStore(folder);
    expect(readFileSync(lastSegment(copy)).equals(damaged)).toBe(true);
    expect(gone).toEqual([]);
    const store = await openStore(folder);
    const { lost, version, rows, base, records } = models[0];
    const last = lost.reduce((sum, [from, to]) => sum + to - from + 1, base + records);
    if (rows < ROWS && lost.length === 0) expect(unreadable).toBeGreaterThan(0);
    expect(Buffer.compare(store.get('mail')!.model.toBytes(), without(lost, last)), `byte ${at}`).toBe(0);
    expect(store.get('mail')!.version).toBe(version);
    rowsLost = Math.max(rowsLost, ROWS - rows);
    await store.learn('mail', [rowOf(1000)]);
    await store.close();
  }
  expect(refused).toBeGreaterThan(3);
  expect(rowsLost).toBeLessThanOrEqual(2); // every row has a block of its own here
});

test('a sound store is the same after a repair, keys included, and numbers go on', async () => {
  const { folder, model } = await leftBehind(newFolder(), ROWS);
  const { models } = await repairStore(folder);
  expect(models).toMatchObject([{ name: 'mail', base: 1, records: ROWS, rows: ROWS, lost: [], damaged: [] }]);
  const store = await openStore(folder);
  expect(Buffer.compare(store.get('mail')!.model.toBytes(), model)).toBe(0);
  expect(await store.learn('mail', [rowOf(3)], { key: 'k3' })).toMatchObject({ repeated: true });
  expect((await store.learn('mail', [rowOf(50)])).version).toBe(models[0].version + 1);
  expect(models[0].version).toBeGreaterThan(ROWS + 1);
  await store.close();
});

test('the model file before a damaged one is used, and what was learned after it is reported as lost', async () => {
  const folder = newFolder();
  const store = await openStore(folder, new Map([['mail', wordsModel()]]));
  await store.learn('mail', [rowOf(0)]);
  await store.snapshot('mail');
  await store.learn('mail', [rowOf(1)]);
  await store.close(); // writes version 3
  const files = join(folder, 'models', 'mail');
  const latest = readdirSync(files).find((name) => name.startsWith('3-'))!;
  const bytes = readFileSync(join(files, latest));
  bytes[bytes.length >> 1] ^= 1;
  writeFileSync(join(files, latest), bytes);
  expect(await codeOf(openStore(folder))).toBe('E_STORE_CORRUPT');
  const { models } = await repairStore(folder);
  expect(models).toMatchObject([{ base: 2, rows: 0, damaged: [3] }]);
  const again = await openStore(folder);
  expect(Buffer.compare(again.get('mail')!.model.toBytes(), wordsModel([...firstRows, rowOf(0)]))).toBe(0);
  await again.close();
});

test('a store that is in use is not repaired', async () => {
  const folder = newFolder();
  const store = await openStore(folder, new Map([['mail', wordsModel()]]));
  expect(await codeOf(repairStore(folder))).toBe('E_STORE_LOCKED');
  await store.close();
});
