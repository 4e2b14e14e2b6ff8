import { CellBounds, QUOTE } from './csv-cells.ts';
import { type Complaint, complaints } from './csv-faults.ts';
import { CR, LF } from './line-ends.ts';
import type { LineCursor } from './lines.ts';

/** The limits of a row. */
export interface RowLimits {
  readonly maxCellBytes: number;
  readonly maxRowBytes: number;
  readonly maxColumns: number;
}

const SPACE = 32;
const TAB = 9;

// The class of a byte within an unquoted cell.
const ORDINARY = 0;
const DELIMITS = 1;
const OPENS = 2;
const ENDS_ROW = 3;
const NUL = 4;

// The states of the scanner.
const PLAIN = 0; // in an unquoted cell, or at the beginning of a cell
const QUOTED = 1; // between the quotes
const CLOSED = 2; // after a quote that closes the cell unless another quote follows directly
const PADDED = 3; // after the closing quote and a blank

/** Scans bytes for rows of cells, RFC 4180 (2005), §2: one row at a time; cells are decoded on request. */
export class CsvRows {
  /** The cells of the current row. */
  readonly bounds: CellBounds = new CellBounds();
  private readonly cursor: LineCursor;
  /** The length of the current row in bytes, without its line end. */
  length = 0;
  private readonly limits: RowLimits;
  private readonly delimiter: number;
  private readonly kinds = new Uint8Array(256);
  private state = PLAIN;
  private at = 0; // the next byte to read, relative to the start of the row
  private cellStart = 0; // of the current cell, including its opening quote
  private closing = 0; // the last quote in the current cell
  private doubled = false;
  private breaks = 0; // line ends inside quotes in the current row
  private complete = false;

  constructor(cursor: LineCursor, delimiter: number, limits: RowLimits) {
    this.cursor = cursor;
    this.delimiter = delimiter;
    this.limits = limits;
    this.kinds[0] = NUL;
    this.kinds[LF] = ENDS_ROW;
    this.kinds[CR] = ENDS_ROW;
    this.kinds[QUOTE] = OPENS;
    this.kinds[delimiter] = DELIMITS;
  }

  /** Advances to the next row that is not blank; false if more bytes are needed or, with `last`, if all are read. */
  next(last: boolean): boolean {
    this.leave();
    const { window } = this.cursor;
    for (;;) {
      while (this.at < window.size) {
        if (this.cursor.skipping) {
          if (!this.cursor.skip(last)) return false;
        } else if (this.scan()) {
          if (this.length > 0) return true;
          this.pass(); // a blank line
        }
      }
      if (this.overflows(this.at)) continue;
      if (!last) return false;
      if (this.cursor.skipping) this.cursor.skip(last);
      else if (this.at === 0) return false;
      else if (this.state === QUOTED) this.fail(complaints.unclosed(), this.cellStart);
      else if (this.closeCell(this.at)) return this.finish();
    }
  }

  /** Steps over the current row. */
  leave(): void {
    if (this.complete) this.pass();
  }

  private scan(): boolean {
    if (this.at === 0) this.cursor.settle();
    if (this.state === PLAIN) return this.scanPlain();
    return this.state === QUOTED ? this.scanQuoted() : this.scanClosed();
  }

  private scanPlain(): boolean {
    const { bytes, start, end } = this.cursor.window;
    const { kinds } = this;
    for (let i = start + this.at; i < end; i++) {
      const kind = kinds[bytes[i]!]!;
      if (kind === ORDINARY) continue;
      if (kind === DELIMITS) {
        if (!this.closeCell(i - start)) return false;
      } else if (kind === OPENS) {
        if (i - start !== this.cellStart) continue; // a quote inside an unquoted cell is an ordinary character
        this.state = QUOTED;
        this.at = i - start + 1;
        return false;
      } else if (kind === ENDS_ROW) {
        return this.closeCell(i - start) && this.finish();
      } else {
        return this.failNul(i - start);
      }
    }
    this.at = end - start;
    return false;
  }

