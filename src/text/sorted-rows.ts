import { TidyMatrix } from '../data/tidy.ts';
import type { Entries } from './kept-rows.ts';
import type { KernelExports } from './kernel-exports.ts';
import { giveMemory } from './kernel-memory.ts';
import { newKernels } from './wasm-kernel.ts';

/** Rows as counts in other columns, some of which may be gone (−1), sorted in the memory of the kernels, some rows at a time. */
export class SortedRows {
  private readonly kernels: KernelExports;
  private readonly entries: Entries;
  private readonly features: number;
  private readonly columns: number;
  private readonly times: number;
  private readonly moves: number;
  private readonly ends: number;
  private readonly indices: number;
  private readonly data: number;

  /** `most` is the largest number of entries that are asked for at once; all of them unless told. */
  constructor(entries: Entries, moves: Int32Array, features: number, most: number = entries.columns.length) {
    const { columns, values, ends } = entries;
    this.kernels = newKernels(columns.length * 5 + most * 12 + (moves.length + ends.length + features) * 8);
    this.entries = entries;
    this.features = features;
    this.columns = this.place(columns);
    this.times = this.place(values);
    this.moves = this.place(moves);
    this.ends = this.kernels.take(ends.byteLength);
    this.indices = this.kernels.take(most * 4);
    this.data = this.kernels.take(most * 8);
  }

  /** Those from `first` up to but not including `last`. */
  rows(first: number, last: number): TidyMatrix {
    const { kernels, columns, times, moves, features, indices, data } = this;
    const { ends } = this.entries;
    const rows = last - first;
    const own = new Uint32Array(kernels.memory.buffer, this.ends, rows);
    own.set(ends.subarray(first, last));
    const from = first === 0 ? 0 : ends[first - 1];
    const size = kernels.makeSheaves(columns, times, from, this.ends, rows, moves, features, indices, data);
    const { buffer } = kernels.memory;
    const indptr = new Uint32Array(rows + 1);
    indptr.set(new Uint32Array(buffer, this.ends, rows), 1);
    const cells = new Float64Array(buffer, data, size).slice();
    return new TidyMatrix(rows, features, indptr, new Uint32Array(buffer, indices, size).slice(), cells);
  }

  /** Gives the memory back: no more rows are asked for. */
  release(): void {
    giveMemory(this.kernels.memory);
  }

  private place(data: Uint32Array | Int32Array | Uint8Array): number {
    const at = this.kernels.take(data.byteLength);
    new Uint8Array(this.kernels.memory.buffer, at).set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    return at;
  }
}

/** All rows. */
export function sortedRows(entries: Entries, moves: Int32Array, features: number): TidyMatrix {
  const sorted = new SortedRows(entries, moves, features);
  const all = sorted.rows(0, entries.ends.length);
  sorted.release();
  return all;
}
