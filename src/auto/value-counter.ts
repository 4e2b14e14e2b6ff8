import { isBlank, isMarker, wordOf } from '../data/cells.ts';
import type { ColumnTally } from './schema-kinds.ts';

/** A column keeps exact counts of this many different values, fewer where a table has more than fifty columns. */
const MOST_VALUES = 20_000;
const MOST_VALUES_OF_TABLE = 1_000_000;
const LEAST_VALUES = 1000;
/** The characters that the counted values of a column may have together. */
const MOST_CHARACTERS = 4_000_000;
/** Distinct values beyond the exact ones are estimated from a sample of this many hashes, within about 2 %. */
const HASHES = 4096;

/**
 * A hash of 53 bits: two 32-bit multiplicative hashes of the UTF-16 units. A million different strings collide with a probability
 * below 1e-4.
 */
export function hashText(text: string): number {
  let [a, b] = [0x1bd11bda, 0x41c6ce57];
  for (let k = 0; k < text.length; k++) {
    const unit = text.charCodeAt(k);
    a = Math.imul(a ^ unit, 0x9e3779b1);
    b = Math.imul(b ^ unit, 0x5f356495);
  }
  return finish(a, b);
}

/** The hash of two hashes, in this order. */
export function hashPair(one: number, other: number): number {
  const low = (value: number) => value | 0;
  const high = (value: number) => (value / 2 ** 32) | 0;
  const a = Math.imul(low(one) ^ Math.imul(high(other), 0x85ebca6b), 0x9e3779b1) ^ low(other);
  const b = Math.imul(high(one) ^ Math.imul(low(other), 0xc2b2ae35), 0x5f356495) ^ high(other);
  return finish(a, b);
}

function finish(a: number, b: number): number {
  const one = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  const two = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return ((two ^ (two >>> 15)) & 0x1fffff) * 2 ** 32 + ((one ^ (one >>> 15)) >>> 0);
}

/** A cell as a key: equal lists are different objects. */
const plainCell = (cell: unknown): unknown => (typeof cell === 'object' && cell !== null ? wordOf(cell) : cell);

const isMissing = (cell: unknown): boolean => isBlank(cell) || isMarker(cell);

/** The hash of a cell as a word; that of a blank one is 0. */
export const hashCell = (cell: unknown): number => (isBlank(cell) ? 0 : hashText(wordOf(cell)));

/**
 * Counts the values of one column in bounded memory: exactly as long as there are not too many different ones. Then only missing cells
 * are counted, and the number of different values is estimated by adaptive sampling (Flajolet, On adaptive sampling, Computing 34,
 * 1990): hashes that end in d zero bits are kept, and d grows when there are too many of them.
 */
export class ValueCounter {
  /** Cells as they stand; dates, lists and objects as text. Once there are too many, those that came first. */
  readonly counts: Map<unknown, number> = new Map();
  /** Whether `counts` has every value. */
  complete = true;
  private characters = 0;
  private readonly hashes = new Set<number>();
  private mask = 0;

  /** Begins after some rows that do not have the column. */
  constructor(missing = 0) {
    if (missing > 0) this.counts.set(undefined, missing);
  }

  /** Counts a cell with its hash, in a table with so many columns. */
  add(cell: unknown, hash: number, columns: number): void {
    if (!this.complete && !isMissing(cell)) {
      this.sample(hash);
      return;
    }
    const value = plainCell(cell);
    const known = this.counts.get(value);
    this.counts.set(value, (known ?? 0) + 1);
    if (known !== undefined || !this.complete) return;
    if (typeof value === 'string') this.characters += value.length;
    const most = Math.min(MOST_VALUES, Math.max(LEAST_VALUES, Math.floor(MOST_VALUES_OF_TABLE / columns)));
    if (this.counts.size < most && this.characters < MOST_CHARACTERS) return;
    this.complete = false;
    for (const own of this.counts.keys()) if (!isMissing(own)) this.sample(hashCell(own));
  }

  /** How many different values there are; an estimate where not all are counted. */
  get distinct(): number {
    return this.complete ? this.counts.size : this.hashes.size * (this.mask + 1);
  }

  /** The counts of the cells of a sample, with the missing ones of all rows. */
  tally(sample: Iterable<unknown>): ColumnTally {
    const counts = new Map([...this.counts].filter(([cell]) => isMissing(cell)));
    for (const own of sample) {
      const cell = plainCell(own);
      if (!isMissing(cell)) counts.set(cell, (counts.get(cell) ?? 0) + 1);
    }
    return counts;
  }

  private sample(hash: number): void {
    if ((hash & this.mask) !== 0) return;
    this.hashes.add(hash);
    while (this.hashes.size > HASHES) {
      this.mask = 2 * this.mask + 1;
      for (const own of this.hashes) if ((own & this.mask) !== 0) this.hashes.delete(own);
    }
  }
}
