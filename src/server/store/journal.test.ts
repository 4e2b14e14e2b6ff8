import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { newFolder } from '../../../test/server/store/subjects.ts';
import { JOURNAL_FILE, Journal } from './journal.ts';

const BLOCKS = 1500;
const FIRST = 16;
const bytes = (key: number): Uint8Array => new Uint8Array(20_000).fill(key % 251);
const keysOf = async (journal: Journal): Promise<number[]> =>
  (await journal.read(FIRST, FIRST + 2 * BLOCKS)).map(([key]) => key);
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, k) => from + k);

/** Many blocks, a few to a commit; their numbers go on from `from`. */
async function fill(journal: Journal, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += 25) {
    await journal.commit({ puts: range(at, Math.min(to, at + 25)).map((key) => [key, bytes(key)]) });
  }
}

/** Megabytes of the journal's file that count as memory of this process. */
function mapped(): number {
  let [sum, own] = [0, false];
  for (const line of readFileSync('/proc/self/smaps', 'utf8').split('\n')) {
    if (/^[0-9a-f]+-/.test(line)) own = line.endsWith(JOURNAL_FILE);
    else if (own && line.startsWith('Rss:')) sum += Number(line.split(/\s+/)[1]) / 1024;
  }
  return sum;
}

test('a long range goes bit by bit with the commits that follow, and what was not removed before a crash goes with the next range', async () => {
  const [folder, copy] = [newFolder(), newFolder()];
  const journal = await Journal.open(folder);
  const last = FIRST + BLOCKS;
  await fill(journal, FIRST, last);
  await journal.commit({ puts: [[last, bytes(last)]], remove: [FIRST, last - 10] });
  const left = await keysOf(journal);
  expect(left.length).toBeLessThan(BLOCKS + 1);
  expect(left.slice(-11)).toEqual(range(last - 10, last + 1));
  copyFileSync(join(folder, JOURNAL_FILE), join(copy, JOURNAL_FILE));
  await fill(journal, last + 1, last + 1001);
  expect(await keysOf(journal)).toEqual(range(last - 10, last + 1001));
  await journal.close();

  const crashed = await Journal.open(copy);
  expect(await keysOf(crashed)).toEqual(left);
  await crashed.commit({ puts: [], remove: [FIRST, last - 5] });
  await crashed.close();
  const again = await Journal.open(copy);
  const kept = await again.read(FIRST, last + 1);
  expect(kept).toEqual(range(last - 5, last + 1).map((key) => [key, bytes(key)]));
  await again.close();
});

test.runIf(process.platform === 'linux')(
  'what was read, removed and written again does not stay in memory',
  async () => {
    const journal = await Journal.open(newFolder());
    for (let round = 0; round < 3; round++) {
      const from = FIRST + round * BLOCKS;
      await fill(journal, from, from + BLOCKS); // 30 MB
      expect((await journal.read(from, from + 200)).length).toBe(200);
      await journal.commit({ puts: [], remove: [FIRST, from + BLOCKS - 10] });
      expect(mapped()).toBeLessThan(15);
    }
    await journal.close();
  },
);

test('a journal that has much to remove when it is closed ends in peace', async () => {
  const program = `
    import { Journal } from ${JSON.stringify(new URL('./journal.ts', import.meta.url).href)};
    const value = () => new Uint8Array(2000);
    for (let round = 0; round < 100; round++) {
      const journal = await Journal.open(process.argv[2]);
      await journal.commit({ puts: Array.from({ length: 330 }, (_, key) => [key, value()]) });
      await journal.commit({ puts: [], remove: [0, 330] });
      await journal.close();
    }
    console.log('closed');
  `;
  const folder = newFolder();
  const file = join(folder, 'program.mjs');
  writeFileSync(file, program);
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', file, folder]);
  expect(stdout).toBe('closed\n');
});
