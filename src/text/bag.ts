import type { SparseMatrix } from '../data/sparse.ts';
import { TidyMatrix } from '../data/tidy.ts';
import { grown } from './grown.ts';

/** Where the numbers of terms go. */
export interface Placing {
  /** The column of each number; −1, or no entry at all, for what is left out. */
  readonly places: Int32Array;
  readonly features: number;
  /** What is counted for one occurrence of a number; 1 where it is not given. */
  readonly units?: Int8Array | undefined;
  /** Counts presence rather than occurrences. */
  readonly binary?: boolean | undefined;
}

/**
 * By number: its latest entry, perhaps of another row or of other bags. An entry is looked at before it is believed, so that all bags
 * share the list: one of their own, as long as the vocabulary, would cost more than a short text does.
 */
let latest = new Int32Array(1024);

/** Room for sorting the entries of one row, likewise shared. */
let keys = new Float64Array(256);

/**
 * Documents as bags of numbers, one after another, to become the rows of a matrix once it is known which column each number
 * has. Row i has the numbers ids[k], counts[k] times each, for ends[i − 1] ≤ k < ends[i].
 */
export class Bags {
  rows = 0;
  /** How many entries all rows have. */
  size = 0;
  ids: Int32Array = new Int32Array(128);
  counts: Float64Array = new Float64Array(128);
  private ends: Uint32Array = new Uint32Array(64);

  /** Adds one row; `limit` is above every number. Returns how many occurrences had no number. */
  add(found: Int32Array, limit: number): number {
    const start = this.size;
    this.ends = grown(this.ends, this.rows + 1);
    this.ids = grown(this.ids, start + found.length);
    this.counts = grown(this.counts, start + found.length);
    latest = grown(latest, limit);
    const { ids, counts } = this;
    let [end, unknown] = [start, 0];
    for (let k = 0; k < found.length; k++) {
      const id = found[k];
      if (id < 0) {
        unknown++;
        continue;
      }
      const at = latest[id];
      if (at >= start && at < end && ids[at] === id) counts[at]++;
      else {
        ids[end] = id;
        counts[end] = 1;
        latest[id] = end++;
      }
    }
    this.ends[this.rows++] = this.size = end;
    return unknown;
  }

  /** Forgets all rows. */
  clear(): void {
    this.rows = this.size = 0;
  }

  /** The rows as a matrix; what shares a column is added up, and a sum of zero is still there. */
  toMatrix({ places, features, units, binary = false }: Placing): SparseMatrix {
    const { ids, counts, ends } = this;
    const indptr = new Uint32Array(this.rows + 1);
    const indices = new Uint32Array(this.size);
    const data = new Float64Array(this.size);
    let kept = 0;
    for (let i = 0, start = 0; i < this.rows; start = ends[i++]) {
      const span = 2 ** (32 - Math.clz32(ends[i] - start)); // above every position in the row
      const sorted = this.sortedKeys(start, ends[i], span, places);
      for (let n = 0; n < sorted.length; n++) {
        const key = sorted[n];
        const column = Math.floor(key / span); // exact, and cheap because span is a power of two
        const k = start + (key - column * span);
        if (kept === indptr[i] || indices[kept - 1] !== column) indices[kept++] = column;
        data[kept - 1] += (binary ? 1 : counts[k]) * (units ? units[ids[k]] : 1);
      }
      indptr[i + 1] = kept;
    }
    if (kept === this.size) return new TidyMatrix(this.rows, features, indptr, indices, data);
    return new TidyMatrix(this.rows, features, indptr, indices.slice(0, kept), data.slice(0, kept));
  }

  /** Column and position of the entries of one row in one number each, ascending: numbers sort natively, pairs do not. */
  private sortedKeys(start: number, end: number, span: number, places: Int32Array): Float64Array {
    keys = grown(keys, end - start);
    let count = 0;
    for (let k = start; k < end; k++) {
      const column = places[this.ids[k]] ?? -1;
      if (column >= 0) keys[count++] = column * span + (k - start);
    }
    return keys.subarray(0, count).sort();
  }
}
