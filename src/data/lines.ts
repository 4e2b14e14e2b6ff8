import { ByteWindow } from './bytes.ts';
import type { BadRows, Fault, Place } from './faults.ts';
import { isContinuation, showUtf8 } from './utf8.ts';

/** The bytes of the two line ends; CR LF is one line end too. */
export const LF = 10;
/** See `LF`. */
export const CR = 13;

/** How many bytes have to be at hand to read the mark of an encoding. */
export const MARK_BYTES = 4;

const MOST_TEXT = 1 << 16;
const UTF8_MARK = [0xef, 0xbb, 0xbf];

/** The bytes of a text with the line number of the first of them, and the way past a bad line. */
export class LineCursor {
  readonly window: ByteWindow = new ByteWindow();
  readonly bad: BadRows;
  /** The number of the line at `window.start`. */
  line = 1;
  private fault: Fault | undefined;
  private kept: Uint8Array[] = [];
  private keptLength = 0;
  private afterCr = false;

  constructor(bad: BadRows) {
    this.bad = bad;
  }

  /** Drops the mark of UTF-8 and refuses the marks of UTF-16; to be called once, with `MARK_BYTES` at hand or all there are. */
  readMark(): void {
    const { window } = this;
    const [first, second] = window.view(0, 2);
    if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
      const reason = 'the text is UTF-16; save it as UTF-8';
      this.bad.lenient = false;
      this.bad.admit({ ...this.place(0), code: 'E_ENCODING', reason });
    }
    if (UTF8_MARK.every((byte, i) => window.view(i, 1)[0] === byte)) window.start += UTF8_MARK.length;
  }

  /** The place of the byte `from` bytes after the window's start. */
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

  /** Swallows the LF of a CR LF whose CR has been passed; call it whenever a line begins and bytes are at hand. */
  settle(): void {
    if (!this.afterCr || this.window.size === 0) return;
    this.afterCr = false;
    if (this.window.bytes[this.window.start] === LF) this.window.start++;
  }

  /** How far the first line end is from the window's start, or how many bytes there are; `from` of them have none. */
  findEnd(from: number): number {
    const { bytes, start, end } = this.window;
    let i = start + from;
    while (i < end && bytes[i] !== LF && bytes[i] !== CR) i++;
    return i - start;
  }

  /** Steps over a row of `length` bytes, the line end behind it and `breaks` line ends inside it. */
  passLine(length: number, breaks = 0): void {
    const { window } = this;
    const ended = length < window.size; // the last line may have no end
    this.afterCr = ended && window.bytes[window.start + length] === CR;
    this.line += breaks + 1;
    window.start += ended ? length + 1 : length;
  }

  /** Whether a bad line is being passed over. */
  get skipping(): boolean {
    return this.fault !== undefined;
  }

  /** Refuses the line at the window's start, or begins to pass over it and over no other. */
  leaveLine(fault: Fault): void {
    this.bad.admit(fault);
    this.fault = fault;
  }

  /** Goes on passing over the bad line, as far as the bytes reach; `last` when no more will come. */
  skip(last: boolean): void {
    const length = this.findEnd(0);
    const ended = length < this.window.size;
    this.keep(this.window.view(0, Math.min(length, MOST_TEXT - this.keptLength)).slice());
    if (ended) this.passLine(length);
    else this.window.start = this.window.end;
    if (ended || last) this.endSkip();
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

  /** Refuses or leaves out the whole row of `length` bytes at the window's start, which the caller then passes. */
  leaveRow(length: number, fault: Fault): void {
    this.bad.admit(fault);
    this.bad.leaveOut(fault, showUtf8(this.window.view(0, Math.min(length, MOST_TEXT))));
  }
}
