import type { Form } from '../core/form.ts';
import { byClass, type Linear } from '../core/linear.ts';
import {
  type ClassPrior,
  logClassPrior,
  type Pseudo,
  pseudoAt,
  pseudoSum,
  requirePseudoLength,
} from '../core/prior.ts';
import { Matrix } from '../data/matrix.ts';
import { sum } from '../math/arrays.ts';
import { logRatio } from '../math/logs.ts';
import type { Sums } from '../stats/sums.ts';

/** Log-probabilities of the faces of every die, feature-major, and how often a die is rolled per row, on average. */
export interface Dice extends Linear {
  readonly length: number;
}

/** How dice lie in a file. */
export const diceForm: Form<Dice, unknown> = {
  arrays: { logPrior: ['log', 'classes'], weights: ['log', 'features', 'classes'], length: ['weight'] },
};

/** Dice whose faces are weighed by a rule that may ask how many words each class has. */
export function diceOf(
  { classes, features, n, s }: Sums,
  classPrior: ClassPrior | undefined,
  weigh: (totals: Float64Array) => Float64Array,
): Dice {
  const totals = Float64Array.from({ length: classes }, (_, c) => rolls(s, features, c));
  return {
    classes,
    features,
    logPrior: logClassPrior(n, classPrior),
    weights: weigh(totals),
    length: sum(totals) / sum(n),
  };
}

/** Counts below this are common, and the logarithms of their shares are worth keeping. */
const COMMON = 32;

/** The weights of so many words for all classes stay near the processor while they are written class by class. */
const TILE = 64;

/** ln θ by (2) of models/multinomial.ts, feature-major. Most words of most classes were never rolled or a few times: their logarithms are computed once. */
export function dice({ classes, features, s }: Sums, k: Pseudo, totals?: Float64Array): Float64Array {
  requirePseudoLength(k, classes, features);
  const flat = typeof k === 'number' ? k : Number.NaN; // no pseudo-count is NaN
  const weights = new Float64Array(classes * features);
  const rows = Array.from({ length: classes }, (_, c) => {
    const total = (totals?.[c] ?? rolls(s, features, c)) + pseudoSum(k, features, c);
    return { total, common: Float64Array.from({ length: COMMON }, (_, count) => logRatio(count + flat, total)) };
  });
  for (let from = 0; from < features; from += TILE) {
    const to = Math.min(features, from + TILE);
    for (let c = 0; c < classes; c++) {
      const { total, common } = rows[c];
      for (let j = from; j < to; j++) {
        const count = s[c * features + j];
        const small = count | 0;
        const isCommon = small === count && small < COMMON && flat === k;
        weights[j * classes + c] = isCommon ? common[small] : logRatio(count + pseudoAt(k, features, c, j), total);
      }
    }
  }
  return weights;
}

/** How many words a class has. */
export const rolls = (s: Float64Array, features: number, c: number) => sum(s, c * features, features);

/** The faces as a matrix of ln θ, one row per class. */
export const facesOf = ({ classes, features, weights }: Dice): Matrix =>
  new Matrix(classes, features, byClass(weights, classes, features));

/** The counts of the faces as a matrix, one row per class. */
export const countsOf = ({ classes, features, s }: Sums): Matrix => new Matrix(classes, features, s.slice());
