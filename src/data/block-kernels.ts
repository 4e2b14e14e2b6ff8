import { CodedColumn, dense } from './packed-columns.ts';
import type { TableKernels } from './table-kernels.ts';
import { decodeUtf8 } from './utf8.ts';

// The kinds of cells; see kernels/block.ts.
const STRING = 0;
export const NUMBER = 1;
const TRUE = 2;
const FALSE = 3;
const NULL = 4;

/** The bits of a span's first number that are its position; the rest is the kind. */
export const PLACE = 0x1fffffff;

/**
 * The numbers of a row: the position of its first byte, its line from 0, its first cell, whether the host parses it.
 */
export const ROW = 4;

/** Longer texts are not cached as strings. */
const LONGEST_SHARED = 128;
/** The number of strings or keys cached across blocks. */
const MOST_STRINGS = 1 << 16;

const encoder = new TextEncoder();

/** Spans of cells: their address, stride in bytes and number. */
export interface Cells {
  readonly at: number;
  readonly step: number;
  readonly count: number;
}

/** The kernels with a block in their memory, and the strings cached from earlier blocks. */
export class BlockKernels {
  readonly kernels: TableKernels;
  /** The number of the current block: a table is valid while this is its own number. */
  version = 0;
  private bytes: Uint8Array<ArrayBuffer>;
  private size = 0;
  private readonly taken: { at: number; size: number }[] = [];
  private readonly copy: { bytes: Uint8Array; version: number } = { bytes: new Uint8Array(), version: 0 };
  private readonly buffers: Float64Array[] = [];
  private buffersUsed = 0;
  private strings: Strings;
  private keys: Strings;

  constructor(kernels: TableKernels) {
    this.kernels = kernels;
    this.bytes = new Uint8Array(kernels.memory.buffer as ArrayBuffer);
    this.strings = new Strings(kernels.createLexicon());
    this.keys = new Strings(kernels.openKeys(MOST_STRINGS));
  }

  /** Replaces the block; returns whether it is UTF-8 without NUL. */
  load(bytes: Uint8Array): boolean {
    const { kernels } = this;
    this.version++;
    this.buffersUsed = 0;
    for (const { at, size } of this.taken.splice(0)) kernels.give(at, size);
    if (this.strings.list.length > MOST_STRINGS) {
      kernels.dropLexicon(this.strings.lexicon);
      this.strings = new Strings(kernels.createLexicon());
    }
    const keys = kernels.openKeys(MOST_STRINGS);
    if (kernels.size(keys) < this.keys.list.length) this.keys = new Strings(keys);
    this.size = bytes.length;
    const at = kernels.reserveText(bytes.length);
    this.memory().set(bytes, at);
    return kernels.checkText() !== 0;
  }

  /** The current memory: growing detaches earlier views. */
  memory(): Uint8Array<ArrayBuffer> {
    const { buffer } = this.kernels.memory;
    if (this.bytes.buffer !== buffer) this.bytes = new Uint8Array(buffer as ArrayBuffer);
    return this.bytes;
  }

  words(at: number, length: number): Uint32Array {
    return new Uint32Array(this.kernels.memory.buffer, at, length);
  }

  /** A region that is valid until the next block. */
  take(size: number): number {
    const at = this.kernels.take(size);
    this.taken.push({ at, size });
    return at;
  }

  /** Calls a function with a region. */
  withRegion<T>(size: number, use: (at: number) => T): T {
    const at = this.kernels.take(size);
    const result = use(at);
    this.kernels.give(at, size);
    return result;
  }

  /** The rows that the kernels leave to the host, with the positions of their first bytes. */
  *rowsLeft(): Generator<{ row: number; start: number }, void, undefined> {
    const { kernels } = this;
    if (kernels.rowsLeft() === 0) return;
    const rows = this.words(kernels.blockRows(), ROW * kernels.rowCount());
    for (let row = 0; row < rows.length / ROW; row++) {
      if (rows[ROW * row + 3] !== 0) yield { row, start: rows[ROW * row] };
    }
  }

  /** The key with a name, or −1. */
  keyOf(name: string): number {
    return this.withRegion(3 * name.length + 1, (at) => {
      const { written } = encoder.encodeInto(name, this.memory().subarray(at, at + 3 * name.length));
      return this.kernels.intern(this.keys.lexicon, at, written, false);
    });
  }

  /** The names of all keys, by id. */
  keyNames(): readonly string[] {
    return this.keys.update(this);
  }

  /** The kinds of cells, by index; valid until the memory grows. */
  kindsOf({ at, step, count }: Cells): (i: number) => number {
    const words = this.words(at, Math.max(0, (step * (count - 1)) / 4 + 1));
    return (i) => words[(i * step) / 4] >>> 29;
  }

  /** The value of a cell; undefined if it is missing. */
  valueOf({ at, step }: Cells, i: number): unknown {
    const [start, end] = this.words(at + step * i, 2);
    const kind = start >>> 29;
    if (kind === STRING) return this.text(start, end);
    if (kind === NUMBER) return Number(this.text(start & PLACE, end));
    return kind === TRUE ? true : kind === FALSE ? false : kind === NULL ? null : undefined;
  }

  /** The values of cells; equal texts share one string. */
  valuesOf(cells: Cells): unknown[] {
    const { ids, texts } = this.idsOf(cells);
    const numbers = ids.includes(-1 - NUMBER) ? this.numbersOf(cells).values : new Float64Array();
    return Array.from(ids, (id, i) => {
      if (id >= 0) return texts[id];
      return id === -1 - NUMBER && !Number.isNaN(numbers[i]) ? numbers[i] : this.valueOf(cells, i);
    });
  }

