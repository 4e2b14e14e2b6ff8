import { grown } from '../data/grown.ts';
import type { CountArray } from '../data/safetensors.ts';
import type { KernelExports } from './kernel-exports.ts';

/** The largest integer count that bytes and carries can hold. */
const MOST = 2 ** 40 - 1;
/** Larger weights are rare and could overflow a carry. */
const MOST_WEIGHT = 2 ** 20;

/** The number of counts read at a time, to limit memory. */
const IDS_AT_ONCE = 1 << 14;

/** Whether a weight can be added to bytes and carries. */
export const isLightWeight = (weight: number): boolean =>
  Number.isInteger(weight) && weight >= 0 && weight <= MOST_WEIGHT;

/** Ids of terms. */
type Ids = Int32Array | Uint32Array;

/**
 * The counts of a column as plain data: float64, or integers with one byte each, plus the terms above 255 and their
 * multiples of 256.
 */
export type CountData =
  | { readonly real: Float64Array }
  | { readonly real: undefined; readonly low: Uint8Array; readonly carries: Uint32Array };

/**
 * Counts by term id that grow with the ids. Integer counts live in a column of the kernels: see kernels/counts.ts.
 * Other weights convert the column to float64; without kernels it is float64 from the start.
 */
export class CountColumn {
  private readonly kernels: KernelExports | undefined;
  /**
   * The address of the kernels' column while counts are integers. It starts with the address and number of its bytes.
   */
  column: number | undefined;
  private real: Float64Array = new Float64Array(0);
  private known = { parts: new Uint32Array(2), low: new Uint8Array(0) };

  constructor(kernels: KernelExports | undefined) {
    this.kernels = kernels;
    this.column = kernels?.createColumn();
  }

  /** The kernels and their column, while counts are integers. */
  private get store(): { readonly kernels: KernelExports; readonly column: number } | undefined {
    const { kernels, column } = this;
    return kernels && column !== undefined ? { kernels, column } : undefined;
  }

  /** The current bytes of the kernels; a new view is created when they or the memory have moved. */
  private get low(): Uint8Array {
    const { parts, low } = this.known;
    const { kernels, column } = this.store!;
    const { buffer } = kernels.memory;
    if (parts.buffer === buffer && low.byteOffset === parts[0] && low.length === parts[1]) return low;
    const now = new Uint32Array(buffer, column, 2);
    this.known = { parts: now, low: new Uint8Array(buffer, now[0], now[1]) };
    return this.known.low;
  }

  private carries(): Uint32Array {
    const { kernels, column } = this.store!;
    const many = kernels.listCarries(column, 0);
    return this.withRoom(8 * many, (at) => {
      kernels.listCarries(column, at);
      return new Uint32Array(kernels.memory.buffer, at, 2 * many).slice();
    });
  }

  /** The counts of the terms below `size`, as plain data. */
  data(size: number): CountData {
    if (!this.store) return { real: this.real.slice(0, size) };
    return { real: undefined, low: this.low.slice(0, size), carries: this.carries() };
  }