  private scanQuoted(): boolean {
    const { bytes, start, end } = this.cursor.window;
    for (let i = start + this.at; i < end; i++) {
      const byte = bytes[i]!;
      if (byte > QUOTE) continue; // every byte that matters here is at most a quote
      if (byte === QUOTE) {
        this.state = CLOSED;
        this.closing = i - start;
        this.at = i - start + 1;
        return false;
      }
      if (byte === CR || (byte === LF && bytes[i - 1] !== CR)) this.breaks++;
      else if (byte === 0) return this.failNul(i - start);
    }
    this.at = end - start;
    return false;
  }

  private scanClosed(): boolean {
    const byte = this.cursor.window.bytes[this.cursor.window.start + this.at]!;
    if (byte === QUOTE && this.state === CLOSED) {
      this.doubled = true;
      this.state = QUOTED;
    } else if (byte === this.delimiter) {
      this.closeCell(this.at);
      return false;
    } else if (byte === LF || byte === CR) {
      return this.closeCell(this.at) && this.finish();
    } else if (byte === SPACE || byte === TAB) {
      this.state = PADDED;
    } else {
      return byte === 0 ? this.failNul(this.at) : this.failTail();
    }
    this.at++;
    return false;
  }

  /** Ends the current cell before byte `at`; returns false if the row has failed. */
  private closeCell(at: number): boolean {
    const { limits, bounds } = this;
    if (at - this.cellStart > limits.maxCellBytes || at > limits.maxRowBytes) return !this.overflows(at);
    if (bounds.count === limits.maxColumns) return this.fail(complaints.wideRow(bounds.count), this.cellStart);
    if (this.state === PLAIN) bounds.add(this.cellStart, at, false);
    else bounds.add(this.cellStart + 1, this.closing, this.doubled);
    this.state = PLAIN;
    this.doubled = false;
    this.cellStart = at + 1;
    this.at = at + 1;
    return true;
  }

  private finish(): boolean {
    this.length = this.at - 1;
    return (this.complete = true);
  }

  private pass(): void {
    this.cursor.passLine(this.length, this.breaks);
    this.restart();
  }

  private restart(): void {
    this.complete = this.doubled = false;
    this.state = PLAIN;
    this.at = this.cellStart = this.breaks = this.bounds.count = 0;
  }

  /** Fails the row if `at` bytes exceed the limits, with the limit that was exceeded first. */
  private overflows(at: number): boolean {
    const { maxCellBytes, maxRowBytes } = this.limits;
    const cellFirst = at - this.cellStart > maxCellBytes && this.cellStart + maxCellBytes <= maxRowBytes;
    if (!cellFirst && at <= maxRowBytes) return false;
    if (!cellFirst) this.fail(complaints.longRow(maxRowBytes), 0);
    else if (this.state === PLAIN) this.fail(complaints.longCell(maxCellBytes), this.cellStart);
    else this.fail(complaints.longQuote(maxCellBytes), this.cellStart);
    return true;
  }

  /** Text after a closing quote; if that quote is on a later line, the error is the opening one. */
  private failTail(): false {
    if (this.overflows(this.at)) return false;
    const next = this.cursor.place(this.closing);
    if (next.line === this.cursor.place(this.cellStart).line) return this.fail(complaints.tail(), this.at);
    return this.fail(complaints.forgotten(next), this.cellStart);
  }

  private failNul(at: number): false {
    return this.overflows(at) ? false : this.fail(complaints.nul(), at);
  }

  /**
   * Skips only the first line of the row: the position of the wrong quote is unknown, but the next line may be valid.
   */
  private fail(complaint: Complaint, at: number): false {
    this.restart();
    this.cursor.leaveLine({ ...this.cursor.place(at), ...complaint });
    return false;
  }
}
