/**
 * NumPy's own roundings, for the few places where a bin edge, a tie or a printed digit depends on them.
 */

const BLOCK = 128;

/** Σ values as NumPy adds a contiguous array: eight running sums within blocks of 128, halves above. */
export function numpySum(values: ArrayLike<number>, from = 0, length: number = values.length - from): number {
  if (length < 8) {
    let total = 0;
    for (let i = from; i < from + length; i++) total += values[i];
    return total;
  }
  if (length <= BLOCK) return sumOfEight(values, from, length);
  const half = Math.floor(length / 2);
  const left = half - (half % 8);
  return numpySum(values, from, left) + numpySum(values, from + left, length - left);
}

function sumOfEight(values: ArrayLike<number>, from: number, length: number): number {
  const r = Array.from({ length: 8 }, (_, k) => values[from + k]);
  const whole = length - (length % 8);
  for (let i = 8; i < whole; i += 8) for (let k = 0; k < 8; k++) r[k] += values[from + i + k];
  let total = r[0] + r[1] + (r[2] + r[3]) + (r[4] + r[5] + (r[6] + r[7]));
  for (let i = whole; i < length; i++) total += values[from + i];
  return total;
}

/** The mean, added as NumPy adds. */
export function meanOf(values: readonly number[]): number {
  return numpySum(values) / values.length;
}

/** The standard deviation of all values, not of a sample. */
export function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
}

/** `count` + 1 points from 0 to 1, as i · (1 / count): the third of five fifths is 0.6000000000000001. */
export function unitSteps(count: number): Float64Array {
  const step = 1 / count;
  return Float64Array.from({ length: count + 1 }, (_, i) => (i === count ? 1 : i * step));
}

/** The quantiles of sorted values at shares q, with linear interpolation between order statistics. */
export function quantiles(sorted: Float64Array, shares: Float64Array): Float64Array {
  const last = sorted.length - 1;
  return shares.map((share) => {
    const place = ((share * 100) / 100) * last;
    const below = Math.min(Math.floor(place), last);
    const [a, b, t] = [sorted[below], sorted[Math.min(below + 1, last)], place - below];
    return t < 0.5 ? a + (b - a) * t : b - (b - a) * (1 - t);
  });
}

/** |a − b| ≤ 1e-8 + 1e-5 |b|, NumPy's default notion of close. */
export function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-8 + 1e-5 * Math.abs(b);
}
