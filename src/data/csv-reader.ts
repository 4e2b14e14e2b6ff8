import type { Block } from './blocks.ts';
import { SAMPLE_BYTES, sniffDelimiter } from './csv-delimiter.ts';
import { type Complaint, complaints } from './csv-faults.ts';
import { type Duplicates, givenNames, numberedNames, uniqueNames } from './csv-header.ts';
import { type CsvOptions, checkDelimiter, limitsOf } from './csv-options.ts';
import { CsvRows, type RowLimits } from './csv-rows.ts';
import { BadRows } from './faults.ts';
import { LineCursor } from './lines.ts';
import type { Table } from './table.ts';
import { decodeUtf8, findInvalidUtf8 } from './utf8.ts';

/**
 * Parses bytes into tables: finds the byte order mark, the delimiter and the header, then gathers rows into chunks of
 * the requested size.
 */
export class CsvReader {
  readonly cursor: LineCursor;
  private readonly limits: RowLimits;
  private readonly header: boolean | readonly string[];
  private readonly duplicates: Duplicates;
  private readonly chunkRows: number;
  private readonly chunkBytes: number;
  private readonly live: boolean;
  /** Known once `begin` has returned true. */
  delimiter: string | undefined;
  /** See `delimiter`. */
  columns: readonly string[] | undefined;
  /** The columns that were renamed because an earlier column has the same name. */
  renamed: readonly string[] = [];
  private scanner: CsvRows | undefined;
  private ahead = false; // whether the scanner is at an unread row
  private cells: string[] = [];
  private lines: number[] = [];
  private bytes = 0;
  private gaveOne = false;

  constructor(options: CsvOptions, chunkRows: number, chunkBytes: number) {
    this.cursor = new LineCursor(new BadRows(options));
    this.limits = limitsOf(options);
    this.header = options.header ?? true;
    this.duplicates = options.duplicates ?? 'refuse';
    this.delimiter = options.delimiter;
    this.chunkRows = chunkRows;
    this.chunkBytes = chunkBytes;
    this.live = options.live ?? false;
    if (this.delimiter !== undefined) checkDelimiter(this.delimiter);
    if (typeof this.header !== 'boolean') this.columns = givenNames(this.header, this.duplicates);
    this.cursor.bad.lenient = this.header !== true;
  }

  /**
   * Reads up to the first row, so that the delimiter and the columns are known; `last` if no more bytes will follow.
   * Returns false if more are needed. The cursor is then at the first row.
   */
  begin(last: boolean): boolean {
    if (!last && !this.isReady()) return false;
    this.scanner ??= this.open();
    if (this.columns === undefined) {
      if (!this.scanner.next(last)) return last;
      if (this.header === true) {
        this.readHeader(this.scanner);
        this.scanner.leave();
      } else {
        this.columns = numberedNames(this.scanner.bounds.count);
        this.ahead = true;
      }
    }
    return this.cursor.settle() || last;
  }

  /** Begins at a block instead of the beginning of the text; the options must give the delimiter and the names. */
  startAt(block: Block): void {
    this.cursor.startAt(block);
    this.scanner = new CsvRows(this.cursor, this.delimiter!.charCodeAt(0), this.limits);
  }

  /** Takes a chunk of bytes and returns the tables that are full. */
  *push(chunk: Uint8Array): Generator<Table, void, undefined> {
    this.cursor.window.push(chunk);
    // The byte order mark and the delimiter are read from the same bytes, wherever the source is split.
    if (this.isReady()) yield* this.read(false);
    if (this.live && (this.lines.length > 0 || (!this.gaveOne && this.columns !== undefined))) yield this.take();
  }

  private isReady(): boolean {
    if (this.scanner !== undefined) return true;
    const { window, knowsMark } = this.cursor;
    return this.live || this.delimiter !== undefined ? knowsMark : window.size >= SAMPLE_BYTES;
  }

  /** Returns the rest; for an empty source one empty table. */
  *end(): Generator<Table, void, undefined> {
    yield* this.read(true);
    if (this.lines.length > 0 || !this.gaveOne) yield this.take();
  }

  /** Takes the rest of the bytes and returns all tables. */
  async *readAll(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Table, void, undefined> {
    if (this.scanner !== undefined) yield* this.push(new Uint8Array()); // the rest from `begin`
    for await (const piece of pieces) yield* this.push(piece);
    yield* this.end();
  }

  private *read(last: boolean): Generator<Table, void, undefined> {
    this.scanner ??= this.open();
    while (this.ahead || this.scanner.next(last)) {
      this.ahead = false;
      if (this.columns === undefined && this.header === true) this.readHeader(this.scanner);
      else this.readRow(this.scanner);
      if (this.lines.length >= this.chunkRows || this.bytes >= this.chunkBytes) yield this.take();
    }
  }

  private open(): CsvRows {
    const { window } = this.cursor;
    this.cursor.readMark();
    this.delimiter ??= sniffDelimiter(window.view(0, Math.min(window.size, SAMPLE_BYTES)));
    return new CsvRows(this.cursor, this.delimiter.charCodeAt(0), this.limits);
  }

  private readHeader(row: CsvRows): void {
    const names: string[] = [];
    this.append(row, names);
    const columns = uniqueNames(names, this.duplicates);
    this.columns = columns;
    this.renamed = columns.filter((name, j) => name !== names[j]);
    this.cursor.bad.lenient = true;
  }

  private readRow(row: CsvRows): void {
    this.columns ??= numberedNames(row.bounds.count);
    const { count } = row.bounds;
    const expected = this.columns.length;
    if (count !== expected) {
      // The error is at the first extra cell, or at the end if one is missing.
      const at = count > expected ? row.bounds.startOf(expected) : row.length;
      this.leaveOut(row, complaints.ragged(count, expected), at);
    } else if (this.append(row, this.cells)) {
      this.lines.push(this.cursor.line);
      this.bytes += row.length;
    }
  }

  /** Appends the cells of a row to a list; if its bytes are not UTF-8, skips the row and returns false. */
  private append(row: CsvRows, cells: string[]): boolean {
    const bytes = this.cursor.window.view(0, row.length);
    const text = decodeUtf8(bytes);
    const bad = text === undefined ? findInvalidUtf8(bytes) : -1;
    if (text === undefined) this.leaveOut(row, complaints.encoding(bytes[bad]!), bad);
    else row.bounds.append(bytes, text, cells);
    return text !== undefined;
  }

  private leaveOut(row: CsvRows, complaint: Complaint, at: number): void {
    this.cursor.leaveRow(row.length, { ...this.cursor.place(at), ...complaint });
  }

  private take(): Table {
    const { columns = [], cells, lines, delimiter = ',' } = this;
    this.cells = [];
    this.lines = [];
    this.bytes = 0;
    this.gaveOne = true;
    return { columns, rows: lines.length, cells, lines: Float64Array.from(lines), delimiter };
  }
}
