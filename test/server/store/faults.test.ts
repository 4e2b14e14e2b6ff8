import {
  closeSync,
  copyFileSync,
  cpSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ModelStore } from '../../../src/server/model-store.ts';
import { openStore } from '../../../src/server/store/index.ts';
import { flipBits, lastSegment, leftBehind, tryLog } from '../../faults/flips.ts';
import { rowOf } from '../../faults/rows.ts';
import { firstRows, wordsModel } from './models.ts';
import { codeOf, newFolder } from './subjects.ts';

const open = (folder: string, options = {}) => openStore(folder, new Map([['mail', wordsModel()]]), options);
const rowsOf = (k: number) => [{ instance: `row${k} lunch`, label: k % 2 ? 'ham' : 'spam' }];
const bytesOf = (store: ModelStore) => store.get('mail')!.model.toBytes();

test('a second owner is refused as long as the first one lives', async () => {
  const folder = newFolder();
  const store = await open(folder);
  expect(await codeOf(open(folder))).toBe('E_STORE_LOCKED');
  await store.learn('mail', rowsOf(1));
  await store.close();
  await (await open(folder)).close();
});

test('a folder that is a file is refused without its path', async () => {
  const path = join(newFolder(), 'file');
  writeFileSync(path, '');
  await expect(open(path)).rejects.toMatchObject({ code: 'E_IO', message: expect.not.stringContaining(path) });
});

/** Puts another file under the descriptor of the log, so that its writes fail like those of a broken or full disk. */
function breakWrites(folder: string, by: string): void {
  const path = lastSegment(folder);
  const own = readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      return false;
    }
  });
  expect(own.length).toBeGreaterThan(0);
  for (const fd of own.map(Number).sort((a, b) => a - b)) {
    closeSync(fd);
    expect(openSync(by, by === '/dev/full' ? 'w' : 'r')).toBe(fd); // the lowest free number is given first
  }
}

const onLinux = process.platform === 'linux';
const ready = async (store: ModelStore) => {
  for (let tries = 0; store.state !== 'ready' && tries < 100; tries++) await new Promise((go) => setTimeout(go, 50));
  expect(store.state).toBe('ready');
};

test.runIf(onLinux).each([
  ['a failed write', 'other', 'E_STORE_READONLY', 'read-only'],
  ['a full disk', '/dev/full', 'E_DISK_FULL', 'disk-full'],
])('%s takes nothing away: predictions go on, learning resumes by itself', async (_, by, code, state) => {
  const folder = newFolder();
  const warnings: string[] = [];
  const store = await open(folder, { onWarning: (text: string) => warnings.push(text) });
  const key = { key: 'k' };
  await store.learn('mail', rowsOf(1));
  const bytes = bytesOf(store);
  copyFileSync(lastSegment(folder), join(folder, 'other'));
  breakWrites(folder, by === 'other' ? join(folder, by) : by);
  const attempts = [2, 3, 4].map((k) => codeOf(store.learn('mail', rowsOf(k), k === 2 ? key : {})));
  expect(await Promise.all(attempts)).toEqual([code, code, code]);
  expect(store.state).toBe(state);
  expect(bytesOf(store)).toEqual(bytes);
  expect(store.get('mail')!.version).toBe(2);
  expect(store.get('mail')!.model.predictLogProba(['lunch']).rows).toBe(1);
  expect(await codeOf(store.learn('mail', rowsOf(5)))).toBe(code);
  expect(await codeOf(store.put('mail', wordsModel()))).toBe(code);
  expect(warnings.length).toBe(1);
  await ready(store);
  expect(warnings.length).toBe(2);
  const { version, repeated } = await store.learn('mail', rowsOf(2), key);
  expect(repeated).toBe(false);
  expect(version).toBeGreaterThan(4); // numbers that were given are not given again
  const learned = wordsModel([...firstRows, ...rowsOf(1), ...rowsOf(2)]);
  expect(bytesOf(store)).toEqual(learned);
  const copy = join(newFolder(), 'copy');
  cpSync(folder, copy, { recursive: true, filter: (file) => !file.endsWith('.sock') });
  for (const place of [copy, folder]) {
    if (place === folder) await store.close();
    const again = await openStore(place);
    expect(bytesOf(again)).toEqual(learned);
    expect(again.get('mail')!.version).toBe(version);
    await again.close();
  }
});

test('one flipped bit anywhere in the log is refused or changes nothing', async () => {
  const left = await leftBehind(newFolder(), 12);
  const { refused } = await flipBits(left, function* (length) {
    for (let at = 0; at < 32; at += 3) yield at; // the first frame
    for (let at = 32; at < length; at += 53) yield at;
    for (let at = length - 32; at < length; at++) yield at; // the last frame and its seal
  });
  expect(refused).toBeGreaterThan(50);
});

test('a log that ends within its last record is cut there with one warning; the others are all there', async () => {
  const left = await leftBehind(newFolder(), 5);
  const whole = readFileSync(lastSegment(left.folder));
  const last = whole.lastIndexOf('{"kind":"learn"') - 8;
  for (let length = last; length <= whole.length; length += 7) {
    const copy = join(newFolder(), 'store');
    cpSync(left.folder, copy, { recursive: true });
    writeFileSync(lastSegment(copy), whole.subarray(0, length));
    const warnings: string[] = [];
    const store = await openStore(copy, new Map(), { onWarning: (text) => warnings.push(text) });
    const complete = length >= whole.length - 16;
    const rows = Array.from({ length: complete ? 5 : 4 }, (_, id) => rowOf(id));
    expect(bytesOf(store)).toEqual(wordsModel([...firstRows, ...rows]));
    expect(warnings.length).toBe(length === last || length === whole.length - 16 || length === whole.length ? 0 : 1);
    await store.learn('mail', rowsOf(9));
    await store.close();
  }
});

test('a segment or a model file that is gone or damaged is refused', async () => {
  const left = await leftBehind(newFolder(), 5);
  expect(await tryLog(left, new Uint8Array(0), 'the log was emptied')).toBe('refused');
  const folder = join(left.folder, 'models', 'mail');
  const [file] = readdirSync(folder);
  const model = readFileSync(join(folder, file));
  model[model.length - 3] ^= 1;
  writeFileSync(join(folder, file), model);
  await expect(openStore(left.folder)).rejects.toMatchObject({
    code: 'E_STORE_CORRUPT',
    details: { model: 'mail', version: 1 },
  });
});

test('a store of version 0.1 is refused with what to do', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'journal.mdb'), 'LMDB');
  await expect(openStore(folder)).rejects.toMatchObject({ code: 'E_STORE_CORRUPT', details: { format: 1 } });
});
