import type { ColumnBatch, ResultColumn } from '../engine.ts';
import { textOf } from '../text-bytes.ts';

/** A block of ClickHouse's Native format: the names of its columns, their types, and their values. */
export interface NativeBlock extends ColumnBatch {
  readonly names: readonly string[];
}

/** Thrown when reading past the bytes received so far; an error only at the end of the response. */
class Incomplete extends Error {}

/**
 * Reads blocks of the Native format from chunks that are split anywhere. An incomplete block is tried again when twice
 * its bytes have arrived, so every byte is read about twice at most.
 */
export async function* nativeBlocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<NativeBlock> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  let enough = 1;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    length += chunk.length;
    if (length < enough) continue;
    const rest = yield* wholeBlocks(Buffer.concat(waiting, length));
    waiting = [rest];
    length = rest.length;
    enough = Math.max(1, 2 * length);
  }
  const rest = yield* wholeBlocks(Buffer.concat(waiting, length));
  if (rest.length > 0)
    throw new Error(`the response ends in the middle of a block, ${rest.length} bytes after its start`);
}

function* wholeBlocks(bytes: Buffer): Generator<NativeBlock, Buffer> {
  let at = 0;
  while (at < bytes.length) {
    const reader = new NativeReader(bytes, at);
    try {
      yield reader.block();
    } catch (error) {
      if (error instanceof Incomplete) break;
      throw error;
    }
    at = reader.at;
  }
  return bytes.subarray(at);
}

type NumberArray = { new (buffer: ArrayBuffer): ArrayLike<number | bigint>; readonly BYTES_PER_ELEMENT: number };

/** Numeric types of fixed width. Queries cast to Float64; the others occur in system tables. */
const numberArrays: ReadonlyMap<string, NumberArray> = new Map<string, NumberArray>([
  ['Float64', Float64Array],
  ['Float32', Float32Array],
  ['UInt8', Uint8Array],
  ['Bool', Uint8Array],
  ['Int8', Int8Array],
  ['UInt16', Uint16Array],
  ['Int16', Int16Array],
  ['UInt32', Uint32Array],
  ['Int32', Int32Array],
  ['UInt64', BigUint64Array],
  ['Int64', BigInt64Array],
]);

class NativeReader {
  readonly bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  block(): NativeBlock {
    const count = this.size();
    const rows = this.size();
    const names: string[] = [];
    const columns: ResultColumn[] = [];
    for (let j = 0; j < count; j++) {
      names.push(this.text());
      columns.push(this.column(this.text(), rows));
    }
    return { rows, names, columns };
  }

  private column(type: string, rows: number): ResultColumn {
    const inner = /^Nullable\((.*)\)$/.exec(type)?.[1];
    const nulls = inner === undefined ? undefined : this.take(rows);
    const values = this.values(inner ?? type, rows);
    if (!nulls) return values;
    if (values instanceof Float64Array) {
      for (let i = 0; i < rows; i++) if (nulls[i]) values[i] = NaN;
      return values;
    }
    return values.map((text, i) => (nulls[i] ? null : text));
  }

  private values(type: string, rows: number): Float64Array | string[] {
    if (type === 'String') return Array.from({ length: rows }, () => this.text());
    const numbers = numberArrays.get(type);
    if (!numbers) throw new Error(`the answer has a column of type ${type}, which the query should have cast`);
    const own = new Uint8Array(this.take(rows * numbers.BYTES_PER_ELEMENT)).buffer; // a copy, because of its alignment
    return type === 'Float64'
      ? new Float64Array(own)
      : Float64Array.from(new numbers(own) as ArrayLike<number>, Number);
  }

  private text(): string {
    const length = this.size();
    const from = this.at;
    this.take(length);
    return textOf(this.bytes, from, from + length);
  }

  private take(length: number): Buffer {
    const from = this.at;
    if (from + length > this.bytes.length) throw new Incomplete();
    this.at = from + length;
    return this.bytes.subarray(from, this.at);
  }

  /** A length: seven bits a byte, the least first. */
  private size(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      if (this.at >= this.bytes.length) throw new Incomplete();
      const byte = this.bytes[this.at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      if (scale > 2 ** 42) throw new Error('the response is not in the Native format: a length passes 2^49');
    }
  }
}
