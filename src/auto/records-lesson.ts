import { logShares } from '../math/logs.ts';
import { type Frame, takeFrame } from './records.ts';
import { type Cutting, cutColumn } from './records-views.ts';

/** How a column is read: as numbers, or as levels. */
export type Reading = 'number' | 'level';

/** Rows to learn from: everything that is learned in a fold is learned from its lesson alone, cuts and scales too. */
export class Lesson {
  readonly frame: Frame;
  readonly codes: Int32Array;
  readonly classes: number;
  readonly readings: readonly Reading[];
  /** How much each row counts; one without it. */
  readonly weights: Float64Array | undefined;
  private readonly known = new Map<string, number[]>();

  constructor(
    frame: Frame,
    codes: Int32Array,
    classes: number,
    readings: readonly Reading[],
    weights?: Float64Array | undefined,
  ) {
    this.frame = frame;
    this.codes = codes;
    this.classes = classes;
    this.readings = readings;
    this.weights = weights;
  }

  /** Some of the rows. */
  part(rows: ArrayLike<number>): Lesson {
    const codes = Int32Array.from(rows, (i) => this.codes[i]);
    const { weights } = this;
    const own = weights && Float64Array.from(rows, (i) => weights[i]);
    return new Lesson(takeFrame(this.frame, rows), codes, this.classes, this.readings, own);
  }

  /** Labels as estimators take them. */
  get labels(): number[] {
    return Array.from(this.codes);
  }

  /** ln p(c) as counted. */
  get logPrior(): Float64Array {
    const counts = new Float64Array(this.classes);
    this.codes.forEach((code, i) => {
      counts[code] += this.weights?.[i] ?? 1;
    });
    return logShares(counts);
  }

  /** The columns that are read in this way. */
  columns(reading: Reading): number[] {
    return [...this.readings.keys()].filter((j) => this.readings[j] === reading);
  }

  /** The cuts of a column of numbers. */
  cuts(j: number, cutting: Cutting): number[] {
    const key = `${cutting}${j}`;
    const known = this.known.get(key);
    if (known) return known;
    const found = cutColumn(this.frame.columns[j], this.codes, this.classes, cutting, this.weights);
    this.known.set(key, found);
    return found;
  }
}

/** One split: the training rows, and the held-out rows. */
export interface Fold {
  readonly lesson: Lesson;
  readonly frame: Frame;
}
