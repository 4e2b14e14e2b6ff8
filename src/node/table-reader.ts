import type { BlockTable } from '../data/column-table.ts';
import { refuse, show } from '../errors.ts';
import type { SplitTable } from './table-blocks.ts';
import type { SheetFacts } from './table-options.ts';

/** The reader of one format. */
export interface TableReader {
  readonly columns: readonly string[];
  readonly delimiter?: string;
  readonly header?: boolean;
  readonly sheet?: SheetFacts;
  /** The new names of columns whose name another column had before them. */
  readonly renamed?: readonly string[];
  /** The total size, if it is not one file. */
  readonly bytesTotal?: number;
  /** The rows, in order; each table is valid until the next one. */
  readonly tables: AsyncGenerator<BlockTable, void, undefined>;
  /** The same rows as blocks that any thread can read, if the format has them; read either these or `tables`. */
  readonly split?: SplitTable;
  /** Closes what the reader itself has opened. */
  close?(): Promise<void>;
}

/** Throws if a requested column is missing. */
export function requireColumns(wanted: readonly string[], columns: readonly string[]): void {
  const known = new Set(columns);
  const missing = wanted.find((name) => !known.has(name));
  if (missing === undefined) return;
  const shown = columns.slice(0, 10).map(show).join(', ');
  const sentence = `there is no column ${show(missing)}; there are ${shown}${columns.length > 10 ? ', …' : ''}`;
  refuse('E_FEATURE_MISSING', sentence.slice(0, 400), { feature: missing, columns: columns.slice(0, 100) });
}