  /** The values of cells as codes, and the list of distinct values. */
  codesOf(cells: Cells): CodedColumn {
    const { ids, texts, without } = this.idsOf(cells);
    return without > 0 ? CodedColumn.from(this.valuesOf(cells)) : dense(ids, new Int32Array(texts.length), texts);
  }

  /** The ids of cells among the texts; negative for cells that have none; `without` is their number. */
  private idsOf({ at, step, count }: Cells): { ids: Int32Array; texts: readonly string[]; without: number } {
    const { kernels, strings } = this;
    return this.withRegion(4 * count, (out) => {
      const without = kernels.internCells(strings.lexicon, at, step, count, LONGEST_SHARED, out);
      return { ids: new Int32Array(kernels.memory.buffer, out, count).slice(), texts: strings.update(this), without };
    });
  }

  /** Cells as numbers, and the indices of those that are neither missing nor parsed. */
  numbersOf({ at, step, count }: Cells): { values: Float64Array; odd: Uint32Array } {
    return this.matrixOf(at, step, count, [0], new Float64Array(count));
  }

  /**
   * The cells of columns as numbers, row by row, the indices of those that are neither missing nor parsed, and the
   * largest magnitude of the others. A cell is `offsets` bytes after the first of its row. Without an output array, the
   * numbers are valid until the next block is loaded.
   */
  matrixOf(
    at: number,
    step: number,
    rows: number,
    offsets: readonly number[],
    values: Float64Array = this.buffer(rows * offsets.length),
  ): { values: Float64Array; odd: Uint32Array; largest: number } {
    const { kernels } = this;
    const count = rows * offsets.length;
    return this.withRegion(8 * (count + 1) + 4 * offsets.length, (numbers) => {
      const places = numbers + 8 * (count + 1);
      this.words(places, offsets.length).set(offsets);
      const many = kernels.parseNumbers(at, step, rows, places, offsets.length, numbers);
      values.set(new Float64Array(kernels.memory.buffer, numbers, count));
      const [largest] = new Float64Array(kernels.memory.buffer, numbers + 8 * count, 1);
      if (many === 0) return { values, odd: new Uint32Array(), largest };
      const odd = this.withRegion(4 * many, (out) => {
        kernels.findOdd(numbers, count, out);
        return this.words(out, many).slice();
      });
      for (const k of odd) values[k] = Number.NaN; // without the payload that marks it
      return { values, odd, largest };
    });
  }

  /** A number buffer that is reused for the next block. */
  private buffer(size: number): Float64Array {
    const { buffers } = this;
    if (!(buffers[this.buffersUsed]?.length >= size))
      buffers[this.buffersUsed] = new Float64Array(Math.ceil(1.25 * size));
    return buffers[this.buffersUsed++].subarray(0, size);
  }

  /** The spans of cells, trimmed. */
  trimmed({ at, step, count }: Cells): Uint32Array {
    return this.withRegion(8 * count, (out) => {
      this.kernels.trimCells(at, step, count, out);
      return this.words(out, 2 * count).slice();
    });
  }

  /**
   * Replaces hashes by the hashes of trimmed cells, using the hashes as seeds; returns the indices of cells that are
   * left to the host.
   */
  hash({ at, step, count }: Cells, hashes: Uint32Array): Uint32Array {
    return this.withRegion(16 * count, (spans) => {
      this.kernels.trimCells(at, step, count, spans);
      const out = spans + 8 * count;
      this.words(out, count).set(hashes);
      const left = this.kernels.hashCells(spans, 8, count, out, out + 4 * count);
      hashes.set(this.words(out, count));
      return this.words(out + 4 * count, left).slice();
    });
  }

  /** The block without quotes and escapes, valid until the next block is requested. */
  copied(): Uint8Array {
    const { copy, size, version } = this;
    if (copy.version !== version) {
      const at = this.kernels.text();
      if (copy.bytes.length < size) copy.bytes = new Uint8Array(2 * size);
      copy.bytes.set(this.memory().subarray(at, at + size));
      copy.version = version;
    }
    return copy.bytes;
  }

  private text(start: number, end: number): string {
    const at = this.kernels.text();
    return decodeUtf8(this.memory().subarray(at + start, at + end)) as string;
  }
}

/** The strings of a kernel lexicon, by id. */
class Strings {
  readonly lexicon: number;
  readonly list: string[] = [];

  constructor(lexicon: number) {
    this.lexicon = lexicon;
  }

  /** Adds the new ones, decoded in one call. */
  update(source: BlockKernels): readonly string[] {
    const { lexicon, list } = this;
    const { kernels } = source;
    const [first, count] = [list.length, kernels.size(lexicon)];
    if (first === count) return list;
    const size = kernels.wordBytes(lexicon, first);
    return source.withRegion(4 * (count - first) + size, (at) => {
      const start = at + 4 * (count - first);
      kernels.writeWords(lexicon, first, start, at);
      const ends = source.words(at, count - first);
      const bytes = source.memory().subarray(start, start + size);
      const text = decodeUtf8(bytes) as string;
      const plain = text.length === size; // ASCII: a character is a byte
      for (let k = 0, from = 0; k < ends.length; from = ends[k++]) {
        list.push(plain ? text.slice(from, ends[k]) : (decodeUtf8(bytes.subarray(from, ends[k])) as string));
      }
      return list;
    });
  }
}
