import { type BadRowOptions, BadRows, wholeOption } from './faults.ts';
import { findJsonFault, type JsonFault, type JsonRules } from './json-syntax.ts';
import { LineCursor, MARK_BYTES } from './lines.ts';
import { chunksOf, chunksOfMemory, type MemorySource, type Source } from './source.ts';
import { decodeUtf8, findInvalidUtf8 } from './utf8.ts';

/** How to read JSON Lines; every option may be left out. */
export interface JsonLinesOptions extends BadRowOptions {
  /** What to do with a key that an object has twice: keep the last value as `JSON.parse` does (unless told), or refuse. */
  readonly duplicates?: 'last' | 'refuse';
  /** How many arrays and objects may lie in each other: 64 unless told. */
  readonly maxDepth?: number;
  /** The longest line: 16 MiB unless told, at most 256 MiB. */
  readonly maxLineBytes?: number;
  /** How many values `readJsonLines` gives at once: 4096 unless told, fewer when they are long. */
  readonly chunkRows?: number;
  /** Ends the reading with `E_CANCELLED`. */
  readonly signal?: AbortSignal;
}

/** Some values of a file of JSON Lines. */
export interface JsonLines {
  /** The values as `JSON.parse` gives them: `__proto__` is a key like any other. */
  readonly values: readonly unknown[];
  /** For each value its line, counted from 1. */
  readonly lines: Float64Array;
}

const MiB = 1 << 20;
const CHUNK_BYTES = 4 * MiB;

/**
 * Reads one JSON value per line, in chunks and in memory that depends on the longest line only. LF, CR and CR LF end a
 * line, lines of blanks are skipped, a byte-order mark of UTF-8 is dropped. What is no JSON is `E_FORMAT`, no UTF-8
 * `E_ENCODING`, half a surrogate pair `E_UNICODE`, too deep or too long `E_LIMIT`, each with line and column; with
 * `maxBadRows` such lines are left out.
 */
export async function* readJsonLines(
  source: Source,
  options: JsonLinesOptions = {},
): AsyncGenerator<JsonLines, void, undefined> {
  const reader = new JsonLinesReader(options, wholeOption('chunkRows', options.chunkRows, 4096, 1), CHUNK_BYTES);
  for await (const chunk of chunksOf(source, options.signal)) yield* reader.push(chunk);
  yield* reader.end();
}

/** Reads JSON Lines that are in memory, as one; see `readJsonLines`. */
export function parseJsonLines(source: MemorySource, options: JsonLinesOptions = {}): JsonLines {
  const reader = new JsonLinesReader(options, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  for (const chunk of chunksOfMemory(source)) reader.push(chunk).next(); // one result, so nothing comes before the end
  return reader.end().next().value ?? { values: [], lines: new Float64Array() };
}

class JsonLinesReader {
  private readonly cursor: LineCursor;
  private readonly rules: JsonRules;
  private readonly maxLineBytes: number;
  private readonly chunkRows: number;
  private readonly chunkBytes: number;
  private opened = false;
  private at = 0; // how far the present line has been searched for its end
  private values: unknown[] = [];
  private lines: number[] = [];
  private bytes = 0;

  constructor(options: JsonLinesOptions, chunkRows: number, chunkBytes: number) {
    this.cursor = new LineCursor(new BadRows(options));
    this.rules = {
      maxDepth: wholeOption('maxDepth', options.maxDepth, 64, 0),
      uniqueKeys: options.duplicates === 'refuse',
    };
    this.maxLineBytes = wholeOption('maxLineBytes', options.maxLineBytes, 16 * MiB, 1, 256 * MiB);
    this.chunkRows = chunkRows;
    this.chunkBytes = chunkBytes;
  }

  *push(chunk: Uint8Array): Generator<JsonLines, void, undefined> {
    this.cursor.window.push(chunk);
    if (this.opened || this.cursor.window.size >= MARK_BYTES) yield* this.read(false);
  }

  *end(): Generator<JsonLines, void, undefined> {
    yield* this.read(true);
    if (this.lines.length > 0) yield this.take();
  }

  private *read(last: boolean): Generator<JsonLines, void, undefined> {
    if (!this.opened) this.cursor.readMark();
    this.opened = true;
    while (this.cursor.window.size > 0 || this.cursor.skipping) {
      if (!this.readLine(last)) return;
      if (this.lines.length >= this.chunkRows || this.bytes >= this.chunkBytes) yield this.take();
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
      this.readValue(length);
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

  private readValue(length: number): void {
    const bytes = this.cursor.window.view(0, length);
    if (isBlank(bytes)) return;
    const fault = this.parse(bytes);
    if (fault !== undefined) {
      const { at, code, reason } = fault;
      this.cursor.leaveRow(length, { ...this.cursor.place(at), code, reason });
    } else {
      this.lines.push(this.cursor.line);
      this.bytes += length;
    }
  }

  /** Takes the value of a line, or tells at which byte it is at fault. */
  private parse(bytes: Uint8Array): JsonFault | undefined {
    const text = decodeUtf8(bytes);
    if (text === undefined) return { at: findInvalidUtf8(bytes), ...notUtf8 };
    const nul = bytes.indexOf(0);
    if (nul >= 0) return { at: nul, ...hasNul };
    const fault = this.isSuspect(bytes) ? findJsonFault(text, this.rules) : undefined;
    if (fault !== undefined) return inBytes(text, fault);
    try {
      this.values.push(JSON.parse(text));
      return undefined;
    } catch {
      return inBytes(text, findJsonFault(text, this.rules) ?? noJson);
    }
  }

  /** Whether `JSON.parse` may accept what the rules refuse: only text with deep nesting, `\u` or twins has to be walked. */
  private isSuspect(bytes: Uint8Array): boolean {
    if (this.rules.uniqueKeys) return true;
    let opens = 0;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i]!;
      if (byte < 0x5b) continue;
      if (byte === 0x5b || byte === 0x7b) opens++;
      else if (byte === 0x5c && bytes[i + 1] === 0x75) return true;
    }
    return opens > this.rules.maxDepth;
  }

  private take(): JsonLines {
    const { values, lines } = this;
    this.values = [];
    this.lines = [];
    this.bytes = 0;
    return { values, lines: Float64Array.from(lines) };
  }
}

const notUtf8 = { code: 'E_ENCODING', reason: 'the bytes here are not UTF-8; save the file as UTF-8' } as const;
const hasNul = { code: 'E_ENCODING', reason: 'a NUL byte is no text; UTF-16 and binary files cannot be read' } as const;
const noJson: JsonFault = { at: 0, code: 'E_FORMAT', reason: 'the line is no JSON' };

const inBytes = (text: string, fault: JsonFault): JsonFault => ({
  ...fault,
  at: new TextEncoder().encode(text.slice(0, fault.at)).length,
});

function isBlank(bytes: Uint8Array): boolean {
  let i = 0;
  while (bytes[i] === 0x20 || bytes[i] === 0x09) i++;
  return i === bytes.length;
}
