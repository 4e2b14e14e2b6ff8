import { type GivenOptions, integer, type OptionSpec, optional, readOptions } from '../core/options.ts';
import { refuse } from '../errors.ts';
import { requireEnoughFor, type Split, type Splitter } from './folds.ts';
import { countRows, type Splittable } from './rows.ts';

const size = optional(integer({ default: 1, min: 1 }));
const timeSpec = {
  /** The number of splits. Default: 5. */
  nSplits: integer({ default: 5, min: 2 }),
  /** The most training rows. Default: null, no limit. */
  maxTrainSize: size,
  /** The number of held-out rows of each split. Default: rows / (nSplits + 1), rounded down. */
  testSize: size,
  /** The number of rows left out between training and held-out rows. Default: 0. */
  gap: integer({ default: 0, min: 0 }),
} satisfies OptionSpec;

/** Options of splits in time. */
export type TimeSeriesSplitOptions = GivenOptions<typeof timeSpec>;

/** Time series splits: rows are held out from models of the rows before them, never of later ones. */
export class TimeSeriesSplit implements Splitter {
  readonly nSplits: number;
  readonly maxTrainSize: number | null;
  readonly testSize: number | null;
  readonly gap: number;

  constructor(options: TimeSeriesSplitOptions = {}) {
    const read = readOptions('TimeSeriesSplit', timeSpec, options);
    ({ nSplits: this.nSplits, maxTrainSize: this.maxTrainSize, testSize: this.testSize, gap: this.gap } = read);
  }

  split(X: Splittable): Iterable<Split> {
    const rows = countRows(X);
    const test = this.testSize ?? Math.floor(rows / (this.nSplits + 1));
    requireEnoughFor(this.nSplits + 1, rows, 'rows');
    if (rows - this.gap - test * this.nSplits <= 0) {
      refuse(
        'E_PARAM',
        `${rows} rows are too few for ${this.nSplits} tests of ${test} rows after a gap of ${this.gap}`,
        {
          name: 'nSplits',
          actual: rows,
        },
      );
    }
    return this.#walk(rows, test);
  }

  *#walk(rows: number, test: number): Generator<Split> {
    const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
    for (let start = rows - this.nSplits * test; start < rows; start += test) {
      const end = start - this.gap;
      yield [range(Math.max(0, end - (this.maxTrainSize ?? end)), end), range(start, start + test)];
    }
  }

  getNSplits(): number {
    return this.nSplits;
  }
}
