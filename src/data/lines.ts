import { ByteWindow } from './bytes.ts';
import { type Excerpt, excerptOf, HISTORY_BYTES, LOOKAHEAD_BYTES } from './excerpt.ts';
import type { BadRows, Fault, Place } from './faults.ts';
import { CR, LF } from './line-ends.ts';
import { isContinuation, showUtf8 } from './utf8.ts';

const MARK_BYTES = 4;
const MOST_TEXT = 1 << 16;
const UTF8_MARK = [0xef, 0xbb, 0xbf];

/** The bytes of a text with the line number of the first of them; can skip a bad line. */
export class LineCursor {
  readonly window: ByteWindow = new ByteWindow();
  readonly bad: BadRows;
  /** The number of the line at `window.start`. */
  line = 1;
  private fault: Fault | undefined;
  private refusing = false;
  private kept: Uint8Array[] = [];
  private keptLength = 0;
  private afterCr = false;

  constructor(bad: BadRows) {
    this.bad = bad;
  }

  /** Whether there are enough bytes to detect a byte order mark. */
  get knowsMark(): boolean {
    const { bytes, start, size } = this.window;
    return size >= MARK_BYTES || (size > 0 && bytes[start]! < UTF8_MARK[0]!);
  }

  /**
   * Drops the UTF-8 byte order mark and throws for those of UTF-16; called once, when `knowsMark` or at the end of
   * input.
   */
  readMark(): void {
    const { window } = this;
    const [first, second] = window.view(0, 2);
    if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
      const reason = 'the text is UTF-16; save it as UTF-8';
      this.bad.refuse({ ...this.place(0), code: 'E_ENCODING', reason });
    }
    if (UTF8_MARK.every((byte, i) => window.view(i, 1)[0] === byte)) window.start += UTF8_MARK.length;
  }

  /** Begins inside a text, at the beginning of a line. */
  startAt({ line, offset, before }: { line: number; offset: number; before: Uint8Array }): void {
    this.line = line;
    this.window.startAt(offset, before);
  }

  /** The position of the byte `from` bytes after the window's start. */
  place(from: number): Place {
    const before = this.window.view(0, from);
    let line = this.line;
    let column = 1;
    for (let i = 0; i < before.length; i++) {
      const byte = before[i]!;
      if (byte === CR || (byte === LF && before[i - 1] !== CR)) line++;
      if (byte === CR || byte === LF) column = 1;
      else if (!isContinuation(byte)) column++;
    }
    return { line, column, offset: this.window.offset + from };
  }

  /**
   * At the beginning of a line, skips the LF of a CR LF whose CR was already read; returns whether there were enough
   * bytes to decide.
   */
  settle(): boolean {
    if (!this.afterCr) return true;
    if (this.window.size === 0) return false;
    this.afterCr = false;
    if (this.window.bytes[this.window.start] === LF) this.window.start++;
    return true;
  }

  /**
   * The distance from the window's start to the first line end, or to the end of the bytes; the first `from` bytes have
   * none.
   */
  findEnd(from: number): number {
    const { bytes, start, end } = this.window;
    let i = start + from;
    while (i < end && bytes[i] !== LF && bytes[i] !== CR) i++;
    return i - start;
  }

  /** Steps over a row of `length` bytes, the line end after it and `breaks` line ends inside it. */
  passLine(length: number, breaks = 0): void {
    const { window } = this;
    const ended = length < window.size; // the last line may have no line end
    this.afterCr = ended && window.bytes[window.start + length] === CR;
    this.line += breaks + 1;
    window.start += ended ? length + 1 : length;
  }

  /** Whether a bad line is being skipped. */
  get skipping(): boolean {
    return this.fault !== undefined;
  }

  /** Begins to skip the line at the window's start, or to throw its error, as `skip` then does. */
  leaveLine(fault: Fault): void {
    this.fault = fault;
    this.refusing = !this.bad.admits;
  }

  /**
   * Continues to skip the bad line as far as the bytes reach; `last` at the end of input. Before an error is thrown,
   * waits for enough bytes to show the line; returns false meanwhile.
   */
  skip(last: boolean): boolean {
    if (this.refusing) {
      if (!last && !this.canShow(this.fault!)) return false;
      this.bad.refuse(this.fault!, this.excerpt(this.fault!));
    }
    const length = this.findEnd(0);
    const ended = length < this.window.size;
    this.keep(this.window.view(0, Math.min(length, MOST_TEXT - this.keptLength)).slice());
    if (ended) this.passLine(length);
    else this.window.start = this.window.end;
    if (ended || last) this.endSkip();
    return true;
  }

  /** Whether the line of an error is available to its end, or far enough after the error. */
  private canShow({ offset }: Fault): boolean {
    const from = offset - this.window.offset;
    const end = this.findEnd(from);
    return end < this.window.size || end - from >= LOOKAHEAD_BYTES;
  }

  private excerpt({ offset, line }: Fault): Excerpt {
    const { bytes, start, end } = this.window;
    const at = start + offset - this.window.offset;
    return excerptOf(bytes.subarray(0, end), Math.max(0, start - HISTORY_BYTES + 1), at, line);
  }

  private keep(bytes: Uint8Array): void {
    if (bytes.length > 0) this.kept.push(bytes);
    this.keptLength += bytes.length;
  }

  private endSkip(): void {
    const text = new Uint8Array(this.keptLength);
    let at = 0;
    for (const part of this.kept) {
      text.set(part, at);
      at += part.length;
    }
    const fault = this.fault!;
    this.fault = undefined;
    this.kept = [];
    this.keptLength = 0;
    this.bad.leaveOut(fault, showUtf8(text));
  }

  /** Throws for, or skips, the whole row of `length` bytes at the window's start; the caller then steps over it. */
  leaveRow(length: number, fault: Fault): void {
    if (!this.bad.admits) this.bad.refuse(fault, this.excerpt(fault));
    this.bad.leaveOut(fault, showUtf8(this.window.view(0, Math.min(length, MOST_TEXT))));
  }
}
