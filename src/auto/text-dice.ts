import type { SparseMatrix } from '../data/sparse.ts';
import { remainder } from '../math/arrays.ts';
import { logShares } from '../math/logs.ts';
import { type Scorer, scoreRows } from './text-rows.ts';

/** Weight of every term in every class, feature-major, and rows of every class. */
export interface TermCounts {
  readonly n: Float64Array;
  readonly s: Float64Array; // s[j * classes + c]
}

/** Which dice a class is judged by: its own, or those of all other classes. */
export type Die = 'own' | 'others';

/** Counts the listed rows. */
export function countTerms(X: SparseMatrix, y: Int32Array, classes: number, rows: Iterable<number>): TermCounts {
  const { indptr, indices, data } = X;
  const [n, s] = [new Float64Array(classes), new Float64Array(X.cols * classes)];
  for (const i of rows) {
    n[y[i]]++;
    for (let k = indptr[i]; k < indptr[i + 1]; k++) s[indices[k] * classes + y[i]] += data[k];
  }
  return { n, s };
}

/** A cell of what remains that is no larger than this is rounding: a term of a row of length 1 weighs far more. */
const ROUNDING = 1e-9;

/** Counts of all rows but the listed ones: the whole minus the part, never a second count of the rest. */
export function countWithout(whole: TermCounts, X: SparseMatrix, y: Int32Array, rows: Iterable<number>): TermCounts {
  const { indptr, indices, data } = X;
  const [n, s] = [whole.n.slice(), whole.s.slice()];
  const classes = n.length;
  for (const i of rows) {
    n[y[i]]--;
    for (let k = indptr[i]; k < indptr[i + 1]; k++) {
      const cell = indices[k] * classes + y[i];
      const left = s[cell] - data[k];
      s[cell] = left < ROUNDING ? 0 : left;
    }
  }
  return { n, s };
}

/** ln p(c); a class all of whose rows are held out keeps half a row, so that its score stays a number. */
const priorOf = (n: Float64Array) => logShares(n.map((rows) => (rows > 0 ? rows : 0.5)));

/**
 * Multinomial naive Bayes, w[j,c] = ln (s[j,c] + α) / Σⱼ (s[j,c] + α). Most cells are empty and share one logarithm.
 */
function ownDice({ n, s }: TermCounts, alpha: number, weights: Float64Array): Scorer {
  const classes = n.length;
  const total = new Float64Array(classes).fill(alpha * (s.length / classes));
  for (let from = 0; from < s.length; from += classes) for (let c = 0; c < classes; c++) total[c] += s[from + c];
  const logTotal = total.map(Math.log);
  const empty = Math.log(alpha);
  for (let from = 0; from < s.length; from += classes) {
    for (let c = 0; c < classes; c++) {
      const count = s[from + c];
      weights[from + c] = (count === 0 ? empty : Math.log(count + alpha)) - logTotal[c];
    }
  }
  return { start: priorOf(n), weights };
}

/**
 * Complement naive Bayes, w[j,c] = −ln (s[j] − s[j,c] + α) / Σⱼ (s[j] − s[j,c] + α). It has no prior: the pool adds one.
 * Rennie, Shih, Teevan & Karger, Tackling the Poor Assumptions of Naive Bayes (2003), §4.4.
 */
function othersDice({ n, s }: TermCounts, alpha: number, weights: Float64Array): Scorer {
  const classes = n.length;
  const own = new Float64Array(classes);
  let all = alpha * (s.length / classes);
  for (let from = 0; from < s.length; from += classes) {
    let sum = 0;
    for (let c = 0; c < classes; c++) sum += s[from + c];
    const whole = Math.log(sum + alpha);
    for (let c = 0; c < classes; c++) {
      const count = s[from + c];
      own[c] += count;
      weights[from + c] = count === 0 ? -whole : -Math.log(remainder(sum, count) + alpha);
    }
    all += sum;
  }
  const logTotal = own.map((mine) => Math.log(all - mine));
  for (let from = 0; from < s.length; from += classes) {
    for (let c = 0; c < classes; c++) weights[from + c] += logTotal[c];
  }
  return { start: new Float64Array(classes), weights };
}

/** The scorer of a die from counts; its weights are written to `weights` where that is given. */
export function loadDice(die: Die, counts: TermCounts, alpha: number, weights?: Float64Array): Scorer {
  return (die === 'own' ? ownDice : othersDice)(counts, alpha, weights ?? new Float64Array(counts.s.length));
}

/** Counts of this many cells are kept for every fold; larger ones are taken from the whole each time. */
const MOST_KEPT = 5e6;

/** The counts of all rows, and of all rows but those of each fold. */
export class FoldCounts {
  readonly X: SparseMatrix;
  readonly y: Int32Array;
  readonly parts: readonly Uint32Array[];
  readonly whole: TermCounts;
  private readonly kept: (TermCounts | undefined)[] = [];
  private readonly scratch: Float64Array;

  constructor(X: SparseMatrix, y: Int32Array, classes: number, parts: readonly Uint32Array[]) {
    this.X = X;
    this.y = y;
    this.parts = parts;
    this.whole = countTerms(X, y, classes, y.keys());
    this.scratch = new Float64Array(this.whole.s.length);
  }

  /** Scores of the rows of these folds by the dice of the other folds; `scores` holds all rows. */
  scoreFolds(die: Die, alpha: number, folds: Iterable<number>, scores: Float64Array): void {
    for (const k of folds) {
      scoreRows(loadDice(die, this.rest(k), alpha, this.scratch), this.X, this.parts[k], scores);
    }
  }

  private rest(k: number): TermCounts {
    const rest = this.kept[k] ?? countWithout(this.whole, this.X, this.y, this.parts[k]);
    if (rest.s.length <= MOST_KEPT) this.kept[k] = rest;
    return rest;
  }
}
