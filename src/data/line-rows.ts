import type { ErrorCode } from '../errors.ts';
import type { Block } from './blocks.ts';
import { type BadRowOptions, BadRows, badRowOptions, wholeOption } from './faults.ts';
import { LineCursor } from './lines.ts';
import { chunksOf, chunksOfMemory, type MemorySource, type Source } from './source.ts';
import { decodeUtf8, findInvalidUtf8, notUtf8 } from './utf8.ts';

/** How to read a text with one row per line. */
export interface LineOptions extends BadRowOptions {
  /** The maximum size of a line in bytes, at most 256 MiB. Default: 16 MiB. */
  readonly maxLineBytes?: number;
  /** The number of rows per chunk. Default: 4096, or fewer if they are long. */
  readonly chunkRows?: number;
  /** Returns the rows of every piece of the source as it arrives, for a terminal or a growing log. Default: false. */
  readonly live?: boolean;
  /** Aborts reading with `E_CANCELLED`. Default: none. */
  readonly signal?: AbortSignal;
}

/** Some rows of a text, each with its line, counted from 1. */
export interface LineChunk<T> {
  readonly rows: readonly T[];
  readonly lines: Float64Array;
}

/** An error of a line, and the index of its byte. */
export interface LineFault {
  readonly at: number;
  readonly code: ErrorCode;
  readonly reason: string;
}

/** Parses at most one row from the bytes of a line, or returns the error. */
export type LineParser<T> = (bytes: Uint8Array, take: (row: T) => void) => LineFault | undefined;

/** The names of `LineOptions`. */
export const lineOptions: readonly string[] = [...badRowOptions, 'chunkRows', 'live', 'maxLineBytes', 'signal'];

const MiB = 1 << 20;

/** The default number of rows per chunk. */
export const CHUNK_ROWS = 4096;
/** The number of bytes after which a chunk ends. */
export const CHUNK_BYTES: number = 4 * MiB;

/** Reads rows in chunks, in memory that depends only on the longest line. LF, CR and CR LF end a line. */
export async function* readLineRows<T>(
  source: Source,
  options: LineOptions,
  parse: LineParser<T>,
): AsyncGenerator<LineChunk<T>, void, undefined> {
  const chunkRows = wholeOption('chunkRows', options.chunkRows, CHUNK_ROWS, 1);
  const reader = new LineRows(options, chunkRows, CHUNK_BYTES, parse);
  for await (const chunk of chunksOf(source, options.signal)) yield* reader.push(chunk);
  yield* reader.end();
}

/** Reads rows from memory, at once. */
export function parseLineRows<T>(source: MemorySource, options: LineOptions, parse: LineParser<T>): LineChunk<T> {
  const reader = new LineRows({ ...options, live: false }, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, parse);
  for (const chunk of chunksOfMemory(source)) reader.push(chunk).next(); // one result, so nothing is returned before the end
  return reader.end().next().value ?? { rows: [], lines: new Float64Array() };
}

/** Reads the rows of a block. */
export function parseBlockRows<T>(block: Block, options: LineOptions, parse: LineParser<T>): LineChunk<T> {
  const reader = new LineRows(options, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, parse);
  reader.startAt(block);
  reader.push(block.bytes).next();
  return reader.end().next().value ?? { rows: [], lines: new Float64Array() };
}

/** The longest line under these options. */
export function longestLine({ maxLineBytes }: LineOptions): number {
  return wholeOption('maxLineBytes', maxLineBytes, 16 * MiB, 1, 256 * MiB);
}

/** The text of a line, or the error of its bytes. */
export function textOfLine(bytes: Uint8Array): string | LineFault {
  const text = decodeUtf8(bytes);
  if (text === undefined) {
    const at = findInvalidUtf8(bytes);
    return { at, code: 'E_ENCODING', reason: notUtf8(bytes[at]!) };
  }
  const nul = bytes.indexOf(0);
  return nul >= 0 ? { at: nul, ...hasNul } : text;
}

const hasNul = {
  code: 'E_ENCODING',
  reason: 'NUL bytes are not text; UTF-16 and binary files cannot be read',
} as const;

class LineRows<T> {
  private readonly cursor: LineCursor;
  private readonly parse: LineParser<T>;
  private readonly maxLineBytes: number;
  private readonly chunkRows: number;
  private readonly chunkBytes: number;
  private readonly live: boolean;
  private opened = false;
  private at = 0; // how far the current line has been searched for its end
  private rows: T[] = [];
  private lines: number[] = [];
  private bytes = 0;
  private readonly take = (row: T): void => {
    this.rows.push(row);
    this.lines.push(this.cursor.line);
  };

  constructor(options: LineOptions, chunkRows: number, chunkBytes: number, parse: LineParser<T>) {
    this.cursor = new LineCursor(new BadRows(options));
    this.maxLineBytes = longestLine(options);
    this.chunkRows = chunkRows;
    this.chunkBytes = chunkBytes;
    this.live = options.live ?? false;
    this.parse = parse;
  }

  startAt(block: Block): void {
    this.cursor.startAt(block);
    this.opened = true;
  }

  *push(chunk: Uint8Array): Generator<LineChunk<T>, void, undefined> {
    this.cursor.window.push(chunk);
    if (this.opened || this.cursor.knowsMark) yield* this.read(false);
    if (this.live && this.lines.length > 0) yield this.give();
  }

  *end(): Generator<LineChunk<T>, void, undefined> {
    yield* this.read(true);
    if (this.lines.length > 0) yield this.give();
  }

  private *read(last: boolean): Generator<LineChunk<T>, void, undefined> {
    if (!this.opened) this.cursor.readMark();
    this.opened = true;
    while (this.cursor.window.size > 0 || this.cursor.skipping) {
      if (!this.readLine(last)) return;
      const full = this.lines.length >= this.chunkRows || this.bytes >= this.chunkBytes;
      if (full && this.lines.length > 0) yield this.give();
    }
  }

  /** Reads a line or skips a part of a bad one; false if more bytes are needed. */
  private readLine(last: boolean): boolean {
    const { cursor, at } = this;
    if (cursor.skipping) {
      cursor.skip(last);
      return !cursor.skipping;
    }
    if (at === 0) cursor.settle();
    const length = cursor.findEnd(at);
    if (length > this.maxLineBytes) this.leaveLong();
    else if (length === cursor.window.size && !last) this.at = length;
    else {
      this.at = 0;
      this.readRow(length);
      cursor.passLine(length);
    }
    return this.at === 0;
  }

  private leaveLong(): void {
    this.at = 0;
    const limit = this.maxLineBytes;
    const reason = `the line is longer than ${limit} bytes; raise maxLineBytes if it should be`;
    this.cursor.leaveLine({ ...this.cursor.place(0), code: 'E_LIMIT', reason, details: { limit } });
  }

  private readRow(length: number): void {
    const fault = this.parse(this.cursor.window.view(0, length), this.take);
    this.bytes += length;
    if (fault === undefined) return;
    const { at, code, reason } = fault;
    this.cursor.leaveRow(length, { ...this.cursor.place(at), code, reason });
  }

  private give(): LineChunk<T> {
    const { rows, lines } = this;
    this.rows = [];
    this.lines = [];
    this.bytes = 0;
    return { rows, lines: Float64Array.from(lines) };
  }
}
