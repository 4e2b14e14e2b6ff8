import { Matrix } from '../data/matrix.ts';
import { logSoftmaxInto } from '../math/logs.ts';
import type { Pool } from './pool.ts';

/**
 * How much a row counts for what is fitted on top of models: weights that do not add up to one, biases, heavy tails, calibration curves.
 * They are fitted to rows with most of their cells, while the models alone integrate missing cells out. With the share r of the cells
 * that a row ordinarily has, each of these layers gives
 *
 *   ln p = r ln p_fitted + (1 − r) ln p_before + const                                           (1)
 *
 * so that a complete row is answered as fitted, to the bit, and a row without any cell by the class prior.
 */
export const observedShare = (count: number, ordinary: number): number =>
  count === 0 ? 0 : Math.min(1, count / ordinary);

/** How many cells a row ordinarily has: all but one row in twenty have as many. */
export function ordinaryCount(counts: ArrayLike<number>): number {
  const sorted = Float64Array.from(counts).sort();
  return sorted[Math.floor(0.05 * sorted.length)] ?? 0;
}

/** What lies between a number as fitted and the one before, by (1); both may be infinite. */
export const between = (share: number, fitted: number, before: number): number =>
  share >= 1 ? fitted : share * fitted + (1 - share) * before;

/** The pool between one as fitted and another. */
export function poolBetween(share: number, fitted: Pool, before: Pool): Pool {
  if (share >= 1) return fitted;
  return {
    weights: fitted.weights.map((weight, m) => between(share, weight, before.weights[m])),
    bias: fitted.bias.map((value, c) => between(share, value, before.bias[c])),
  };
}

/** Log-probabilities on a curve, by (1). */
export function curveBetween(shares: ArrayLike<number>, fitted: Matrix, before: Matrix): Matrix {
  const { rows, cols } = fitted;
  const out = new Matrix(rows, cols, fitted.data.slice());
  for (let i = 0; i < rows; i++) {
    if (shares[i] >= 1) continue;
    const row = out.row(i);
    if (shares[i] === 0) row.set(before.row(i));
    else for (let c = 0; c < cols; c++) row[c] = between(shares[i], row[c], before.at(i, c));
    logSoftmaxInto(out.data, i * cols, cols, out.data);
  }
  return out;
}
