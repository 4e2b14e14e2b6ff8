import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { BlockReader } from '../data/block-reader.ts';
import type { DataRow } from '../data/cells.ts';
import { type BlockTable, RecordTable } from '../data/column-table.ts';
import { KeptRows, rowsOf } from './kept-rows.ts';
import type { Piece } from './pool.ts';
import { openTable } from './table.ts';

const folder = mkdtempSync(join(tmpdir(), 'kept-rows-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Row = readonly [line: number, record: DataRow];

const rowsIn = (table: BlockTable): Row[] =>
  table.records().map((record, i) => [table.line(i), { ...record }] as const);

/** Keeps every third row of a file; returns these rows as read and as kept. */
async function keepThird(name: string, content: string, blockBytes: number): Promise<{ read: Row[]; kept: Row[] }> {
  const path = join(folder, name);
  writeFileSync(path, content);
  const table = await openTable(path, { blockBytes });
  const layout = table.layout!;
  const rows = new KeptRows(1 << 20);
  const read: Row[] = [];
  let index = 0;
  for await (const block of table.blocks()) {
    for (const whole of new BlockReader(layout).read(block)) {
      const numbers = Array.from({ length: whole.length }, (_, i) => i).filter((i) => whole.line(i) % 3 === 0);
      read.push(...rowsIn(whole.take(numbers)));
      if (numbers.length === 0) continue;
      const lines = Float64Array.from(numbers, (i) => whole.line(i));
      await rows.add(rowsOf(whole, lines), { index: index++, file: 0, block, layout });
    }
  }
  const kept = await rowsOfPieces(rows);
  await rows.close();
  return { read, kept };
}

async function rowsOfPieces(rows: KeptRows): Promise<Row[]> {
  const found: Row[] = [];
  for await (const piece of rows.pieces()) {
    const tables = 'block' in piece ? new BlockReader(piece.layout).read(piece.block) : piece.tables;
    for (const table of tables) found.push(...rowsIn(table));
  }
  return found;
}

const csv = (rows: number) =>
  `label,text\r\n${Array.from({ length: rows }, (_, i) => `${i % 2},"row ""${i}""${i % 5 === 0 ? '\r\nof two lines' : ''}"\r\n`).join('')}`;
const jsonl = (rows: number) =>
  Array.from({ length: rows }, (_, i) =>
    JSON.stringify({ label: i % 2, text: `é "${i}"`, deep: i % 7 ? i : { i } }),
  ).join('\n\n');

test.each([
  ['quoted.csv', csv(500), 1000],
  ['open.csv', csv(99).trimEnd(), 1 << 20],
  ['nested.jsonl', jsonl(300), 700],
  ['plain.txt', Array.from({ length: 90 }, (_, i) => `line ${i}`).join('\n'), 64],
])('rows of %s are kept as they were read, with their lines', async (name, content, blockBytes) => {
  const { read, kept } = await keepThird(name, content, blockBytes);
  expect(read.length).toBeGreaterThan(15);
  expect(kept).toEqual(read);
});

test('rows beyond the memory limit go to a temporary file, which is removed afterwards', async () => {
  const temporary = mkdtempSync(join(folder, 'temporary-'));
  vi.stubEnv('TMPDIR', temporary);
  const long = 'word '.repeat(2_000);
  const content = `label,text\n${Array.from({ length: 1200 }, (_, i) => `${i % 2},${i} ${long}\n`).join('')}`;
  const { read, kept } = await keepThird('long.csv', content, 1 << 20);
  expect(read.length).toBe(400);
  expect(kept).toEqual(read);
  expect(readdirSync(temporary)).toEqual([]);
  vi.unstubAllEnvs();
}, 60_000);

test('rows that were not read from bytes are kept as records', async () => {
  const records = [{ a: 1, b: 'x' }, { a: Number.NaN, b: 10n }, { b: null }];
  const table = new RecordTable(records, [4, 7, 9]);
  const rows = new KeptRows();
  const piece: Piece = { index: 0, file: 1, tables: [table] };
  await rows.add(rowsOf(table, Float64Array.of(4, 9)), piece);
  await rows.add(rowsOf(table, Float64Array.of(7)), piece);
  expect(await rowsOfPieces(rows)).toEqual([
    [4, records[0]],
    [9, records[2]],
    [7, records[1]],
  ]);
  await rows.close();
});
