import { refuse, show } from '../errors.ts';
import { requireOptions } from './arguments.ts';
import type { Duplicates } from './csv-header.ts';
import type { RowLimits } from './csv-rows.ts';
import { type BadRowOptions, badRowOptions, wholeOption } from './faults.ts';

/** How to read a table of text; every option may be left out. */
export interface CsvOptions extends BadRowOptions {
  /** One ASCII character; sniffed among comma, tab, semicolon and bar when left out. */
  readonly delimiter?: string;
  /** Whether the first row has the names (true unless told), or the names of a table that has none. */
  readonly header?: boolean | readonly string[];
  /** What to do with two columns of one name; `'refuse'` unless told. */
  readonly duplicates?: Duplicates;
  /** How many rows `readCsv` gives at once: 4096 unless told, fewer when they are long. */
  readonly chunkRows?: number;
  /** The longest cell, quotes included: 16 MiB unless told. */
  readonly maxCellBytes?: number;
  /** The longest row: 32 MiB unless told, at most 256 MiB. */
  readonly maxRowBytes?: number;
  /** The widest row: 1,048,576 columns unless told. */
  readonly maxColumns?: number;
  /** Gives the rows of every piece of the source as it comes, and tells the delimiter from the first one. */
  readonly live?: boolean;
  /** Ends the reading with `E_CANCELLED`. */
  readonly signal?: AbortSignal;
}

const csvOptions = [
  ...badRowOptions,
  ...['delimiter', 'header', 'duplicates', 'chunkRows', 'maxCellBytes', 'maxRowBytes', 'maxColumns', 'live', 'signal'],
];

/** Refuses options that a reader of CSV does not have, and a header that is neither a flag nor names. */
export function checkCsvOptions(owner: string, options: CsvOptions): CsvOptions {
  const { header = true } = requireOptions(owner, csvOptions, options);
  if (typeof header !== 'boolean' && !(Array.isArray(header) && header.every((name) => typeof name === 'string'))) {
    refuse('E_PARAM', `option header is true, false or a list of names; it is ${show(header)}`, { option: 'header' });
  }
  return options;
}

const MiB = 1 << 20;

/** The limits of the options, or the usual ones. */
export function limitsOf(options: CsvOptions): RowLimits {
  return {
    maxCellBytes: wholeOption('maxCellBytes', options.maxCellBytes, 16 * MiB, 1),
    maxRowBytes: wholeOption('maxRowBytes', options.maxRowBytes, 32 * MiB, 1, 256 * MiB),
    maxColumns: wholeOption('maxColumns', options.maxColumns, MiB, 1),
  };
}

/** Refuses what cannot delimit cells. */
export function checkDelimiter(delimiter: string): void {
  if (typeof delimiter === 'string' && /^[^\0"\r\n\u0080-\uffff]$/.test(delimiter)) return;
  const sentence = `option delimiter is one ASCII character, not a quote or a line end; it is ${show(delimiter)}`;
  refuse('E_PARAM', sentence, { option: 'delimiter' });
}
