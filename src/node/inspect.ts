import type { DataRow } from '../auto/cells.ts';
import { profileRows, type TableProfile } from '../auto/profile.ts';
import { requireOptions } from '../data/arguments.ts';
import { type BadRow, wholeOption } from '../data/faults.ts';
import { factsOf, type OpenTableOptions, openTable, type TableFacts, type TableSource } from './table.ts';
import { tableOptions } from './table-options.ts';

/** How to look at a table. */
export interface InspectOptions extends OpenTableOptions {
  /** The column with the labels; guessed unless given. */
  readonly target?: string;
  /** How many rows are profiled: the first 100,000 unless told. All are read and counted. */
  readonly maxRows?: number;
}

/** What is in a table, before anything is learned from it. */
export interface TableInspection extends TableFacts {
  readonly bytesRead: number;
  readonly bytesTotal: number | undefined;
  /** All rows, of which `profile.rows` were looked at. */
  readonly rows: number;
  /** The rows that were left out. */
  readonly rejected: readonly BadRow[];
  readonly profile: TableProfile;
}

/** Reads a table once and tells what is in it. */
export async function inspectTable(source: TableSource, options: InspectOptions = {}): Promise<TableInspection> {
  const known = ['target', 'maxRows', ...tableOptions];
  const { target, maxRows, ...reading } = requireOptions('inspectTable', known, options);
  const most = wholeOption('maxRows', maxRows, 100_000, 1);
  const table = await openTable(source, { ...reading, empty: 'refuse' });
  const sample: DataRow[] = [];
  for await (const { rows } of table.chunks()) {
    for (const row of rows.slice(0, most - sample.length)) sample.push(row);
  }
  const { bytesRead, bytesTotal, rowsRead: rows, rejected } = table;
  return { ...factsOf(table), bytesRead, bytesTotal, rows, rejected, profile: profileRows(sample, { target }) };
}
