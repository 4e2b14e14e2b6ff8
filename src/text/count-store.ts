import { grown } from '../data/grown.ts';
import type { KernelExports } from './kernel-exports.ts';

/** Whole counts by term: a byte each, and for counts above 255 the term and the multiples of 256, one after another. */
export interface WholeCounts {
  readonly low: Uint8Array;
  readonly carries: Uint32Array;
}

/** Ids of terms. */
export type Ids = Int32Array | Uint32Array;

/** So many counts are read at a time, to take little memory. */
const IDS_AT_ONCE = 1 << 14;

/** An array of counts. */
export type Counts = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Where the bytes and the carries of a column of whole counts are. Views last until the next count is added. */
export interface CountStore {
  readonly low: Uint8Array;
  /** See `WholeCounts`. */
  carries(): Uint32Array;
  /** Makes room for the ids below `size`. */
  reserve(size: number): void;
  /** Adds `more` times 256 to a count. */
  carry(id: number, more: number): void;
  /** The multiples of 256 in a count. */
  carryOf(id: number): number;
  /** Adds counts, of which number k is that of term ids[k]; there must be room for them. Returns how many were zero before. */
  merge(counts: WholeCounts, ids: Uint32Array): number;
  /** Writes the counts of terms to `out`, from `start` on. */
  gather(ids: Ids, out: Counts, start: number): void;
  /** The largest count of these terms. */
  most(ids: Ids): number;
  /** Gives the memory back. */
  drop(): void;
}

/** Arrays of JavaScript. */
export class ArrayStore implements CountStore {
  low: Uint8Array = new Uint8Array(0);
  private readonly high: Map<number, number> = new Map();

  carries(): Uint32Array {
    return Uint32Array.from([...this.high].flat());
  }

  reserve(size: number): void {
    this.low = grown(this.low, size);
  }

  carry(id: number, more: number): void {
    const sum = this.carryOf(id) + more;
    if (sum === 0) this.high.delete(id);
    else this.high.set(id, sum);
  }

  carryOf(id: number): number {
    return this.high.get(id) ?? 0;
  }

  merge({ low, carries }: WholeCounts, ids: Uint32Array): number {
    let fresh = 0;
    for (let k = 0; k < carries.length; k += 2) {
      const id = ids[carries[k]];
      if (this.get(id) === 0) fresh++;
      this.carry(id, carries[k + 1]);
    }
    for (let k = 0; k < Math.min(ids.length, low.length); k++) {
      if (low[k] === 0) continue;
      const id = ids[k];
      if (this.get(id) === 0) fresh++;
      const sum = this.low[id] + low[k];
      this.low[id] = sum;
      if (sum > 255) this.carry(id, 1);
    }
    return fresh;
  }

  gather(ids: Ids, out: Counts, start: number): void {
    for (let k = 0; k < ids.length; k++) out[start + k] = this.get(ids[k]);
  }

  most(ids: Ids): number {
    let most = 0;
    for (let k = 0; k < ids.length; k++) most = Math.max(most, this.get(ids[k]));
    return most;
  }

  private get(id: number): number {
    return (this.low[id] ?? 0) + 256 * this.carryOf(id);
  }

  drop(): void {
    this.low = new Uint8Array(0);
    this.high.clear();
  }
}

/** The memory of the kernels, which count there. */
export class KernelStore implements CountStore {
  /** The column of the kernels, which begins with where its bytes are and how many. */
  readonly column: number;
  private readonly kernels: KernelExports;
  private known = { parts: new Uint32Array(2), low: new Uint8Array(0) };

  constructor(kernels: KernelExports) {
    this.kernels = kernels;
    this.column = kernels.createColumn();
  }

  /** The bytes where they are now; the view is made anew when they or the memory have moved. */
  get low(): Uint8Array {
    const { parts, low } = this.known;
    const { buffer } = this.kernels.memory;
    if (parts.buffer === buffer && low.byteOffset === parts[0] && low.length === parts[1]) return low;
    const now = new Uint32Array(buffer, this.column, 2);
    this.known = { parts: now, low: new Uint8Array(buffer, now[0], now[1]) };
    return this.known.low;
  }

  carries(): Uint32Array {
    const { kernels, column } = this;
    const many = kernels.listCarries(column, 0);
    return this.withRoom(8 * many, (at) => {
      kernels.listCarries(column, at);
      return new Uint32Array(kernels.memory.buffer, at, 2 * many).slice();
    });
  }

  reserve(size: number): void {
    this.kernels.reserveColumn(this.column, size);
  }

  carry(id: number, more: number): void {
    this.kernels.carry(this.column, id, more);
  }

  carryOf(id: number): number {
    return this.kernels.carryOf(this.column, id) >>> 0;
  }

  merge({ low, carries }: WholeCounts, ids: Uint32Array): number {
    const { kernels, column } = this;
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

  gather(ids: Ids, out: Counts, start: number): void {
    const { kernels, column } = this;
    const width = out.BYTES_PER_ELEMENT;
    const Kind = out.constructor as new (buffer: ArrayBufferLike, at: number, length: number) => Counts;
    this.inParts(ids, width, (at, length, from) => {
      const outAt = (at + 4 * length + 7) & ~7;
      kernels.gatherColumn(column, at, length, outAt, width);
      out.set(new Kind(kernels.memory.buffer, outAt, length), start + from);
    });
  }

  most(ids: Ids): number {
    const { kernels, column } = this;
    let most = 0;
    this.inParts(ids, 0, (at, length) => {
      most = Math.max(most, kernels.mostOf(column, at, length));
    });
    return most;
  }

  /** Writes ids to the memory, part by part, and calls a function with where they are; behind them is room of `width` bytes for each. */
  private inParts(ids: Ids, width: number, use: (at: number, length: number, from: number) => void): void {
    this.withRoom((4 + width) * Math.min(ids.length, IDS_AT_ONCE) + 8, (at) => {
      for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
        const part = ids.subarray(from, from + IDS_AT_ONCE);
        new Uint32Array(this.kernels.memory.buffer, at, part.length).set(part);
        use(at, part.length, from);
      }
    });
  }

  private withRoom<T>(size: number, use: (at: number) => T): T {
    const at = this.kernels.take(size);
    try {
      return use(at);
    } finally {
      this.kernels.give(at, size);
    }
  }

  drop(): void {
    this.kernels.dropColumn(this.column);
  }
}
