import { maximum, sum } from './arrays.ts';

const LEAST_NORMAL = 2 ** -1022;

/**
 * ln(a / b) for a, b ≥ 0, also where a / b underflows or overflows, and with full relative accuracy where a ≈ b. A zero
 * count is impossible: logRatio(0, b) = −Infinity, and so is logRatio(0, 0).
 */
export function logRatio(a: number, b: number): number {
  if (a === 0) return -Infinity;
  const ratio = a / b;
  // a − b is exact within a factor of two (Sterbenz), which avoids the rounding of a / b near 1.
  if (ratio > 0.5 && ratio < 2) return Math.log1p((a - b) / b);
  if (ratio >= LEAST_NORMAL && ratio < Infinity) return Math.log(ratio);
  return Math.log(a) - Math.log(b);
}

/**
 * The logarithms of the shares, ln(n[c] / Σn), of counts n[c] ≥ 0. Without any counts every share is 1/K, because a
 * prior must sum to one; otherwise an empty cell has share 0 and logarithm −Infinity.
 */
export function logShares(n: Float64Array): Float64Array {
  const total = sum(n);
  if (total === 0) return new Float64Array(n.length).fill(-Math.log(n.length));
  return n.map((count) => logRatio(count, total));
}

/** Logarithms of shares that sum to 1: values − ln Σ e^values. */
export function normaliseLogs(values: Float64Array): Float64Array {
  const shares = new Float64Array(values.length);
  logSoftmaxInto(values, 0, values.length, shares);
  return shares;
}

/**
 * ln Σ e^values[i] over `length` elements from `from`, shifted by the greatest so that nothing overflows. −Infinity if
 * there are none or all are −Infinity; Infinity if one is; NaN if one is.
 */
export function logSumExp(values: Float64Array, from = 0, length: number = values.length - from): number {
  const greatest = maximum(values, from, length);
  if (!Number.isFinite(greatest)) return greatest;
  return greatest + logOfScaledSum(values, from, length, greatest);
}

/**
 * ln Σ e^(values[i] − greatest); the greatest itself is left out of the sum, so that small remainders keep their
 * digits.
 */
function logOfScaledSum(values: Float64Array, from: number, length: number, greatest: number): number {
  let rest = 0;
  let seen = false;
  for (let i = from; i < from + length; i++) {
    if (!seen && values[i] === greatest) seen = true;
    else rest += Math.exp(values[i] - greatest);
  }
  return Math.log1p(rest);
}

/** ln(e^a + e^b). */
export function logAddExp(a: number, b: number): number {
  if (a === b) return a + Math.LN2;
  return Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));
}

/** 1 / (1 + e^−z), without overflow. */
export function logistic(z: number): number {
  return z >= 0 ? 1 / (1 + Math.exp(-z)) : Math.exp(z) / (1 + Math.exp(z));
}

/** ln(1 + eˣ), without overflow for large x and without loss for very negative x. */
export function softplus(x: number): number {
  return x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x));
}

/**
 * ln(1 − eˣ) for x ≤ 0; −Infinity at 0, NaN above.
 * Mächler, Accurately Computing log(1 − exp(−|a|)) (2012), eq. (7).
 */
export function log1mexp(x: number): number {
  return x > -Math.LN2 ? Math.log(-Math.expm1(x)) : Math.log1p(-Math.exp(x));
}

/**
 * ln(1 + x) − x for x > −1 without cancellation. With r = x / (2 + x)
 *
 *   ln(1 + x) − x = r (−x + 2r² (1/3 + r²/5 + r⁴/7 + …))               (1)
 *
 * from ln(1 + x) = 2 artanh r (DLMF 4.6.4 for the series).
 */
export function log1pmx(x: number): number {
  if (x < -0.4 || x > 0.4) return Math.log1p(x) - x;
  const r = x / (2 + x);
  const square = r * r;
  let tail = 0;
  for (let k = 33; k >= 3; k -= 2) tail = tail * square + 1 / k;
  return r * (2 * square * tail - x);
}

/**
 * Normalises log-scores: out[i] = scores[i] − ln Σ e^scores, for `length` elements from `offset`; `out` may be
 * `scores`. Returns the log-sum-exp. If all are −Infinity they stay −Infinity (visible in the return value); scores of
 * +Infinity share the whole mass equally.
 */
export function logSoftmaxInto(scores: Float64Array, offset: number, length: number, out: Float64Array): number {
  const greatest = maximum(scores, offset, length);
  const end = offset + length;
  if (!Number.isFinite(greatest)) {
    let ties = 0;
    for (let i = offset; i < end; i++) if (scores[i] === Infinity) ties++;
    const rest = Number.isNaN(greatest) ? Number.NaN : -Infinity;
    for (let i = offset; i < end; i++) out[i] = ties > 0 && scores[i] === Infinity ? -Math.log(ties) : rest;
    return greatest;
  }
  const logRest = logOfScaledSum(scores, offset, length, greatest);
  // In this order the greatest logarithm is −logRest itself: −1e-20 stays −1e-20 under scores of −1e5.
  for (let i = offset; i < end; i++) out[i] = scores[i] - greatest - logRest;
  return greatest + logRest;
}

/** x ln y, with 0 · ln 0 = 0. */
export function xlogy(x: number, y: number): number {
  return x === 0 && !Number.isNaN(y) ? 0 : x * Math.log(y);
}
