import { grown } from '../data/grown.ts';
import { ArrayStore, type CountStore, type Counts, type Ids, KernelStore, type WholeCounts } from './count-store.ts';

/** The largest whole count that bytes and carries can hold. */
const MOST = 2 ** 40 - 1;
/** Larger weights are rare, and could overflow a carry. */
const MOST_WEIGHT = 2 ** 20;

/** Whether a weight can be added to bytes and carries. */
export const isLightWeight = (weight: number): boolean =>
  Number.isInteger(weight) && weight >= 0 && weight <= MOST_WEIGHT;

/** The counts of a column as plain data. */
export interface CountData extends WholeCounts {
  readonly real: Float64Array | undefined;
}

/**
 * Counts by term id that grow with the ids. While they are whole, a count is a byte, and the few above 255 have carries for multiples of 256;
 * other weights turn the column into float64.
 */
export class CountColumn {
  private readonly store: CountStore;
  private real: Float64Array | undefined;

  constructor(store: CountStore = new ArrayStore()) {
    this.store = store;
  }

  /** The counts of the terms below `size`, as plain data. */
  data(size: number): CountData {
    const { store, real } = this;
    if (real) return { low: new Uint8Array(0), carries: new Uint32Array(0), real: real.slice(0, size) };
    return { low: store.low.slice(0, size), carries: store.carries(), real };
  }

  /** Adds the counts of another column, whose term k is term ids[k] here. Returns how many were zero before. */
  merge({ low, carries, real }: CountData, ids: Uint32Array): number {
    if (!this.real && !real) return this.store.merge({ low, carries }, ids);
    const counts = real ?? numbersOf({ low, carries });
    const size = Math.min(ids.length, counts.length);
    const sums = this.gather(ids.subarray(0, size));
    let fresh = 0;
    for (let k = 0; k < size; k++) {
      if (sums[k] === 0 && counts[k] !== 0) fresh++;
      sums[k] += counts[k];
    }
    this.setAll(ids, sums);
    return fresh;
  }

  /** The count of a term. */
  get(id: number): number {
    if (this.real) return this.real[id] ?? 0;
    return (this.store.low[id] ?? 0) + 256 * this.store.carryOf(id);
  }

  /** Makes room for the ids below `size`. */
  reserve(size: number): void {
    if (this.real) this.real = grown(this.real, size);
    else this.store.reserve(size);
  }

  /** The column of the kernels, if whole counts are there. */
  get column(): number | undefined {
    return this.real || !(this.store instanceof KernelStore) ? undefined : this.store.column;
  }

  /**
   * Adds `weight`, times counts[k] if there are counts, to each of ids[k] for from ≤ k < to; there must be room for them. Returns how many
   * were zero before.
   */
  add(ids: Int32Array, counts: Uint32Array | undefined, from: number, to: number, weight: number): number {
    if (!this.real && !isLightWeight(weight)) this.widen();
    if (this.real) return this.addReal(this.real, ids, counts, from, to, weight);
    const { store } = this;
    let { low } = store;
    let fresh = 0;
    for (let k = from; k < to; k++) {
      const id = ids[k];
      const before = low[id];
      const sum = before + (counts ? weight * counts[k] : weight);
      if (before === 0 && store.carryOf(id) === 0) fresh++;
      low[id] = sum;
      if (sum <= 255) continue;
      store.carry(id, Math.floor(sum / 256));
      ({ low } = store); // which may have moved
    }
    return fresh;
  }

  private addReal(
    real: Float64Array,
    ids: Int32Array,
    counts: Uint32Array | undefined,
    from: number,
    to: number,
    weight: number,
  ): number {
    let fresh = 0;
    for (let k = from; k < to; k++) {
      if (real[ids[k]] === 0) fresh++;
      real[ids[k]] += counts ? weight * counts[k] : weight;
    }
    return fresh;
  }

  /** Whether all counts are whole numbers. */
  get whole(): boolean {
    return !this.real || this.real.every(Number.isInteger);
  }

  /** The ids whose count is not zero. */
  ids(): Int32Array {
    const size = (this.real ?? this.store.low).length;
    const counts = this.gather(Int32Array.from({ length: size }, (_, id) => id));
    return Int32Array.from({ length: size }, (_, id) => id).filter((id) => counts[id] !== 0);
  }

  /** Sets the count of a term, for which there must be room. */
  set(id: number, value: number): void {
    this.setAll([id], [value]);
  }

  /** Sets the counts of terms, for which there must be room. */
  setAll(ids: ArrayLike<number>, values: ArrayLike<number>): void {
    for (let k = 0; k < values.length && !this.real; k++) {
      if (!(Number.isInteger(values[k]) && values[k] >= 0 && values[k] <= MOST)) this.widen();
    }
    const { real, store } = this;
    if (real) {
      for (let k = 0; k < values.length; k++) real[ids[k]] = values[k];
      return;
    }
    let { low } = store;
    for (let k = 0; k < values.length; k++) {
      const [id, value] = [ids[k], values[k]];
      low[id] = value;
      const more = Math.floor(value / 256) - store.carryOf(id);
      if (more === 0) continue;
      store.carry(id, more);
      ({ low } = store); // which may have moved
    }
  }

  /** Multiplies all counts. */
  scale(factor: number): void {
    const real = this.real ?? this.widen();
    for (let id = 0; id < real.length; id++) real[id] *= factor;
  }

  /** The largest count of these ids; infinite where they are not whole numbers. */
  most(ids: Ids): number {
    return this.real ? Number.POSITIVE_INFINITY : this.store.most(ids);
  }

  /** Writes the counts of these ids to `out`, from `start` on. */
  gather<T extends Counts>(ids: Ids, out: T, start?: number): T;
  gather(ids: Ids): Float64Array;
  gather(ids: Ids, out: Counts = new Float64Array(ids.length), start = 0): Counts {
    const { real } = this;
    if (real) {
      for (let k = 0; k < ids.length; k++) out[start + k] = ids[k] < real.length ? real[ids[k]] : 0;
      return out;
    }
    this.store.gather(ids, out, start);
    return out;
  }

  /** Gives the memory back; the column must not be used afterwards. */
  drop(): void {
    if (!this.real) this.store.drop();
  }

  private widen(): Float64Array {
    const real = numbersOf({ low: this.store.low, carries: this.store.carries() });
    this.store.drop();
    this.real = real;
    return real;
  }
}

function numbersOf({ low, carries }: WholeCounts): Float64Array {
  const numbers = new Float64Array(low);
  for (let k = 0; k < carries.length; k += 2) numbers[carries[k]] += 256 * carries[k + 1];
  return numbers;
}
