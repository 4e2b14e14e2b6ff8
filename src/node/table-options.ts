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

/** The formats in which tables and texts are read. */
export const tableFormats = [
  'csv',
  'tsv',
  'json',
  'jsonl',
  'arff',
  'parquet',
  'folder',
  'mbox',
  'fasttext',
  'text',
] as const;

/** See `tableFormats`. */
export type TableFormat = (typeof tableFormats)[number];

/** A path (`-` is the standard input), the address of a file, or bytes from anywhere. */
export type TableSource = string | URL | Exclude<Source, string>;

/** How far a reading has come. */
export interface TableProgress {
  readonly bytesRead: number;
  /** The size of the file or folder as it lies there; absent where nobody knows it. */
  readonly bytesTotal?: number;
  readonly rows: number;
}

/** How to read a table; every option may be left out. */
export interface OpenTableOptions extends BadRowOptions, GunzipOptions {
  /** Told from the content unless given. */
  readonly format?: TableFormat;
  /** UTF-8, strictly, unless given; UTF-16 is recognised by its byte order mark. */
  readonly encoding?: TextEncoding;
  /** The delimiter of CSV; sniffed unless given. */
  readonly delimiter?: string;
  /** Whether the first row of CSV has the names, or the names themselves; sniffed unless told. */
  readonly header?: boolean | 'sniff' | readonly string[];
  /** What to do with two columns of one name; `'refuse'` unless told. */
  readonly duplicates?: Duplicates;
  /** The columns to read; all unless told. */
  readonly columns?: readonly string[];
  /** How many rows come at once: 4096 unless told, fewer when they are long. */
  readonly batchRows?: number;
  /**
   * About how many bytes a block has: 1 MiB unless given.
   * @internal
   */
  readonly blockBytes?: number;
  /** The longest row, line, file of a folder or message: 16 MiB unless told, for a message 64 MiB. */
  readonly maxRowBytes?: number;
  /** Gives rows as soon as they come; the rule for a terminal. */
  readonly live?: boolean;
  /** Whether a table without a row is refused with `E_EMPTY_INPUT`, which is the rule, or given as it is. */
  readonly empty?: 'refuse' | 'allow';
  /** Ends the reading with `E_CANCELLED`. */
  readonly signal?: AbortSignal;
  /** Is told of every piece that was read. */
  readonly onProgress?: (progress: TableProgress) => void;
  /**
   * Receives the bytes of the source as they are read, before they are unpacked.
   *
   * @internal
   */
  readonly onBytes?: (bytes: Uint8Array) => void;
  /** What messages call a source that has no path. */
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

/** Some rows, each with the line on which it begins; Parquet and folders count rows instead. */
export interface RowChunk {
  readonly rows: DataRow[];
  readonly lines: Float64Array;
}

/** What is known of a table before its rows are read. */
export interface TableFacts {
  /** What messages call it: the last part of its path, or `stdin`. */
  readonly name: string;
  readonly format: TableFormat;
  /** Why it is read in this format, as a part of a sentence. */
  readonly formatReason: string;
  readonly encoding: TextEncoding;
  /** Whether it came in gzip. */
  readonly compressed: boolean;
  /** Of CSV alone. */
  readonly delimiter?: string | undefined;
  /** Of CSV alone: whether its first row has the names. */
  readonly header?: boolean | undefined;
  /** The names of the columns; of JSON Lines the keys of the first rows. */
  readonly columns: readonly string[];
  /** Of CSV with `duplicates: 'number'`: the columns whose name another column had before them, as they are called now. */
  readonly renamed?: readonly string[] | undefined;
}

/** A table that is being read. */
export interface OpenTable extends TableFacts {
  /** The size of the file or folder as it lies there, where anyone knows it. */
  readonly bytesTotal: number | undefined;
  readonly bytesRead: number;
  readonly rowsRead: number;
  /** The rows that were left out so far. */
  readonly rejected: readonly BadRow[];
  /**
   * What reads the blocks on another thread. Undefined where there are none: Parquet, folders, mailboxes, live input, `maxBadRows`.
   * @internal
   */
  readonly layout: BlockLayout | undefined;
  /**
   * Blocks of whole records, which a `BlockReader` reads; they have all rows but the header. Only where there is a layout.
   * @internal
   */
  blocks(): AsyncGenerator<Block, void, undefined>;
  /**
   * Lets the memory of a block, or its bytes that came back from a worker, be used for another one.
   * @internal
   */
  release(block: Pick<Block, 'bytes'>): void;
  /** The rows as columns, some thousand rows at a time. A table is valid until the next one is asked for. */
  tables(): AsyncGenerator<BlockTable, void, undefined>;
  /** The rows with their lines; a table is read once, by this, `batches` or `tables`. */
  chunks(): AsyncGenerator<RowChunk, void, undefined>;
  /** The rows. */
  batches(): AsyncGenerator<DataRow[], void, undefined>;
  /** Lets go of the file; only needed where the rows were not read to their end. */
  close(): Promise<void>;
}
