import { HISTORY_BYTES, LOOKAHEAD_BYTES } from './excerpt.ts';
import { CR } from './line-ends.ts';
import type { LineCursor } from './lines.ts';
import type { TableKernels } from './table-kernels.ts';

/** What a worker needs to read the blocks of a table; it can be posted. */
export interface BlockLayout {
  readonly format: 'csv' | 'tsv' | 'jsonl' | 'fasttext' | 'text';
  /** The columns of the table; for JSON Lines, the keys of its first rows. */
  readonly columns: readonly string[];
  /** The requested columns. Default: all. */
  readonly wanted: readonly string[] | undefined;
  /** Only for CSV. */
  readonly delimiter: string | undefined;
  /** The maximum size of a row or line. Default: that of the format. */
  readonly maxRowBytes: number | undefined;
  /** The file details of errors. */
  readonly file: { readonly name: string; readonly isPath: boolean; readonly transcoded: boolean };
}

/** Some whole records of a text. The bytes have their own buffer, so they can be transferred to a worker. */
export interface Block {
  readonly index: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The line of its first byte, counted from 1. */
  readonly line: number;
  /** The offset of its first byte in the text, counted from 0. */
  readonly offset: number;
  /** At most 1 KiB of the text before it, for the excerpts of errors. */
  readonly before: Uint8Array<ArrayBuffer>;
  /** The line of each row, if the rows are not consecutive. */
  readonly lines?: Float64Array;
}

/** The approximate size of a block in bytes. */
export const BLOCK_BYTES: number = 1 << 20;

/**
 * Splits a text into blocks of whole records: gathers at least `blockBytes` of text and ends the block with its last
 * record. A record longer than `longest` ends the splitting with a block of its beginning, for which the reader then
 * throws.
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

  /** Begins at the cursor. Without a delimiter every line is a record. */
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

  /** Takes bytes and returns the blocks that are full. */
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

  /** Returns the rest. */
  *end(): Generator<Block, void, undefined> {
    const size = this.kernels.waiting();
    if (size > 0) yield this.cut(size);
  }

  /** Returns the remaining whole records when the source fails. */
  *fail(): Generator<Block, void, undefined> {
    const boundary = this.kernels.scanInput(0, this.delimiter);
    if (boundary > 0) yield this.cut(boundary);
  }

  /** Releases the memory of a block, or its bytes returned by a worker, for reuse. */
  release({ bytes }: Pick<Block, 'bytes'>): void {
    if (bytes.byteLength > 0) this.free.push(bytes.buffer);
  }

  private scan(bytes: Uint8Array): number {
    const { kernels } = this;
    const at = kernels.reserveInput(bytes.length);
    new Uint8Array(kernels.memory.buffer, at, bytes.length).set(bytes);
    return kernels.scanInput(bytes.length, this.delimiter);
  }

  /** Whether the line end before the boundary is complete: a CR at the very end may be followed by an LF. */
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
    return new ArrayBuffer(Math.max(length, 2 * this.blockBytes)); // larger than most blocks need, so that it can be reused
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
