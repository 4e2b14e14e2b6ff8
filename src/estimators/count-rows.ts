import type { TensorData } from '../data/safetensors.ts';
import { maximum } from '../math/arrays.ts';
import { grown } from '../text/grown.ts';

/** What a row of bytes can count. */
const SMALL = 255;

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
    for (let j = 0; j < words.length; j++) this.copy(words[j], table, j, words.length);
    return table;
  }

  /** Writes the counts of a word, class by class: `to[at]`, `to[at + step]`, … */
  copy(word: number, to: TensorData, at: number, step: number): void {
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
