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
    const { ends } = entries;
    this.kernels = newKernels(most * 17 + (moves.length + ends.length + features) * 8);
    this.entries = entries;
    this.features = features;
    this.moves = this.kernels.take(moves.byteLength);
    new Int32Array(this.kernels.memory.buffer, this.moves, moves.length).set(moves);
    this.columns = this.kernels.take(most * 4);
    this.times = this.kernels.take(most);
    this.ends = this.kernels.take(ends.byteLength);
    this.indices = this.kernels.take(most * 4);
    this.data = this.kernels.take(most * 8);
  }

  /** Those from `first` up to but not including `last`. */
  rows(first: number, last: number): TidyMatrix {
    const { kernels, features, indices, data } = this;
    const rows = last - first;
    this.place(first, last);
    const size = kernels.makeSheaves(this.columns, this.times, this.ends, rows, this.moves, features, indices, data);
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

  /** Puts the entries of some rows where the kernels can read them. */
  private place(first: number, last: number): void {
    const { columns, values, ends } = this.entries;
    const { buffer } = this.kernels.memory;
    const from = first === 0 ? 0 : ends[first - 1];
    const to = last === 0 ? 0 : ends[last - 1];
    new Uint32Array(buffer, this.columns, to - from).set(columns.subarray(from, to));
    new Uint8Array(buffer, this.times, to - from).set(values.subarray(from, to));
    const own = new Uint32Array(buffer, this.ends, last - first);
    for (let i = first; i < last; i++) own[i - first] = ends[i] - from;
  }
}

/** All rows. */
export function sortedRows(entries: Entries, moves: Int32Array, features: number): TidyMatrix {
  const sorted = new SortedRows(entries, moves, features);
  const all = sorted.rows(0, entries.ends.length);
  sorted.release();
  return all;
}
