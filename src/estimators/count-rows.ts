import type { TensorData } from '../data/safetensors.ts';
import { maximum } from '../math/arrays.ts';
import { grown } from '../text/grown.ts';

/** What a row of bytes can count. */
const SMALL = 255;

/** The counts of so many words stay near the processor while they are turned from words to classes or back. */
const TILE = 128;

/**
 * Whole counts by word and class, in as little room as they need: a word has a row of bytes until one of its counts is above 255, and
 * a row of full numbers from then on. Most words are rare, so that 250,000 of them in 20 classes take 6 MB instead of 40.
 */
export class CountRows {
  readonly classes: number;
  private small: Uint8Array = new Uint8Array(0);
  /** By word: 0, or one more than the number of its wide row. */
  private wides: Int32Array = new Int32Array(0);
  private wide: Float64Array = new Float64Array(0);
  private widened = 0;

  constructor(classes: number, words: number) {
    this.classes = classes;
    this.reserve(words);
  }

  /** There is room for the words with numbers below this one. */
  get words(): number {
    return this.wides.length;
  }

  /** Makes room for the words with numbers below this one. */
  reserve(words: number): void {
    this.small = grown(this.small, words * this.classes);
    this.wides = grown(this.wides, words);
  }

  /**
   * Takes counts over, class by class, of some words that have none yet; answers the sums by class, or undefined where a count is not
   * whole.
   */
  fill(words: Uint32Array, counts: TensorData): Float64Array | undefined {
    const { classes } = this;
    const totals = new Float64Array(classes);
    for (let from = 0; from < words.length; from += TILE) {
      const to = Math.min(words.length, from + TILE);
      for (let c = 0; c < classes; c++) {
        for (let j = from; j < to; j++) {
          const count = counts[c * words.length + j];
          if (count === 0) continue;
          if (!(count > 0 && Number.isInteger(count))) return undefined;
          this.add(words[j], c, count);
          totals[c] += count;
        }
      }
    }
    return totals;
  }

  /** Adds to the count of a word in a class. */
  add(word: number, c: number, value: number): void {
    const { classes, small } = this;
    const row = this.wides[word];
    const at = word * classes + c;
    if (row > 0) this.wide[(row - 1) * classes + c] += value;
    else if (small[at] + value <= SMALL) small[at] += value;
    else this.widen(word)[(this.widened - 1) * classes + c] += value;
  }

  /** The counts of some words, class by class, as full numbers or as the narrowest that hold all counts. */
  table(words: Uint32Array, narrow: true): TensorData;
  table(words: Uint32Array, narrow: false): Float64Array;
  table(words: Uint32Array, narrow: boolean): TensorData {
    const length = words.length * this.classes;
    const table = narrow ? this.narrowest(length) : new Float64Array(length);
    const { classes, small, wide, wides } = this;
    for (let from = 0; from < words.length; from += TILE) {
      const to = Math.min(words.length, from + TILE);
      for (let c = 0; c < classes; c++) {
        for (let j = from; j < to; j++) {
          const row = wides[words[j]];
          table[c * words.length + j] = row > 0 ? wide[(row - 1) * classes + c] : small[words[j] * classes + c];
        }
      }
    }
    return table;
  }

  /** Writes the counts of a word, class by class: `to[at]`, `to[at + step]`, … */
  copy(word: number, to: Float64Array, at: number, step: number): void {
    const { classes } = this;
    const row = this.wides[word];
    const from = row > 0 ? (row - 1) * classes : word * classes;
    const counts = row > 0 ? this.wide : this.small;
    for (let c = 0; c < classes; c++) to[at + c * step] = counts[from + c];
  }

  private narrowest(length: number): TensorData {
    const most = maximum(this.wide, 0, this.widened * this.classes);
    if (!(most > SMALL)) return new Uint8Array(length);
    if (most < 2 ** 16) return new Uint16Array(length);
    return most < 2 ** 32 ? new Uint32Array(length) : new Float64Array(length);
  }

  /** Gives a word a row of full numbers, the last of all. */
  private widen(word: number): Float64Array {
    const { classes } = this;
    const at = this.widened * classes;
    this.wide = grown(this.wide, at + classes);
    this.copy(word, this.wide, at, 1);
    this.wides[word] = ++this.widened;
    return this.wide;
  }
}
