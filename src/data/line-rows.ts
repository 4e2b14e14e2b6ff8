import type { ErrorCode } from '../errors.ts';
import type { Block } from './blocks.ts';
import { type BadRowOptions, BadRows, badRowOptions, wholeOption } from './faults.ts';
import { LineCursor } from './lines.ts';
import { chunksOf, chunksOfMemory, type MemorySource, type Source } from './source.ts';
import { decodeUtf8, findInvalidUtf8, notUtf8 } from './utf8.ts';

/** How to read a text in which every line is a row; every option may be left out. */
export interface LineOptions extends BadRowOptions {
  /** The longest line: 16 MiB unless told, at most 256 MiB. */
  readonly maxLineBytes?: number;
  /** How many rows are given at once: 4096 unless told, fewer when they are long. */
  readonly chunkRows?: number;
  /** Gives the rows of every piece of the source as it comes, for a terminal or a log that grows. */
  readonly live?: boolean;
  /** Ends the reading with `E_CANCELLED`. */
  readonly signal?: AbortSignal;
}

/** Some rows of a text, each with its line, counted from 1. */
export interface LineChunk<T> {
  readonly rows: readonly T[];
  readonly lines: Float64Array;
}

/** What is wrong with a line, and at which of its bytes. */
export interface LineFault {
  readonly at: number;
  readonly code: ErrorCode;
  readonly reason: string;
}

/** Takes at most one row from the bytes of a line, or tells what is wrong with it. */
export type LineParser<T> = (bytes: Uint8Array, take: (row: T) => void) => LineFault | undefined;

/** The names of `LineOptions`. */
export const lineOptions: readonly string[] = [...badRowOptions, 'chunkRows', 'live', 'maxLineBytes', 'signal'];

const MiB = 1 << 20;

/** How many rows come at once unless told. */
export const CHUNK_ROWS = 4096;
/** How many bytes of rows come at once, and the row that exceeds them. */
export const CHUNK_BYTES: number = 4 * MiB;

/** Reads rows in chunks, in memory that depends on the longest line only. LF, CR and CR LF end a line. */
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

/** Reads rows that are in memory, as one. */
export function parseLineRows<T>(source: MemorySource, options: LineOptions, parse: LineParser<T>): LineChunk<T> {
  const reader = new LineRows({ ...options, live: false }, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, parse);
  for (const chunk of chunksOfMemory(source)) reader.push(chunk).next(); // one result, so nothing comes before the end
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

/** The text of a line, or what is wrong with its bytes. */
export function textOfLine(bytes: Uint8Array): string | LineFault {
  const text = decodeUtf8(bytes);
  if (text === undefined) {
    const at = findInvalidUtf8(bytes);
    return { at, code: 'E_ENCODING', reason: notUtf8(bytes[at]!) };
  }
  const nul = bytes.indexOf(0);
  return nul >= 0 ? { at: nul, ...hasNul } : text;
}

const hasNul = { code: 'E_ENCODING', reason: 'a NUL byte is no text; UTF-16 and binary files cannot be read' } as const;

class LineRows<T> {
  private readonly cursor: LineCursor;
  private readonly parse: LineParser<T>;
  private readonly maxLineBytes: number;
  private readonly chunkRows: number;
  private readonly chunkBytes: number;
  private readonly live: boolean;
  private opened = false;
  private at = 0; // how far the present line has been searched for its end
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

  /** Reads a line or passes over a part of a bad one; false when more bytes are needed. */
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
