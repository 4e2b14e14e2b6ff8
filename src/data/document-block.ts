import { type BlockTable, RecordTable } from './column-table.ts';

/** Some documents as one run of bytes that can be transferred to another thread, with the cells of other columns. */
export interface DocumentBlock {
  /** The names of the columns: that of the documents first. */
  readonly names: readonly string[];
  /** The documents in UTF-8, one after the other. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each document ends. */
  readonly ends: Uint32Array;
  /** The cells of each other column. */
  readonly cells: readonly (readonly unknown[])[];
}

/** The documents as a table. */
export function documentTable({ names: [text, ...others], bytes, ends, cells }: DocumentBlock): BlockTable {
  const rows = Array.from(ends, (end, i) => {
    const own = others.map((name, j) => [name, cells[j][i]] as const);
    return Object.fromEntries<unknown>([[text, bytes.subarray(ends[i - 1] ?? 0, end)], ...own]);
  });
  return new RecordTable(rows);
}