  /**
   * Adds the counts of another column, whose term k is term ids[k] here; capacity must suffice. Returns the number of
   * counts that were zero before.
   */
  merge(data: CountData, ids: Uint32Array): number {
    const { store } = this;
    if (store && !data.real) return this.mergeWhole(data, ids, store);
    const counts = data.real ?? numbersOf(data.low, data.carries);
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

  private mergeWhole(
    { low, carries }: Extract<CountData, { real: undefined }>,
    ids: Uint32Array,
    { kernels, column }: { readonly kernels: KernelExports; readonly column: number },
  ): number {
    const lows = Math.min(low.length, ids.length);
    return this.withRoom(lows + 4 * (carries.length + lows + 1), (at) => {
      const carriesAt = at + 4 * lows;
      const lowAt = carriesAt + 4 * carries.length;
      const { buffer } = kernels.memory;
      new Uint32Array(buffer, at, lows).set(ids.subarray(0, lows));
      new Uint32Array(buffer, carriesAt, carries.length).set(carries);
      new Uint8Array(buffer, lowAt, lows).set(low.subarray(0, lows));
      return kernels.mergeColumn(column, lowAt, lows, carriesAt, carries.length / 2, at);
    });
  }

  /** The count of a term. */
  get(id: number): number {
    const { store } = this;
    if (!store) return this.real[id] ?? 0;
    return (this.low[id] ?? 0) + 256 * (store.kernels.carryOf(store.column, id) >>> 0);
  }

  /** Reserves capacity for the ids below `size`. */
  reserve(size: number): void {
    const { store } = this;
    if (store) store.kernels.reserveColumn(store.column, size);
    else this.real = grown(this.real, size);
  }

  /**
   * Adds `weight`, times counts[k] if there are counts, to each of ids[k] for from ≤ k < to; capacity must suffice.
   * Returns the number of counts that were zero before.
   */
  add(ids: Int32Array, counts: Uint32Array | undefined, from: number, to: number, weight: number): number {
    if (!isLightWeight(weight)) this.widen();
    const { store, real } = this;
    let low = store ? this.low : undefined;
    let fresh = 0;
    for (let k = from; k < to; k++) {
      const id = ids[k];
      const more = counts ? weight * counts[k] : weight;
      if (!store || !low) {
        if (real[id] === 0) fresh++;
        real[id] += more;
        continue;
      }
      const sum = low[id] + more;
      if (low[id] === 0 && store.kernels.carryOf(store.column, id) === 0) fresh++;
      low[id] = sum;
      if (sum <= 255) continue;
      store.kernels.carry(store.column, id, Math.floor(sum / 256));
      low = this.low; // may have moved
    }
    return fresh;
  }

  /** Whether all counts are integers. */
  get whole(): boolean {
    return this.store !== undefined || this.real.every(Number.isInteger);
  }

  /** The ids whose count is not zero. */
  ids(): Int32Array {
    const all = Int32Array.from({ length: (this.store ? this.low : this.real).length }, (_, id) => id);
    const counts = this.gather(all);
    return all.filter((id) => counts[id] !== 0);
  }

  /** Sets the count of a term; capacity must suffice. */
  set(id: number, value: number): void {
    this.setAll([id], [value]);
  }

  /** Sets the counts of terms; capacity must suffice. */
  setAll(ids: ArrayLike<number>, values: ArrayLike<number>): void {
    for (let k = 0; k < values.length && this.store; k++) {
      if (!(Number.isInteger(values[k]) && values[k] >= 0 && values[k] <= MOST)) this.widen();
    }
    const { store, real } = this;
    let low = store ? this.low : undefined;
    const isSmall = store !== undefined && values.length > 1 && store.kernels.listCarries(store.column, 0) === 0;
    for (let k = 0; k < values.length; k++) {
      const id = ids[k];
      const value = values[k];
      if (!store || !low) {
        real[id] = value;
        continue;
      }
      low[id] = value;
      if (isSmall && value < 256) continue; // no count of the column has carried before
      const more = Math.floor(value / 256) - (store.kernels.carryOf(store.column, id) >>> 0);
      if (more === 0) continue;
      store.kernels.carry(store.column, id, more);
      low = this.low; // may have moved
    }
  }

  /** Multiplies all counts. */
  scale(factor: number): void {
    this.widen();
    for (let id = 0; id < this.real.length; id++) this.real[id] *= factor;
  }

  /** A bound of the listed counts below the next power of 256; infinite if they are not integers. */
  most(isListed: Uint8Array): number {
    const { store, real } = this;
    if (store) {
      const carries = this.carries();
      let most = 0;
      for (let k = 0; k < carries.length; k += 2) if (isListed[carries[k]]) most = Math.max(most, carries[k + 1]);
      return 256 * most + 255;
    }
    let most = 0;
    for (let id = 0; id < real.length; id++) {
      if (isListed[id])
        most = Math.max(most, Number.isInteger(real[id]) && real[id] >= 0 ? real[id] : Number.POSITIVE_INFINITY);
    }
    return most;
  }

  /** Writes the counts of these ids to `out`, from `start` on. */
  gather<T extends CountArray>(ids: Ids, out: T, start?: number): T;
  gather(ids: Ids): Float64Array;
  gather(ids: Ids, out: CountArray = new Float64Array(ids.length), start = 0): CountArray {
    const { store, real } = this;
    if (!store) {
      for (let k = 0; k < ids.length; k++) out[start + k] = ids[k] < real.length ? real[ids[k]] : 0;
      return out;
    }
    const { kernels, column } = store;
    const width = out.BYTES_PER_ELEMENT;
    const Kind = out.constructor as new (buffer: ArrayBufferLike, at: number, length: number) => CountArray;
    this.inParts(ids, width, (at, length, from) => {
      const outAt = (at + 4 * length + 7) & ~7;
      kernels.gatherColumn(column, at, length, outAt, width);
      out.set(new Kind(kernels.memory.buffer, outAt, length), start + from);
    });
    return out;
  }

  /** Frees the memory; the column must not be used afterwards. */
  drop(): void {
    const { store } = this;
    store?.kernels.dropColumn(store.column);
    this.column = undefined;
  }

  private widen(): void {
    if (!this.store) return;
    const real = numbersOf(this.low, this.carries());
    this.drop();
    this.real = real;
  }

  /**
   * Writes ids to the memory in parts and calls a function with their address; `width` bytes per id are reserved after
   * them.
   */
  private inParts(ids: Ids, width: number, use: (at: number, length: number, from: number) => void): void {
    this.withRoom((4 + width) * Math.min(ids.length, IDS_AT_ONCE) + 8, (at) => {
      for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
        const part = ids.subarray(from, from + IDS_AT_ONCE);
        new Uint32Array(this.kernels!.memory.buffer, at, part.length).set(part);
        use(at, part.length, from);
      }
    });
  }

  private withRoom<T>(size: number, use: (at: number) => T): T {
    const kernels = this.kernels!;
    const at = kernels.take(size);
    try {
      return use(at);
    } finally {
      kernels.give(at, size);
    }
  }
}

function numbersOf(low: Uint8Array, carries: Uint32Array): Float64Array {
  const numbers = new Float64Array(low);
  for (let k = 0; k < carries.length; k += 2) numbers[carries[k]] += 256 * carries[k + 1];
  return numbers;
}
