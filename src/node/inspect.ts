import { type TableProfile, TableProfiler } from '../auto/profile.ts';
import { requireOptions } from '../data/arguments.ts';
import type { BadRow } from '../data/faults.ts';
import { factsOf, type OpenTableOptions, openTable, type TableFacts, type TableSource } from './table.ts';
import { tableOptions } from './table-options.ts';

/** How a table is profiled. */
export interface InspectOptions extends OpenTableOptions {
  /** The label column. Default: guessed. */
  readonly target?: string;
  /** The size of the random sample for checks that need whole rows, such as leaks. Default: 20,000. */
  readonly sampleRows?: number;
  /** The random seed of the sample. Default: 0. */
  readonly seed?: number;
}

/** The profile of a table. */
export interface TableInspection extends TableFacts {
  readonly bytesRead: number;
  readonly bytesTotal: number | undefined;
  readonly rows: number;
  /** The rows that were skipped. */
  readonly rejected: readonly BadRow[];
  readonly profile: TableProfile;
}

/** Reads a table once, in bounded memory, and profiles all of its rows. */
export async function inspectTable(source: TableSource, options: InspectOptions = {}): Promise<TableInspection> {
  const known = ['target', 'sampleRows', 'seed', ...tableOptions];
  const { target, sampleRows, seed, ...reading } = requireOptions('inspectTable', known, options);
  const profiler = new TableProfiler({ target, seed, sampleRows });
  const table = await openTable(source, { ...reading, empty: 'refuse' });
  for await (const { rows } of table.chunks()) profiler.add(rows);
  const { bytesRead, bytesTotal, rowsRead: rows, rejected } = table;
  return { ...factsOf(table), bytesRead, bytesTotal, rows, rejected, profile: profiler.profile() };
}
