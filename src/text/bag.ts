import { grown } from '../data/grown.ts';
import { SparseMatrix } from '../data/sparse.ts';
import type { Bag } from './reader.ts';

/** How terms map to columns. */
export interface Placing {
  /** The column of each id; −1 or no entry if it has none. By default ids are columns. */
  readonly places?: Int32Array | undefined;
  readonly features: number;
  /** By id: the weight of one occurrence. Default: 1. */
  readonly units?: Int8Array | undefined;
  /** Whether presence is counted instead of occurrences. Default: false. */
  readonly binary?: boolean | undefined;
}

/** Scratch space for sorting the entries of one row. */
let keys = new Float64Array(256);

/**
 * Documents as bags of term ids, converted to a matrix once the column of each id is known. Row i has the terms ids[k],
 * counts[k] times each, for ends[i − 1] ≤ k < ends[i].
 */
export class Bags {
  rows = 0;
  /** The number of entries of all rows. */
  size = 0;
  ids: Int32Array = new Int32Array(128);
  counts: Uint32Array = new Uint32Array(128);
  /** The number of occurrences in all rows. */
  total = 0;
  private ends: Uint32Array = new Uint32Array(64);

  /** Adds one row. */
  add({ ids, counts }: Pick<Bag, 'ids' | 'counts'>): void {
    const start = this.size;
    this.ends = grown(this.ends, this.rows + 1);
    this.ids = grown(this.ids, start + ids.length);
    this.counts = grown(this.counts, start + ids.length);
    this.ids.set(ids, start);
    this.counts.set(counts, start);
    this.ends[this.rows++] = this.size = start + ids.length;
    for (let k = 0; k < ids.length; k++) this.total += counts[k];
  }

  /** Adds several rows with `total` occurrences: row i ends before entry ends[i]. */
  append(ids: Int32Array, counts: Uint32Array, ends: Uint32Array, total: number): void {
    const start = this.size;
    this.total += total;
    this.ends = grown(this.ends, this.rows + ends.length);
    this.ids = grown(this.ids, start + ids.length);
    this.counts = grown(this.counts, start + ids.length);
    this.ids.set(ids, start);
    this.counts.set(counts, start);
    for (let i = 0; i < ends.length; i++) this.ends[this.rows + i] = start + ends[i];
    this.rows += ends.length;
    this.size = start + ids.length;
  }

  /** The index of the first entry of row i; for i = rows, the end of the last row. */
  start(i: number): number {
    return i === 0 ? 0 : this.ends[i - 1];
  }

  /** Row i. */
  row(i: number): Pick<Bag, 'ids' | 'counts'> {
    const [start, end] = [i > 0 ? this.ends[i - 1] : 0, this.ends[i]];
    return { ids: this.ids.subarray(start, end), counts: this.counts.subarray(start, end) };
  }

  /** Removes all rows. */
  clear(): void {
    this.rows = this.size = this.total = 0;
  }

  /** The rows as a matrix; entries in the same column are added, and a sum of zero is stored. */
  toMatrix({ places, features, units, binary = false }: Placing): SparseMatrix {
    const { ids, counts, ends } = this;
    const indptr = new Uint32Array(this.rows + 1);
    const indices = new Uint32Array(this.size);
    const data = new Float64Array(this.size);
    let kept = 0;
    const put = (column: number, k: number) => {
      indices[kept] = column;
      data[kept++] = (binary ? 1 : counts[k]) * (units ? units[ids[k]] : 1);
    };
    for (let i = 0, start = 0; i < this.rows; start = ends[i++]) {
      const sorted = this.sortedKeys(start, ends[i], places);
      const span = spanOf(ends[i] - start);
      if (sorted) {
        for (let n = 0; n < sorted.length; n++) {
          const column = Math.floor(sorted[n] / span); // exact, and cheap because span is a power of two
          const k = start + (sorted[n] - column * span);
          if (kept === indptr[i] || indices[kept - 1] !== column) put(column, k);
          else data[kept - 1] += (binary ? 1 : counts[k]) * (units ? units[ids[k]] : 1);
        }
      } else for (let k = start; k < ends[i]; k++) put(ids[k], k);
      indptr[i + 1] = kept;
    }
    if (kept === this.size) return SparseMatrix.tidy(this.rows, features, indptr, indices, data);
    return SparseMatrix.tidy(this.rows, features, indptr, indices.slice(0, kept), data.slice(0, kept));
  }

  /**
   * Column and position of each entry of a row, packed into one number and sorted: numbers sort natively, pairs do not.
   * Undefined if the ids of the row are already columns in order.
   */
  private sortedKeys(start: number, end: number, places: Int32Array | undefined): Float64Array | undefined {
    const { ids } = this;
    const span = spanOf(end - start);
    let k = start;
    if (!places) {
      while (k + 1 < end && ids[k] < ids[k + 1]) k++;
      if (k + 1 >= end) return undefined;
    }
    keys = grown(keys, end - start);
    let count = 0;
    for (k = start; k < end; k++) {
      const column = places ? (places[ids[k]] ?? -1) : ids[k];
      if (column >= 0) keys[count++] = column * span + (k - start);
    }
    return keys.subarray(0, count).sort();
  }
}

/** A power of two above every position in a row of this length. */
const spanOf = (length: number): number => 2 ** (32 - Math.clz32(length));
