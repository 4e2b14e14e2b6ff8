import { SparseMatrix } from '../data/sparse.ts';
import { grown } from './lexicon.ts';

/** One document as a bag: which numbers occur in it, and how often. */
export class Bag {
  /** How many different numbers there are; they are ids[0 … size). */
  size = 0;
  /** How many occurrences had no number. */
  unknown = 0;
  ids: Int32Array = new Int32Array(256);
  /** By number; zero for whatever is not in the bag. */
  counts: Float64Array = new Float64Array(1024);

  /** Empties the bag and fills it again; `limit` is above every number. */
  fill(found: Int32Array, limit: number): void {
    for (let k = 0; k < this.size; k++) this.counts[this.ids[k]] = 0;
    this.ids = grown(this.ids, found.length);
    this.counts = grown(this.counts, limit);
    const { ids, counts } = this;
    let [size, unknown] = [0, 0];
    for (let k = 0; k < found.length; k++) {
      const id = found[k];
      if (id < 0) unknown++;
      else if (counts[id]++ === 0) ids[size++] = id;
    }
    this.size = size;
    this.unknown = unknown;
  }
}

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

/** Bags one after another, to become the rows of a matrix once it is known which column each number has. */
export class Bags {
  private rows = 0;
  private ends: Uint32Array = new Uint32Array(64); // row i ends before ends[i]
  private ids: Uint32Array = new Uint32Array(1024);
  private values: Float64Array = new Float64Array(1024);
  private narrow: Uint32Array = new Uint32Array(256);
  private wide: Float64Array = new Float64Array(0);

  /** Adds one row. */
  add({ size, ids, counts }: Bag): void {
    const start = this.rows > 0 ? this.ends[this.rows - 1] : 0;
    this.ends = grown(this.ends, this.rows + 1);
    this.ids = grown(this.ids, start + size);
    this.values = grown(this.values, start + size);
    for (let k = 0; k < size; k++) {
      this.ids[start + k] = ids[k];
      this.values[start + k] = counts[ids[k]];
    }
    this.ends[this.rows++] = start + size;
  }

  /** The rows as a matrix; what shares a column is added up, and a sum of zero is still there. */
  toMatrix({ places, features, units, binary = false }: Placing): SparseMatrix {
    const { ids, values } = this;
    const total = this.rows > 0 ? this.ends[this.rows - 1] : 0;
    const indptr = new Uint32Array(this.rows + 1);
    const indices = new Uint32Array(total);
    const data = new Float64Array(total);
    let kept = 0;
    for (let i = 0, start = 0; i < this.rows; start = this.ends[i++]) {
      const span = 2 ** (32 - Math.clz32(this.ends[i] - start)); // above every position in the row
      const keys = this.sortedKeys(start, this.ends[i], span, places, features);
      for (let n = 0; n < keys.length; n++) {
        const column = Math.floor(keys[n] / span); // exact, and cheap because span is a power of two
        const k = start + (keys[n] - column * span);
        if (kept === indptr[i] || indices[kept - 1] !== column) indices[kept++] = column;
        data[kept - 1] += (binary ? 1 : values[k]) * (units ? units[ids[k]] : 1);
      }
      indptr[i + 1] = kept;
    }
    const fits = kept === total;
    return SparseMatrix.trusted(
      this.rows,
      features,
      indptr,
      fits ? indices : indices.slice(0, kept),
      fits ? data : data.slice(0, kept),
    );
  }

  /** Column and position of the entries of one row in one number each, ascending: numbers sort natively, pairs do not. */
  private sortedKeys(
    start: number,
    end: number,
    span: number,
    places: Int32Array,
    features: number,
  ): ArrayLike<number> {
    const { ids } = this;
    const narrow = features * span <= 2 ** 32; // sorts in half the time
    if (narrow) this.narrow = grown(this.narrow, end - start);
    else this.wide = grown(this.wide, end - start);
    const keys = narrow ? this.narrow : this.wide;
    let count = 0;
    for (let k = start; k < end; k++) {
      const column = ids[k] < places.length ? places[ids[k]] : -1;
      if (column >= 0) keys[count++] = column * span + (k - start);
    }
    return keys.subarray(0, count).sort();
  }
}
