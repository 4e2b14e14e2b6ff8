import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { DataRow } from '../auto/cells.ts';
import { inferSchema } from '../auto/schema.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { Random } from '../math/random.ts';
import { crewFor } from './count-words.ts';
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

const options = { text: 'text', label: 'label', presence: false, analyzer: analyzerOptions(new CountVectorizer()) };

async function counted(file: string, first: readonly DataRow[], held: readonly number[], threads: number) {
  const crew = crewFor(file, threads);
  try {
    const { words, rows: all, copies, hash, hold } = await countFile(file, first, options, crew);
    const own = await hold(held).words();
    const { blocks, counts, ...rest } = own.part()!;
    const part = { ...rest, counts: counts(), blocks: [...blocks()] };
    return { words: await words, rows: all, copies, hash: await hash(), part, whole: own.whole() };
  } finally {
    crew.dismiss();
  }
}

test('rows, words and what is left without some rows are the same for every number of threads', async () => {
  const first = (await head(1 << 20)).slice(0, 100);
  const held = [...rows.keys()].filter((i) => i % 5 === 2);
  const [one, three] = await Promise.all([1, 3].map((threads) => counted(path, first, held, threads)));
  expect(three.words).toEqual(one.words);
  expect(three.whole).toEqual(one.whole);
  expect(three.part).toEqual(one.part);
  expect(three.rows).toEqual(one.rows);
  expect(three.copies).toEqual(one.copies);
  expect([one.hash, three.hash]).toEqual(Array(2).fill(createHash('sha256').update(readFileSync(path)).digest('hex')));
  expect(one.rows.length).toBe(rows.length);
  expect(one.rows.slice(0, 100)).toEqual(rows.slice(0, 100).map((row) => ({ ...row, text: row.text.trim() || null })));
  expect(one.rows.map(({ id, label, place }) => [id, label, place])).toEqual(
    rows.map(({ id, label, place }) => [id, label, place]),
  );
  expect(one.whole.others.rows).toBe(held.length);
  expect(inferSchema(one.rows, { target: 'label' })).toEqual(inferSchema([...one.rows], { target: 'label' }));
});

test('rows that are set aside are found among blank lines and lines that are read the long way', async () => {
  const odd = join(folder, 'odd.jsonl');
  const some = rows.slice(0, 400).map((row, i) => ({ ...row, text: `${row.text} own${i}` }));
  const written = some.map((row, i) => {
    const line = JSON.stringify(row);
    const strange = i % 7 === 0 ? line.replace('own', '\\u006fwn') : line;
    return `${strange}${i % 5 === 0 ? '\r\n \t\r\n\n' : '\n'}`;
  });
  writeFileSync(odd, written.join(''));
  const held = [...some.keys()].filter((i) => i % 3 === 0);
  const { words, whole, rows: all } = await counted(odd, some.slice(0, 10), held, 1);
  expect(all.map(({ id }) => id)).toEqual(some.map(({ id }) => id));
  const letters = (own: typeof words) =>
    Array.from(own.ends, (end, k) => Buffer.from(own.bytes.subarray(k > 0 ? own.ends[k - 1] : 0, end)).toString());
  const owns = (list: readonly number[]) => list.map((i) => `own${i}`).sort();
  expect(letters(words).filter((word) => word.startsWith('own'))).toEqual(owns([...some.keys()]));
  const rest = [...some.keys()].filter((i) => i % 3 > 0);
  expect(letters(whole.words).filter((word) => word.startsWith('own'))).toEqual(owns(rest));
});

test('rows that are alike but for the label have one number', async () => {
  const twice = join(folder, 'twice.jsonl');
  const [first, second] = rows;
  const list = [
    first,
    second,
    { ...first, label: 'c2' },
    { ...first, place: 3 },
    { ...second, text: ` ${second.text}\n` },
  ];
  writeFileSync(twice, list.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const { copies } = await counted(twice, list, [], 1);
  const same = (i: number, j: number) => copies[i] === copies[j];
  expect([same(0, 2), same(1, 4), same(0, 1), same(0, 3)]).toEqual([true, true, false, false]);
});

test('a file that changes between its readings is refused', async () => {
  const changed = join(folder, 'changed.jsonl');
  const some = rows.slice(0, 50);
  const write = (list: readonly object[]) =>
    writeFileSync(changed, list.map((row) => `${JSON.stringify(row)}\n`).join(''));
  write(some);
  const crew = crewFor(changed, 1);
  const { hold } = await countFile(changed, some, options, crew);
  write(some.map((row) => ({ ...row, text: row.text.replace('w', 'v') })));
  await expect(hold([3, 4]).words()).rejects.toMatchObject({ code: 'E_IO' });
});

test('the head of a file comes in whole lines, and a line without an end is refused', async () => {
  expect(await head(2 << 20)).toEqual(rows.slice(0, (await head(2 << 20)).length));
  const long = join(folder, 'long.jsonl');
  writeFileSync(long, 'x'.repeat(3 << 20));
  await expect(headOf(long, 2 << 20).next()).rejects.toMatchObject({ code: 'E_LIMIT' });
});
