import { sum } from '../math/arrays.ts';
import { foldRows } from './folds.ts';

/** One split of the rows: what a model is fitted to, and the held-out rows that it is evaluated on. */
export interface Trial {
  /** The fold that is held out; `held` may be a sample of it. */
  readonly fold: number;
  readonly learn: Int32Array;
  readonly held: Int32Array;
}

/** Enough held-out rows to compare models: folds are scored until there are this many. */
const ENOUGH_HELD = 2000;
/** A sigmoid for every class needs about this many rows of each. */
const ENOUGH_OF_CLASS = 35;
/** Rows times classes: bounds the cost of comparing models in the number of classes. */
const MOST_CELLS = 1_000_000;
const FEWEST_HELD = 1000;
/** The number of groups for cross-fitting a pool if only one or two folds are held out. */
const PARTS = 3;
/** Rows of a small class that a sample has at least. */
const LEAST_OF_CLASS = 20;

/**
 * At most about `most` of the rows, of every class in proportion, and of a small one up to 20. `sizes` are those of the
 * classes, by code, if the rows are not in proportion themselves.
 */
export function stratifiedSample(
  rows: Int32Array,
  codes: Int32Array,
  most: number,
  sizes?: ArrayLike<number>,
): Int32Array {
  if (rows.length <= most) return rows;
  const byClass = new Map<number, number[]>();
  for (const i of rows) {
    const own = byClass.get(codes[i]);
    if (own) own.push(i);
    else byClass.set(codes[i], [i]);
  }
  const total = sizes ? sum(sizes) : rows.length;
  const taken = Array.from(byClass).flatMap(([c, own]) => {
    const share = Math.round(((sizes?.[c] ?? own.length) * most) / total);
    const size = Math.min(own.length, Math.max(LEAST_OF_CLASS, share));
    return Array.from({ length: size }, (_, k) => own[Math.floor(((k + 0.5) * own.length) / size)]);
  });
  return Int32Array.from(taken).sort();
}

/** As many of the folds as it takes to hold out enough rows, each as a split. */
export function trialsOf(
  folds: Int32Array,
  codes: Int32Array,
  classes: number,
  wanted: number = Math.max(ENOUGH_HELD, ENOUGH_OF_CLASS * classes),
): Trial[] {
  const most = Math.max(FEWEST_HELD, Math.floor(MOST_CELLS / classes));
  const enough = Math.min(wanted, most);
  const count = folds.reduce((top, fold) => Math.max(top, fold + 1), 0);
  const trials: Trial[] = [];
  let held = 0;
  for (let fold = 0; fold < count && held < enough; fold++) {
    const { held: own, learn } = foldRows(folds, fold);
    if (own.length === 0 || learn.length === 0) continue;
    trials.push({ fold, learn, held: stratifiedSample(own, codes, most) });
    held += own.length;
  }
  return trials;
}

/** All held-out rows, ascending, and the folds by which what is fitted to their scores is cross-fitted. */
export function heldOutBy(trials: readonly Trial[]): { rows: Int32Array; folds: Int32Array } {
  const rows = Int32Array.from(trials.flatMap(({ held }) => Array.from(held))).sort();
  const fold = new Map(trials.flatMap((trial) => Array.from(trial.held, (i) => [i, trial.fold] as const)));
  return { rows, folds: rows.map((i, k) => (trials.length < PARTS ? k % PARTS : fold.get(i)!)) };
}
