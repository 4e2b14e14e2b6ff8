import { requireOptions } from './arguments.ts';
import { ByteWindow } from './bytes.ts';
import { BadRows, wholeOption } from './faults.ts';
import { CR, LF } from './line-ends.ts';
import { type LineChunk, type LineOptions, lineOptions } from './line-rows.ts';
import { type Mail, parseMail } from './mail.ts';
import { decodeSingle } from './single-byte.ts';
import { chunksOf, type Source } from './source.ts';

/** How to read a mailbox. */
export interface MboxOptions extends Omit<LineOptions, 'maxLineBytes'> {
  /** The maximum size of a message in bytes, including attachments. Default: 64 MiB. */
  readonly maxMessageBytes?: number;
}

const mboxOptions = [...lineOptions.filter((name) => name !== 'maxLineBytes'), 'maxMessageBytes'];

const CHUNK_BYTES = 1 << 22;
const MOST_TEXT = 1 << 16;

/**
 * Reads the messages of a mailbox, in memory that depends on the longest of them. A message begins with a line `From …`
 * that has a time and follows an empty line (RFC 4155, appendix A); the `>` before quoted `From` lines is removed
 * (mboxrd). A message that is too long is `E_LIMIT`, or skipped with `maxBadRows`.
 */
export async function* readMbox(
  source: Source,
  options: MboxOptions = {},
): AsyncGenerator<LineChunk<Mail>, void, undefined> {
  requireOptions('readMbox', mboxOptions, options);
  const reader = new MboxReader(options);
  for await (const chunk of chunksOf(source, options.signal)) yield* reader.push(chunk);
  yield* reader.end();
}

/** Whether a line separates messages. */
export function isSeparator(line: string): boolean {
  return /^From \S/.test(line) && /\d{1,2}:\d{2}/.test(line) && /\b\d{4}\b/.test(line);
}

class MboxReader {
  private readonly window = new ByteWindow();
  private readonly bad: BadRows;
  private readonly limit: number;
  private readonly chunkRows: number;
  private readonly live: boolean;
  private at = 0; // the next line to check, relative to the first byte of the message
  private afterBlank = true;
  private line = 1; // of `at`
  private first = { line: 1, offset: 0 }; // of the current message
  private opened = false;
  private skipped: Uint8Array | undefined; // the beginning of a skipped message
  private rows: Mail[] = [];
  private lines: number[] = [];
  private bytes = 0;

  constructor(options: MboxOptions) {
    this.bad = new BadRows(options);
    this.limit = wholeOption('maxMessageBytes', options.maxMessageBytes, 1 << 26, 1, 1 << 29);
    this.chunkRows = wholeOption('chunkRows', options.chunkRows, 1024, 1);
    this.live = options.live ?? false;
  }

  *push(chunk: Uint8Array): Generator<LineChunk<Mail>, void, undefined> {
    this.window.push(chunk);
    yield* this.read(false);
    if (this.live && this.rows.length > 0) yield this.give();
  }

  *end(): Generator<LineChunk<Mail>, void, undefined> {
    yield* this.read(true);
    if (this.window.size > 0 || this.skipped !== undefined) this.take(this.window.size);
    if (this.rows.length > 0) yield this.give();
  }

  private *read(last: boolean): Generator<LineChunk<Mail>, void, undefined> {
    for (;;) {
      const end = this.window.bytes.indexOf(LF, this.window.start + this.at);
      const ended = end >= 0 && end < this.window.end;
      if (!ended && !last) return this.trim();
      const length = (ended ? end : this.window.end) - this.window.start - this.at;
      if (!this.opened || this.afterBlank) this.checkLine(length);
      this.afterBlank = length === 0 || (length === 1 && this.window.view(this.at, 1)[0] === CR);
      if (!ended) return;
      this.at += length + 1;
      this.line++;
      if (this.rows.length >= this.chunkRows || this.bytes >= CHUNK_BYTES) yield this.give();
    }
  }

  /** Ends the current message at a separator line. */
  private checkLine(length: number): void {
    const separates = isSeparator(decodeSingle(this.window.view(this.at, Math.min(length, 1000)), 'latin1'));
    if (this.opened && separates) this.take(this.at);
    if (!this.opened && !separates && this.window.size > 0) {
      const reason = 'a mailbox begins with a line "From … 12:00:00 2024"; name another format';
      this.bad.lenient = false;
      this.bad.refuse({ line: 1, column: 1, offset: 0, code: 'E_FORMAT', reason });
    }
    this.opened = true;
  }

  /** Takes the message of `length` bytes, unless it is skipped. */
  private take(length: number): void {
    const bytes = this.window.view(0, length);
    if (this.skipped === undefined && length > this.limit) this.leaveOut(length);
    if (this.skipped === undefined) {
      this.rows.push(parseMail(unquoted(bytes)));
      this.lines.push(this.first.line);
      this.bytes += length;
    } else {
      this.bad.leaveOut(this.fault(), decodeSingle(this.skipped, 'latin1'));
      this.skipped = undefined;
    }
    this.window.start += length;
    this.at -= length;
    this.first = { line: this.line, offset: this.window.offset };
  }

  /** Drops the part that was read of a message that is too long. */
  private trim(): void {
    if (this.skipped === undefined && this.window.size > this.limit) this.leaveOut(this.window.size);
    if (this.skipped === undefined) return;
    this.window.start += this.at;
    this.at = 0;
  }

  private leaveOut(length: number): void {
    if (!this.bad.admits) this.bad.refuse(this.fault());
    this.skipped = this.window.view(0, Math.min(length, MOST_TEXT)).slice();
  }

  private fault() {
    const reason = `the message is longer than ${this.limit} bytes; raise maxMessageBytes if it should be`;
    return { ...this.first, column: 1, code: 'E_LIMIT', reason, details: { limit: this.limit } } as const;
  }

  private give(): LineChunk<Mail> {
    const { rows, lines } = this;
    this.rows = [];
    this.lines = [];
    this.bytes = 0;
    return { rows, lines: Float64Array.from(lines) };
  }
}

const QUOTED = new TextEncoder().encode('>From ');

/** A message without its first line, and its quoted `From` lines without one `>`. */
function unquoted(bytes: Uint8Array): Uint8Array {
  const from = bytes.indexOf(LF) + 1;
  const message = new Uint8Array(bytes.length - from);
  let length = 0;
  for (let i = from; i < bytes.length; i++) {
    const begins = i === from || bytes[i - 1] === LF;
    if (!(begins && bytes[i] === 0x3e && isQuotedFrom(bytes, i))) message[length++] = bytes[i]!;
  }
  return message.subarray(0, length);
}

function isQuotedFrom(bytes: Uint8Array, at: number): boolean {
  let i = at;
  while (bytes[i + 1] === 0x3e) i++;
  return QUOTED.every((byte, k) => bytes[i + k] === byte);
}
