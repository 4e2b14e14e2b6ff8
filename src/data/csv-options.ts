import { refuse, show } from '../errors.ts';
import { requireOptions } from './arguments.ts';
import type { Duplicates } from './csv-header.ts';
import type { RowLimits } from './csv-rows.ts';
import { type BadRowOptions, badRowOptions, wholeOption } from './faults.ts';

/** How to read a text table. */
export interface CsvOptions extends BadRowOptions {
  /** One ASCII character. Default: detected among comma, tab, semicolon and bar. */
  readonly delimiter?: string;
  /** Whether the first row has the names, or the names of a table without a header. Default: true. */
  readonly header?: boolean | readonly string[];
  /** What to do with two columns of the same name. Default: `'refuse'`, an error. */
  readonly duplicates?: Duplicates;
  /** The number of rows per chunk of `readCsv`. Default: 4096, or fewer if they are long. */
  readonly chunkRows?: number;
  /** The maximum size of a cell in bytes, including quotes. Default: 16 MiB. */
  readonly maxCellBytes?: number;
  /** The maximum size of a row in bytes, at most 256 MiB. Default: 32 MiB. */
  readonly maxRowBytes?: number;
  /** The maximum number of columns. Default: 1,048,576. */
  readonly maxColumns?: number;
  /**
   * Returns the rows of every piece of the source as it arrives, and detects the delimiter from the first one. Default:
   * false.
   */
  readonly live?: boolean;
  /** Aborts reading with `E_CANCELLED`. Default: none. */
  readonly signal?: AbortSignal;
}

const csvOptions = [
  ...badRowOptions,
  ...['delimiter', 'header', 'duplicates', 'chunkRows', 'maxCellBytes', 'maxRowBytes', 'maxColumns', 'live', 'signal'],
];

/** Throws for unknown options, and for a header that is neither a boolean nor names. */
export function checkCsvOptions(owner: string, options: CsvOptions): CsvOptions {
  const { header = true } = requireOptions(owner, csvOptions, options);
  if (typeof header !== 'boolean' && !(Array.isArray(header) && header.every((name) => typeof name === 'string'))) {
    refuse('E_PARAM', `option header is true, false or a list of names; it is ${show(header)}`, { option: 'header' });
  }
  return options;
}

const MiB = 1 << 20;

/** The limits of the options, or the defaults. */
export function limitsOf(options: CsvOptions): RowLimits {
  return {
    maxCellBytes: wholeOption('maxCellBytes', options.maxCellBytes, 16 * MiB, 1),
    maxRowBytes: wholeOption('maxRowBytes', options.maxRowBytes, 32 * MiB, 1, 256 * MiB),
    maxColumns: wholeOption('maxColumns', options.maxColumns, MiB, 1),
  };
}

/** Throws if a character cannot be a delimiter. */
export function checkDelimiter(delimiter: string): void {
  if (typeof delimiter === 'string' && /^[^\0"\r\n\u0080-\uffff]$/.test(delimiter)) return;
  const sentence = `option delimiter is one ASCII character, not a quote or a line end; it is ${show(delimiter)}`;
  refuse('E_PARAM', sentence, { option: 'delimiter' });
}
