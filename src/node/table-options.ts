import type { Block, BlockLayout } from '../data/blocks.ts';
import type { DataRow } from '../data/cells.ts';
import type { BlockTable } from '../data/column-table.ts';
import type { Duplicates } from '../data/csv-header.ts';
import type { TextEncoding } from '../data/encoding.ts';
import type { BadRow, BadRowOptions } from '../data/faults.ts';
import { badRowOptions } from '../data/faults.ts';
import type { Source } from '../data/source.ts';
import type { GunzipOptions } from './gzip.ts';
import { gunzipOptions } from './gzip.ts';

/** The supported formats of tables and texts. */
export const tableFormats = [
  'csv',
  'tsv',
  'json',
  'jsonl',
  'arff',
  'parquet',
  'xlsx',
  'folder',
  'mbox',
  'fasttext',
  'text',
] as const;

/** See `tableFormats`. */
export type TableFormat = (typeof tableFormats)[number];

/** A path (`-` is the standard input), a file URL, or bytes from any source. */
export type TableSource = string | URL | Exclude<Source, string>;

/** Progress of reading. */
export interface TableProgress {
  readonly bytesRead: number;
  /** The size of the file or folder on disk; undefined if unknown. */
  readonly bytesTotal?: number;
  readonly rows: number;
}

/** How to read a table. */
export interface OpenTableOptions extends BadRowOptions, GunzipOptions {
  /** The format. Default: detected from the content. */
  readonly format?: TableFormat;
  /** The encoding. Default: UTF-8, strictly; UTF-16 is detected by its byte order mark. */
  readonly encoding?: TextEncoding;
  /** The delimiter of CSV. Default: detected. */
  readonly delimiter?: string;
  /** Whether the first row of CSV has the names, or the names themselves. Default: detected. */
  readonly header?: boolean | 'sniff' | readonly string[];
  /** The sheet of an Excel workbook. Default: the first visible one. */
  readonly sheet?: string;
  /** What to do with two columns of the same name. Default: `'refuse'`, an error. */
  readonly duplicates?: Duplicates;
  /** The columns to read. Default: all. */
  readonly columns?: readonly string[];
  /** The number of rows per batch. Default: 4096, or fewer if they are long. */
  readonly batchRows?: number;
  /**
   * The approximate size of a block in bytes. Default: 1 MiB.
   *
   * @internal
   */
  readonly blockBytes?: number;
  /** The maximum size of a row, line, file of a folder or message. Default: 16 MiB, for a message 64 MiB. */
  readonly maxRowBytes?: number;
  /** Returns rows as soon as they arrive. Default: true for a terminal. */
  readonly live?: boolean;
  /** What to do with a table without rows: `'refuse'` throws `E_EMPTY_INPUT`. Default: `'refuse'`. */
  readonly empty?: 'refuse' | 'allow';
  /** Aborts reading with `E_CANCELLED`. Default: none. */
  readonly signal?: AbortSignal;
  /** Called after every piece that was read. Default: none. */
  readonly onProgress?: (progress: TableProgress) => void;
  /** Receives the bytes of the source as they are read, before decompression. Default: none. */
  readonly onBytes?: (bytes: Uint8Array) => void;
  /** The name in messages of a source without a path. Default: `stdin` or `the source`. */
  readonly name?: string;
}

/** The names of `OpenTableOptions`. */
export const tableOptions: readonly string[] = [
  ...badRowOptions,
  ...gunzipOptions,
  ...[
    'format',
    'encoding',
    'delimiter',
    'header',
    'sheet',
    'duplicates',
    'columns',
    'batchRows',
    'blockBytes',
    'maxRowBytes',
    'live',
    'empty',
  ],
  ...['signal', 'onProgress', 'onBytes', 'name'],
];

/** Some rows, each with the line on which it begins; for Parquet and folders, row numbers. */
export interface RowChunk {
  readonly rows: DataRow[];
  readonly lines: Float64Array;
}

/** A sheet of an Excel workbook. */
export interface SheetFacts {
  readonly name: string;
  /** The names of the other sheets. */
  readonly others: readonly string[];
  /** The letter of each column. */
  readonly letters: Readonly<Record<string, string>>;
}

/** The properties of a table, known before its rows are read. */
export interface TableFacts {
  /** The name in messages: the last part of its path, or `stdin`. */
  readonly name: string;
  readonly format: TableFormat;
  /** Why it is read in this format, as part of a sentence. */
  readonly formatReason: string;
  readonly encoding: TextEncoding;
  /** Whether it was compressed with gzip. */
  readonly compressed: boolean;
  /** Only for CSV. */
  readonly delimiter?: string | undefined;
  /** Only for Excel workbooks. */
  readonly sheet?: SheetFacts | undefined;
  /** Only for CSV and Excel: whether the first row has the names. */
  readonly header?: boolean | undefined;
  /** The names of the columns; for JSON Lines, the keys of the first rows. */
  readonly columns: readonly string[];
  /** Only for CSV and Excel with `duplicates: 'number'`: the new names of renamed columns. */
  readonly renamed?: readonly string[] | undefined;
}

/** An open table. */
export interface OpenTable extends TableFacts {
  /** The size of the file or folder on disk; undefined if unknown. */
  readonly bytesTotal: number | undefined;
  readonly bytesRead: number;
  readonly rowsRead: number;
  /** The rows skipped so far. */
  readonly rejected: readonly BadRow[];
  /**
   * The layout for reading blocks on another thread. Undefined if there are none: Parquet, Excel, folders, mailboxes, live
   * input, `maxBadRows`.
   *
   * @internal
   */
  readonly layout: BlockLayout | undefined;
  /**
   * Blocks of whole records for a `BlockReader`: all rows except the header. Only if there is a layout.
   *
   * @internal
   */
  blocks(): AsyncGenerator<Block, void, undefined>;
  /**
   * Releases the memory of a block, or its bytes returned by a worker, for reuse.
   *
   * @internal
   */
  release(block: Pick<Block, 'bytes'>): void;
  /** The rows as columns, some thousand rows at a time. A table is valid until the next one is requested. */
  tables(): AsyncGenerator<BlockTable, void, undefined>;
  /** The rows with their lines; a table is read once, by this, `batches` or `tables`. */
  chunks(): AsyncGenerator<RowChunk, void, undefined>;
  /** The rows. */
  batches(): AsyncGenerator<DataRow[], void, undefined>;
  /** Closes the file; only needed if the rows were not read to the end. */
  close(): Promise<void>;
}
