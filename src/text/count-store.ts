import { grown } from './grown.ts';
import type { KernelExports } from './kernel-exports.ts';

/** Whole counts by term: a byte each, and multiples of 256 in a second array that may be shorter. */
export interface WholeCounts {
  readonly low: Uint8Array;
  readonly high: Uint32Array;
}

/** An array of counts. */
export type Counts = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Where the bytes and the carries of a column of whole counts are. Views last until the next count is added. */
export interface CountStore extends WholeCounts {
  /** Makes room for the ids below `size`. */
  reserve(size: number): void;
  /** Adds `more` times 256 to a count. */
  carry(id: number, more: number): void;
  /** Adds counts, of which number k is that of term ids[k]; there must be room for them. Returns how many were zero before. */
  merge(counts: WholeCounts, ids: Uint32Array): number;
  /** Writes the counts of terms to `out`, from `start` on. */
  gather(ids: ArrayLike<number>, out: Counts, start: number): void;
  /** The largest count of these terms. */
  most(ids: ArrayLike<number>): number;
  /** Gives the memory back. */
  drop(): void;
}

/** Arrays of JavaScript. */
export class ArrayStore implements CountStore {
  low: Uint8Array = new Uint8Array(0);
  high: Uint32Array = new Uint32Array(0);

  reserve(size: number): void {
    this.low = grown(this.low, size);
  }

  carry(id: number, more: number): void {
    this.high = grown(this.high, id + 1);
    this.high[id] += more;
  }

  merge({ low, high }: WholeCounts, ids: Uint32Array): number {
    let fresh = 0;
    for (let k = 0; k < Math.min(ids.length, low.length); k++) {
      const more = low[k] + 256 * (high[k] ?? 0);
      if (more === 0) continue;
      const id = ids[k];
      if (this.get(id) === 0) fresh++;
      const sum = this.low[id] + more;
      this.low[id] = sum;
      if (sum > 255) this.carry(id, Math.floor(sum / 256));
    }
    return fresh;
  }

  gather(ids: ArrayLike<number>, out: Counts, start: number): void {
    for (let k = 0; k < ids.length; k++) out[start + k] = this.get(ids[k]);
  }

  most(ids: ArrayLike<number>): number {
    let most = 0;
    for (let k = 0; k < ids.length; k++) most = Math.max(most, this.get(ids[k]));
    return most;
  }

  private get(id: number): number {
    return (this.low[id] ?? 0) + 256 * (this.high[id] ?? 0);
  }

  drop(): void {
    this.low = new Uint8Array(0);
    this.high = new Uint32Array(0);
  }
}

/** The memory of the kernels, which count there. */
export class KernelStore implements CountStore {
  /** The column of the kernels: where its bytes are and how many, where its carries are and how many. */
  readonly column: number;
  private readonly kernels: KernelExports;
  private known = { parts: new Uint32Array(4), low: new Uint8Array(0), high: new Uint32Array(0) };

  constructor(kernels: KernelExports) {
    this.kernels = kernels;
    this.column = kernels.createColumn();
  }

  get low(): Uint8Array {
    return this.views().low;
  }

  get high(): Uint32Array {
    return this.views().high;
  }

  reserve(size: number): void {
    this.kernels.reserveColumn(this.column, size);
  }

  carry(id: number, more: number): void {
    this.kernels.carry(this.column, id, more);
  }

  merge({ low, high }: WholeCounts, ids: Uint32Array): number {
    const { kernels, column } = this;
    const lows = Math.min(low.length, ids.length);
    return this.withRoom(lows + 4 * (high.length + lows + 1), (at) => {
      const highAt = at + 4 * lows;
      const lowAt = highAt + 4 * high.length;
      const { buffer } = kernels.memory;
      new Uint32Array(buffer, at, lows).set(ids.subarray(0, lows));
      new Uint32Array(buffer, highAt, high.length).set(high);
      new Uint8Array(buffer, lowAt, lows).set(low.subarray(0, lows));
      return kernels.mergeColumn(column, lowAt, lows, highAt, high.length, at);
    });
  }

  gather(ids: ArrayLike<number>, out: Counts, start: number): void {
    const { kernels, column } = this;
    const { length } = ids;
    const width = out.BYTES_PER_ELEMENT;
    this.withRoom((4 + width) * length + 8, (at) => {
      const outAt = (at + 4 * length + 7) & ~7;
      new Uint32Array(kernels.memory.buffer, at, length).set(ids);
      kernels.gatherColumn(column, at, length, outAt, width);
      const Kind = out.constructor as new (buffer: ArrayBufferLike, at: number, length: number) => Counts;
      out.set(new Kind(kernels.memory.buffer, outAt, length), start);
    });
  }

  most(ids: ArrayLike<number>): number {
    const { kernels, column } = this;
    return this.withRoom(4 * ids.length, (at) => {
      new Uint32Array(kernels.memory.buffer, at, ids.length).set(ids);
      return kernels.mostOf(column, at, ids.length);
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

  /** The views of the column where it is now; they are made anew when it or the memory has moved. */
  private views(): { parts: Uint32Array; low: Uint8Array; high: Uint32Array } {
    const { known } = this;
    const { buffer } = this.kernels.memory;
    const isCurrent =
      known.parts.buffer === buffer &&
      known.low.byteOffset === known.parts[0] &&
      known.low.length === known.parts[1] &&
      known.high.byteOffset === known.parts[2] &&
      known.high.length === known.parts[3];
    if (isCurrent) return known;
    const parts = new Uint32Array(buffer, this.column, 4);
    const [low, room, high, highRoom] = parts;
    this.known = { parts, low: new Uint8Array(buffer, low, room), high: new Uint32Array(buffer, high, highRoom) };
    return this.known;
  }
}
