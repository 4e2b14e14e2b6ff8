import { firstFrom } from '../math/search.ts';

/** The nine definitions of a sample quantile of Hyndman & Fan, Sample Quantiles in Statistical Packages (1996), as NumPy names them. */
export const quantileMethods = [
  'inverted_cdf',
  'averaged_inverted_cdf',
  'closest_observation',
  'interpolated_inverted_cdf',
  'hazen',
  'weibull',
  'linear',
  'median_unbiased',
  'normal_unbiased',
] as const;

/** One of the nine definitions. */
export type QuantileMethod = (typeof quantileMethods)[number];

/** (α, β) of the definitions that interpolate at the index n q + α + q (1 − α − β) − 1. */
const interpolating: Partial<Record<QuantileMethod, readonly [alpha: number, beta: number]>> = {
  interpolated_inverted_cdf: [0, 1],
  hazen: [0.5, 0.5],
  weibull: [0, 0],
  median_unbiased: [1 / 3, 1 / 3],
  normal_unbiased: [3 / 8, 3 / 8],
};

/** The q-quantile, 0 ≤ q ≤ 1, of sorted values; every operation in NumPy's order, so that the last digit agrees. */
export function quantile(sorted: Float64Array, q: number, method: QuantileMethod): number {
  const n = sorted.length;
  const at = (index: number) => sorted[Math.min(Math.max(index, 0), n - 1)];
  if (method === 'inverted_cdf') {
    const index = n * q - 1;
    return at(Math.floor(index) + (Number.isInteger(index) ? 0 : 1));
  }
  if (method === 'closest_observation') {
    const index = n * q - 1 - 0.5;
    const even = Number.isInteger(index) && Math.abs(index % 2) === 1;
    return at(Math.floor(index) + (even ? 0 : 1));
  }
  if (method === 'averaged_inverted_cdf') {
    const index = n * q - 1;
    return interpolate(at, index, n, (gamma) => (gamma === 0 ? 0.5 : 1));
  }
  if (method === 'linear') return interpolate(at, (n - 1) * q, n, (gamma) => gamma);
  const [alpha, beta] = interpolating[method]!;
  return interpolate(at, n * q + (alpha + q * (1 - alpha - beta)) - 1, n, (gamma) => gamma);
}

function interpolate(
  at: (index: number) => number,
  index: number,
  n: number,
  weigh: (gamma: number) => number,
): number {
  if (index >= n - 1) return at(n - 1);
  if (index < 0) return at(0);
  const below = Math.floor(index);
  const t = weigh(index - below);
  const [a, b] = [at(below), at(below + 1)];
  return t >= 0.5 ? b - (b - a) * (1 - t) : a + (b - a) * t;
}

/**
 * The q-quantile of sorted values with positive weights: the first whose cumulated weight reaches q W, averaged with the
 * next where it is reached exactly and an average is asked for.
 */
export function weightedQuantile(sorted: Float64Array, cumulated: Float64Array, q: number, average: boolean): number {
  const last = sorted.length - 1;
  const target = q * cumulated[last];
  const low = firstFrom(cumulated.subarray(0, last), target);
  const exact = target > 0 && cumulated[low] - target <= Number.EPSILON;
  return average && exact ? (sorted[low] + sorted[Math.min(low + 1, last)]) / 2 : sorted[low];
}
