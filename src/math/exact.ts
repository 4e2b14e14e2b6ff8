/** a + b = [sum, error] exactly, where sum is the rounded one (Knuth, TAOCP vol. 2, §4.2.2, theorem B). */
export function twoSum(a: number, b: number): [sum: number, error: number] {
  const total = a + b;
  const part = total - a;
  return [total, a - (total - part) + (b - part)];
}

const SPLITTER = 2 ** 27 + 1;

/** The upper half of the 53 bits (Veltkamp). */
function upperHalf(x: number): number {
  const scaled = SPLITTER * x;
  return scaled - (scaled - x);
}

/**
 * a · b = [product, error] exactly, where product is the rounded one (Dekker 1971).
 * Exact while |a|, |b| and |ab| stay below 1e290 and |ab| above 1e-290 (or ab = 0).
 */
export function twoProduct(a: number, b: number): [product: number, error: number] {
  const product = a * b;
  const aHigh = upperHalf(a);
  const aLow = a - aHigh;
  const bHigh = upperHalf(b);
  const bLow = b - bHigh;
  return [product, aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)];
}

/**
 * Adds x to an exact sum. `parts` is a list of non-overlapping numbers of growing magnitude whose sum is the exact
 * total; the empty list is 0. Shewchuk, Adaptive Precision Floating-Point Arithmetic (1997), §2.4, with zeros
 * eliminated. Exact while no partial sum exceeds 1.79e308; beyond that, and after an infinite or NaN x, one non-finite
 * part remains.
 */
export function growExpansion(parts: number[], x: number): void {
  let carry = x;
  let kept = 0;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    const total = carry + part;
    const back = total - carry;
    const error = carry - (total - back) + (part - back);
    if (error !== 0) parts[kept++] = error;
    carry = total;
  }
  if (Number.isFinite(carry)) {
    if (carry !== 0) parts[kept++] = carry;
    parts.length = kept;
    return;
  }
  parts.length = 1;
  parts[0] = carry;
}

/**
 * The total of an expansion, correctly rounded (ties to even). The greatest parts determine it, except for a tie, where
 * the sign of the next part does.
 */
export function roundExpansion(parts: readonly number[]): number {
  let i = parts.length - 1;
  if (i < 0) return 0;
  let total = parts[i];
  let error = 0;
  while (i > 0 && error === 0) {
    const before = total;
    total = before + parts[--i];
    error = parts[i] - (total - before);
  }
  const below = i > 0 ? parts[i - 1] : 0;
  if ((error > 0 && below > 0) || (error < 0 && below < 0)) {
    // `total` was rounded without the parts below: if it was a tie, the next part breaks it the other way.
    const beyond = total + 2 * error;
    if (beyond - total === 2 * error) return beyond;
  }
  return total;
}

/**
 * The canonical list for the exact total of an expansion, however it was computed: its first number is the rounded
 * total, the next the rounded remainder, and so on until nothing remains. The empty list is 0.
 */
export function canonicalExpansion(parts: readonly number[]): number[] {
  const rest = parts.slice();
  const canonical: number[] = [];
  while (rest.length > 0) {
    const leading = roundExpansion(rest);
    canonical.push(leading);
    if (!Number.isFinite(leading)) break;
    growExpansion(rest, -leading);
  }
  return canonical;
}

/** Σ values[i], correctly rounded, and therefore the same in every order. */
export function exactSum(values: Iterable<number>): number {
  const parts: number[] = [];
  for (const value of values) growExpansion(parts, value);
  return roundExpansion(parts);
}

/** An exact sum: a number while that suffices, or an expansion. Undefined is zero. */
export type ExactSum = number | number[] | undefined;

/** An exact sum as an expansion. */
export function partsOf(sum: ExactSum): readonly number[] {
  if (typeof sum === 'object') return sum;
  return sum ? [sum] : [];
}

/** An exact sum plus x; an expansion is changed in place. */
export function plus(sum: ExactSum, x: number): number | number[] {
  if (typeof sum === 'object') {
    growExpansion(sum, x);
    return sum.length > 1 ? sum : (sum[0] ?? 0);
  }
  const before = sum ?? 0;
  const total = before + x;
  const part = total - before;
  const error = before - (total - part) + (x - part);
  return error === 0 || !Number.isFinite(total) ? total : [error, total];
}

/** The rounded total of an exact sum and its rounded remainder: about 106 bits. */
export type Pair = readonly [high: number, low: number];

/** An exact sum as a pair; equal totals give equal pairs. */
export function pairOf(sum: ExactSum): Pair {
  if (typeof sum !== 'object') return [sum ?? 0, 0];
  const [high = 0, low = 0] = canonicalExpansion(sum);
  return [high, low];
}

/** a + b · factor to about 106 bits. */
export function addScaled(a: Pair, b: Pair, factor: number): Pair {
  const [product, rest] = twoProduct(b[0], factor);
  const [sum, error] = twoSum(a[0], product);
  const low = error + (a[1] + (rest + b[1] * factor));
  return [sum + low, low - (sum + low - sum)];
}
