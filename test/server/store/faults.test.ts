import { spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ModelStore } from '../../../src/server/model-store.ts';
import { openStore } from '../../../src/server/store/index.ts';
import { flipBits, leftBehind, tryJournal } from '../../faults/flips.ts';
import { wordsModel } from './models.ts';
import { codeOf, newFolder } from './subjects.ts';

const open = (folder: string, options = {}) => openStore(folder, new Map([['mail', wordsModel()]]), options);
const lesson = (k: number) => [{ instance: `row${k} lunch`, label: k % 2 ? 'ham' : 'spam' }];
const bytesOf = (store: ModelStore) => store.get('mail')!.model.toBytes();

test('a second owner is refused as long as the first one lives', async () => {
  const folder = newFolder();
  const store = await open(folder);
  expect(await codeOf(open(folder))).toBe('E_STORE_LOCKED');
  await store.learn('mail', lesson(1));
  await store.close();
  await (await open(folder)).close();
});

test('the lock of a dead process, of another process with its number, and of a silent machine is taken over', async () => {
  const folder = newFolder();
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const lock = join(folder, 'owner.lock');
  const owners = [
    { pid, start: '1', host: hostname(), mark: 'a' },
    { pid: process.pid, start: '1', host: hostname(), mark: 'b' },
    { pid: 1, start: null, host: 'elsewhere.example', mark: 'c' },
  ];
  for (const owner of owners) {
    writeFileSync(lock, JSON.stringify(owner));
    utimesSync(lock, new Date(0), new Date(0));
    await (await open(folder)).close();
  }
  writeFileSync(lock, JSON.stringify(owners[2]));
  expect(await codeOf(open(folder))).toBe('E_STORE_LOCKED');
  writeFileSync(lock, 'no JSON');
  await (await open(folder)).close();
  expect(readdirSync(folder).filter((name) => name.startsWith('owner'))).toEqual([]);
});

test('a folder that is a file is refused without its path', async () => {
  const path = join(newFolder(), 'file');
  writeFileSync(path, '');
  await expect(open(path)).rejects.toMatchObject({ code: 'E_IO', message: expect.not.stringContaining(path) });
});

/** Puts another file under the number by which LMDB writes, so that its writes fail as those of a broken or full disk do. */
function breakWrites(folder: string, by: string): void {
  const path = join(folder, 'journal.mdb');
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

test.runIf(onLinux)(
  'after a failed write nothing more is learned, and predictions go on with what is on disk',
  async () => {
    const folder = newFolder();
    const warnings: string[] = [];
    const store = await open(folder, { onWarning: (text: string) => warnings.push(text) });
    await store.learn('mail', lesson(1));
    const bytes = bytesOf(store);
    copyFileSync(join(folder, 'journal.mdb'), join(folder, 'other.mdb'));
    breakWrites(folder, join(folder, 'other.mdb'));
    const attempts = [2, 3, 4].map((k) => codeOf(store.learn('mail', lesson(k))));
    expect(await Promise.all(attempts)).toEqual(['E_STORE_READONLY', 'E_STORE_READONLY', 'E_STORE_READONLY']);
    expect(store.state).toBe('read-only');
    expect(bytesOf(store)).toEqual(bytes);
    expect(store.get('mail')!.version).toBe(2);
    expect(store.get('mail')!.model.predictLogProba(['lunch']).rows).toBe(1);
    expect(await codeOf(store.learn('mail', lesson(5)))).toBe('E_STORE_READONLY');
    expect(await codeOf(store.put('mail', wordsModel()))).toBe('E_STORE_READONLY');
    expect(warnings.length).toBe(1);
    await store.close();
    const again = await open(folder);
    expect(bytesOf(again)).toEqual(bytes);
    await again.close();
  },
);

test.runIf(onLinux)('on a full disk nothing is half learned, and a key that was not learned is free', async () => {
  const folder = newFolder();
  const store = await open(folder);
  await store.learn('mail', lesson(1));
  const bytes = bytesOf(store);
  breakWrites(folder, '/dev/full');
  expect(await codeOf(store.learn('mail', lesson(2), { key: 'k', hash: 'h' }))).toBe('E_DISK_FULL');
  expect(store.state).toBe('disk-full');
  expect(await codeOf(store.learn('mail', lesson(2), { key: 'k', hash: 'h' }))).toBe('E_DISK_FULL');
  await new Promise((resolve) => setTimeout(resolve, 700)); // it is tried again, in vain
  expect(store.state).toBe('disk-full');
  expect(bytesOf(store)).toEqual(bytes);
  await store.close();
  const again = await open(folder);
  expect(await again.learn('mail', lesson(2), { key: 'k', hash: 'h' })).toMatchObject({ repeated: false });
  await again.close();
});

test('one flipped bit anywhere in the journal is refused or changes nothing', async () => {
  const left = await leftBehind(newFolder(), 12);
  const { refused } = await flipBits(left, function* (length) {
    for (let at = 24; at < 168; at += 9) yield at; // the head
    for (let at = 4096; at < length; at += 787) yield at;
  });
  expect(refused).toBeGreaterThan(8);
});

test('a journal that is cut off, and a version that is damaged, are refused', async () => {
  const left = await leftBehind(newFolder(), 5);
  const whole = readFileSync(join(left.folder, 'journal.mdb'));
  for (const length of [whole.length - 1, whole.length - 4096, 8192, 4096, 100, 1]) {
    await tryJournal(left, whole.subarray(0, length), `it was cut at ${length}`);
  }
  const shelf = join(left.folder, 'models', 'mail');
  const [file] = readdirSync(shelf);
  const model = readFileSync(join(shelf, file));
  model[model.length - 3] ^= 1;
  writeFileSync(join(shelf, file), model);
  await expect(openStore(left.folder)).rejects.toMatchObject({
    code: 'E_STORE_CORRUPT',
    details: { model: 'mail', version: 1 },
  });
});
