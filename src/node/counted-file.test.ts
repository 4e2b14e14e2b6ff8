import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { DataRow } from '../auto/cells.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { Random } from '../math/random.ts';
import { countFile, headOf } from './counted-file.ts';
import { analyzerOptions } from './fit-text-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'polya-counted-'));
afterAll(() => rmSync(folder, { recursive: true }));

const random = new Random(9);
const rows = Array.from({ length: 30_000 }, (_, i) => ({
  id: `n${i}`,
  label: `c${i % 3}`,
  text: i % 100 === 7 ? ' ' : Array.from({ length: 50 }, () => `w${Math.floor(20_000 ** random.uniform())}`).join(' '),
  place: i % 11 === 0 ? null : i % 5,
}));
const path = join(folder, 'rows.jsonl');
writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));

async function head(most: number): Promise<DataRow[]> {
  const all: DataRow[] = [];
  for await (const part of headOf(path, most)) all.push(...part.rows);
  return all;
}

test('rows, words and what is left without some rows are the same for every number of threads', async () => {
  const options = { text: 'text', label: 'label', presence: false, analyzer: analyzerOptions(new CountVectorizer()) };
  const first = (await head(1 << 20)).slice(0, 100);
  const held = [...rows.keys()].filter((i) => i % 5 === 2);
  const [one, three] = await Promise.all(
    [1, 3].map(async (threads) => {
      const file = await countFile(path, first, { ...options, threads, keep: true });
      return { words: file.words, rows: file.rows, parted: file.without(held) };
    }),
  );
  expect(three.words).toEqual(one.words);
  expect(three.parted).toEqual(one.parted);
  expect(three.rows).toEqual(one.rows);
  expect(one.rows.length).toBe(rows.length);
  expect(one.rows.slice(0, 100)).toEqual(rows.slice(0, 100).map((row) => ({ ...row, text: row.text.trim() || null })));
  expect(one.rows.map(({ id, label, place }) => [id, label, place])).toEqual(
    rows.map(({ id, label, place }) => [id, label, place]),
  );
  expect(one.parted.others.rows).toBe(held.length);
});

test('the head of a file comes in whole lines, and a line without an end is refused', async () => {
  expect(await head(2 << 20)).toEqual(rows.slice(0, (await head(2 << 20)).length));
  const long = join(folder, 'long.jsonl');
  writeFileSync(long, 'x'.repeat(3 << 20));
  await expect(headOf(long, 2 << 20).next()).rejects.toMatchObject({ code: 'E_LIMIT' });
});
