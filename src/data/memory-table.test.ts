import { expect, test } from 'vitest';
import { openTable } from '../node.ts';
import type { BlockTable } from './column-table.ts';
import { formatCsv } from './csv-format.ts';
import { MemoryTable } from './memory-table.ts';

/** Rows with fractions, some with trailing zeros, words, integers and gaps. */
const rows = Array.from({ length: 3000 }, (_, i) => [
  i % 40 === 7 ? '' : (i / 7).toFixed(2),
  i % 500 === 499 ? 'none' : String(i / 3),
  i % 3 === 0 ? '' : `word ${i % 5}`,
  String(i % 12),
]);
const text = formatCsv([['fixed', 'shortest', 'word', 'month'], ...rows]);

/** The content of every block of the file, and the same rows in memory. */
async function both(): Promise<{ blocks: Record<'cells' | 'hashes' | 'numbers', unknown[]>; table: MemoryTable }> {
  const opened = await openTable([new TextEncoder().encode(text)], { format: 'csv', blockBytes: 4096 });
  const table = new MemoryTable();
  const blocks = { cells: [] as unknown[], hashes: [] as unknown[], numbers: [] as unknown[] };
  const textsOf = (block: BlockTable) => block.records().map((row) => Object.values(row).map(String));
  for await (const block of opened.tables()) {
    blocks.cells.push(...textsOf(block));
    blocks.hashes.push(...block.hash(block.names, 3));
    blocks.numbers.push(...block.column('shortest').numbers().values);
    table.add(block);
  }
  return { blocks, table };
}

test('rows of many blocks have the same cells, numbers and hashes in memory', async () => {
  const { blocks, table } = await both();
  expect(table.length).toBe(3000);
  expect(table.records().map((row) => Object.values(row).map(String))).toEqual(blocks.cells);
  expect([...table.hash(table.names, 3)]).toEqual(blocks.hashes);
  expect([...table.column('shortest').numbers().values]).toEqual(blocks.numbers);
  expect([...Array.from(table.column('shortest').numbers().odd)]).toEqual([499, 999, 1499, 1999, 2499, 2999]);
  expect(table.column('shortest').cell(499)).toBe('none');
  const some = table.take([2999, 0]);
  expect([some.line(0), some.column('fixed').cell(1), some.column('fixed').cell(0)]).toEqual([3001, '0.00', 428.43]);
  expect(table.column('absent').cell(5)).toBeUndefined();
});
