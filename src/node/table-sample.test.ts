import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { formatCsv } from '../data/csv-format.ts';
import { Random } from '../math/random.ts';
import { openTable } from './table.ts';
import { placesIn, tablesOfPlaces } from './table-sample.ts';

const folder = mkdtempSync(join(tmpdir(), 'polya-sample-'));
afterAll(() => rmSync(folder, { recursive: true }));

const random = new Random(5);
const bits = ['plain', 'a,b', 'line\nbreak', '"said"', '\n\n', ',"', '",\n', 'ünder'];
const cell = (bound: number) => Array.from({ length: random.integer(bound) }, () => bits[random.integer(8)]).join(' ');
const rows = Array.from({ length: 40_000 }, (_, i) => ({ id: String(i), short: cell(3), long: cell(20) }));

async function sampled(name: string, content: string) {
  const path = join(folder, name);
  writeFileSync(path, content);
  const table = await openTable(path);
  await table.close();
  const places = await placesIn(path, table.layout!, 16);
  return tablesOfPlaces(places).flatMap((own) => own.records());
}

test.each([
  ['csv', formatCsv([['id', 'short', 'long'], ...rows.map(({ id, short, long }) => [id, short, long])])],
  ['jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join('')],
])('rows sampled from several positions of %s are rows of the file, each once', async (format, content) => {
  const found = await sampled(`all.${format}`, content);
  const numbers = found.map(({ id }) => Number(id));
  expect(found).toEqual(numbers.map((i) => expect.objectContaining(rows[i])));
  expect(new Set(numbers).size).toBe(found.length);
  const parts = new Set(numbers.map((i) => Math.floor(i / 5000)));
  expect(parts.size).toBe(8);
});

test('a position with a bad row is skipped', async () => {
  const lines = Array.from({ length: 100_000 }, (_, i) => (i === 50_000 ? 'bad' : `${i},${i % 3}`));
  const found = await sampled('bad.csv', `a,b\n${lines.join('\n')}\n`);
  expect(found.length).toBeGreaterThan(1000);
  expect(found.every(({ b }) => b !== undefined)).toBe(true);
});

test('nothing is sampled from the beginning of a file, nor from one that is too short', async () => {
  const lines = Array.from({ length: 100_000 }, (_, i) => `${i},${i % 3}\n`).join('');
  const found = await sampled('late.csv', `a,b\n${lines}`);
  const beginning = lines.slice(0, 1 << 16).split('\n').length;
  expect(Math.min(...found.map(({ a }) => Number(a)))).toBeGreaterThan(beginning - 2);
  expect(await sampled('short.csv', 'a,b\n1,2\n')).toEqual([]);
});
