import type { SparseMatrix } from '../data/sparse.ts';
import { Random } from '../math/random.ts';
import type { Scorer } from './text-pool.ts';

/** Rows of marks (1 for a term that is there) with their classes. */
export interface Lessons {
  readonly X: SparseMatrix;
  readonly y: Int32Array;
  readonly classes: number;
}

/** How rows are gone over. A class that was wrong by less than `least` learns nothing from the row; 0 lets all learn. */
export interface Lecture {
  readonly passes: readonly number[];
  readonly seed: number;
  readonly least?: number;
}

/** Places in a list. */
type Span = readonly [from: number, to: number];

/** Most classes are as good as sure of most rows: leaving those out costs no accuracy and saves most logarithms. */
const LEAST_GAIN = 0.05;

/**
 * Discriminative multinomial naive Bayes as in models/discriminative.ts, equations and all, with the log-odds of every term
 * kept at hand: a row costs one addition per term and class, and a logarithm only where a class learns. Tables are in single
 * precision, for the time goes into fetching them.
 */
class Mistakes {
  private readonly classes: number;
  private readonly start: number;
  private readonly sides: Float32Array; // a + own and a + rest of every class, term by term
  private readonly odds: Float32Array; // ln (a + own) / (a + rest), feature-major
  private readonly ownTotal: Float64Array;
  private readonly restTotal: Float64Array;
  private readonly ownRows: Float64Array;
  private readonly restRows: Float64Array;
  private readonly scores: Float64Array;
  private readonly gains: Float64Array;
  private readonly learning: Int32Array; // the classes that learn from a row

  constructor(features: number, classes: number) {
    this.classes = classes;
    this.start = Math.log(Math.max(2, features));
    this.sides = new Float32Array(2 * features * classes).fill(this.start);
    this.odds = new Float32Array(features * classes);
    this.ownTotal = new Float64Array(classes).fill(features * this.start);
    this.restTotal = this.ownTotal.slice();
    this.ownRows = new Float64Array(classes).fill(1);
    this.restRows = this.ownRows.slice();
    this.scores = new Float64Array(classes);
    this.gains = new Float64Array(classes);
    this.learning = new Int32Array(classes);
  }

  /** Learns the terms from `from` to `to` of a list. */
  learn(terms: Uint32Array, [from, to]: Span, truth: number, least: number): void {
    const { classes, gains, learning } = this;
    const r = this.scoreOf(terms, from, to);
    let many = 0;
    for (let c = 0; c < classes; c++) {
      gains[c] = 1 / (1 + Math.exp(c === truth ? r[c] : -r[c]));
      if (gains[c] >= least) learning[many++] = c;
    }
    this.add(terms, [from, to], truth, many);
    for (let at = 0; at < many; at++) {
      const c = learning[at];
      (c === truth ? this.ownTotal : this.restTotal)[c] += gains[c] * (to - from);
      (c === truth ? this.ownRows : this.restRows)[c] += gains[c];
    }
  }

  private scoreOf(terms: Uint32Array, from: number, to: number): Float64Array {
    const { classes, odds, scores } = this;
    for (let c = 0; c < classes; c++) {
      const byLength = Math.log(this.ownTotal[c] / this.restTotal[c]);
      scores[c] = Math.log(this.ownRows[c] / this.restRows[c]) - (to - from) * byLength;
    }
    for (let k = from; k < to; k++) {
      const at = terms[k] * classes;
      for (let c = 0; c < classes; c++) scores[c] += odds[at + c];
    }
    return scores;
  }

  private add(terms: Uint32Array, [from, to]: Span, truth: number, many: number): void {
    const { classes, sides, odds, gains, learning } = this;
    if (many === 0) return;
    for (let k = from; k < to; k++) {
      for (let at = 0; at < many; at++) {
        const c = learning[at];
        const cell = terms[k] * classes + c;
        sides[2 * cell + (c === truth ? 0 : 1)] += gains[c];
        odds[cell] = Math.log(sides[2 * cell] / sides[2 * cell + 1]);
      }
    }
  }

  /** The linear score that was learned, halved for two classes as in the model. */
  scorer(): Scorer {
    const { classes, odds } = this;
    const half = classes === 2 ? 0.5 : 1;
    const byLength = this.ownTotal.map((mine, c) => Math.log(mine / this.restTotal[c]));
    const start = this.ownRows.map((mine, c) => half * Math.log(mine / this.restRows[c]));
    const weights = new Float64Array(odds.length);
    for (let from = 0; from < odds.length; from += classes) {
      for (let c = 0; c < classes; c++) weights[from + c] = half * (odds[from + c] - byLength[c]);
    }
    return { start, weights };
  }
}

/** Learns from the mistakes on the listed rows, gone over in random order, and stops after each of the ascending passes. */
export function* learnMistakes(
  { X, y, classes }: Lessons,
  rows: ArrayLike<number>,
  { passes, seed, least = LEAST_GAIN }: Lecture,
): Generator<Scorer, void> {
  const random = new Random(seed);
  const mistakes = new Mistakes(X.cols, classes);
  for (let pass = 1; pass <= passes[passes.length - 1]; pass++) {
    for (const at of random.permutation(rows.length)) {
      const i = rows[at];
      mistakes.learn(X.indices, [X.indptr[i], X.indptr[i + 1]], y[i], least);
    }
    if (passes.includes(pass)) yield mistakes.scorer();
  }
}
