import { HISTORY_BYTES, LOOKAHEAD_BYTES } from './excerpt.ts';
import { CR } from './line-ends.ts';
import type { LineCursor } from './lines.ts';
import type { TableKernels } from './table-kernels.ts';

/** What a worker needs to know to read the blocks of a table; it can be posted to one. */
export interface BlockLayout {
  readonly format: 'csv' | 'tsv' | 'jsonl' | 'fasttext' | 'text';
  /** The columns of the table; of JSON Lines the keys of its first rows. */
  readonly columns: readonly string[];
  /** The columns that were asked for; all if undefined. */
  readonly wanted: readonly string[] | undefined;
  /** Of CSV alone. */
  readonly delimiter: string | undefined;
  /** The longest row or line, where the usual limit does not apply. */
  readonly maxRowBytes: number | undefined;
  /** What errors say about the file. */
  readonly file: { readonly name: string; readonly isPath: boolean; readonly transcoded: boolean };
}

/** Some whole records of a text. The bytes have a buffer of their own, so they can be transferred to a worker. */
export interface Block {
  readonly index: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The line of its first byte, counted from 1. */
  readonly line: number;
  /** The offset of its first byte in the text, counted from 0. */
  readonly offset: number;
  /** At most 1 KiB of the text before it, for the excerpts of errors. */
  readonly before: Uint8Array<ArrayBuffer>;
  /** The line of each row, where the rows were not one after another. */
  readonly lines?: Float64Array;
}

/** About how many bytes a block has. */
export const BLOCK_BYTES: number = 1 << 20;

/**
 * Cuts a text into blocks of whole records: at least `blockBytes` of text are gathered, and a block ends with the last record in them. A
 * record longer than `longest` ends the cutting with a block that has only its beginning, which a reader then refuses.
 */
export class BlockCutter {
  private readonly kernels: TableKernels;
  private readonly delimiter: number;
  private readonly longest: number;
  private readonly blockBytes: number;
  private index = 0;
  private line: number;
  private offset: number;
  private before: Uint8Array<ArrayBuffer>;
  private over = false;
  private readonly free: ArrayBuffer[] = [];

  /** Begins where the cursor is. Without a delimiter every line is a record. */
  constructor(
    kernels: TableKernels,
    cursor: LineCursor,
    delimiter: string | undefined,
    longest: number,
    blockBytes: number,
  ) {
    const { window } = cursor;
    this.kernels = kernels;
    this.delimiter = delimiter?.charCodeAt(0) ?? 0;
    this.longest = longest;
    this.blockBytes = blockBytes;
    this.line = cursor.line;
    this.offset = window.offset;
    this.before = window.bytes.slice(
      Math.max(0, window.start - HISTORY_BYTES),
      window.start,
    ) as Uint8Array<ArrayBuffer>;
  }

  /** Takes bytes and gives the blocks that are full. */
  *push(bytes: Uint8Array): Generator<Block, void, undefined> {
    for (let from = 0; from < bytes.length && !this.over; from += this.blockBytes) {
      const boundary = this.scan(bytes.subarray(from, from + this.blockBytes));
      const size = this.kernels.waiting();
      this.over = size - boundary > this.longest + LOOKAHEAD_BYTES;
      if (boundary > 0 && (this.over || (size >= this.blockBytes && this.isEnded(boundary, size)))) {
        yield this.cut(boundary);
      }
      if (this.over) yield this.cut(this.kernels.waiting());
    }
  }

  /** Gives the rest. */
  *end(): Generator<Block, void, undefined> {
    const size = this.kernels.waiting();
    if (size > 0) yield this.cut(size);
  }

  /** Gives the whole records that are left when the source fails. */
  *fail(): Generator<Block, void, undefined> {
    const boundary = this.kernels.scanInput(0, this.delimiter);
    if (boundary > 0) yield this.cut(boundary);
  }

  /** Lets the memory of a block, or its bytes that came back from a worker, be used for another one. */
  release({ bytes }: Pick<Block, 'bytes'>): void {
    if (bytes.byteLength > 0) this.free.push(bytes.buffer);
  }

  private scan(bytes: Uint8Array): number {
    const { kernels } = this;
    const at = kernels.reserveInput(bytes.length);
    new Uint8Array(kernels.memory.buffer, at, bytes.length).set(bytes);
    return kernels.scanInput(bytes.length, this.delimiter);
  }

  /** Whether the line end before the boundary is whole: behind a CR at the very end an LF may follow. */
  private isEnded(boundary: number, size: number): boolean {
    const { memory, waitingAt } = this.kernels;
    return boundary < size || new Uint8Array(memory.buffer)[waitingAt() + size - 1] !== CR;
  }

  private cut(length: number): Block {
    const { kernels, index, line, offset, before } = this;
    const at = kernels.waitingAt();
    const bytes = new Uint8Array(this.bufferOf(length), 0, length);
    bytes.set(new Uint8Array(kernels.memory.buffer, at, length));
    this.index++;
    this.line += kernels.countLines(at, length);
    this.offset += length;
    this.before = lastBytes(before, bytes);
    kernels.dropInput(length);
    return { index, bytes, line, offset, before };
  }

  private bufferOf(length: number): ArrayBuffer {
    const found = this.free.findIndex(({ byteLength }) => byteLength >= length);
    if (found >= 0) return this.free.splice(found, 1)[0];
    this.free.shift();
    return new ArrayBuffer(Math.max(length, 2 * this.blockBytes)); // more than most blocks need, so that it serves others too
  }
}

/** The last KiB of two runs of bytes. */
function lastBytes(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const kept = Math.max(0, HISTORY_BYTES - second.length);
  const tail = second.subarray(Math.max(0, second.length - HISTORY_BYTES));
  const head = first.subarray(Math.max(0, first.length - kept));
  const bytes = new Uint8Array(head.length + tail.length);
  bytes.set(head);
  bytes.set(tail, head.length);
  return bytes;
}
