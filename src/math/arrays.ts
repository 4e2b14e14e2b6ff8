/** Adds element-wise: to[i] += from[i]. The merge of every additive statistic. */
export function addInto(to: Float64Array, from: Float64Array): void {
  for (let i = 0; i < to.length; i++) to[i] += from[i];
}

/** Subtracts element-wise: to[i] −= from[i]. The inverse of `addInto` while every sum is exact. */
export function subtractFrom(to: Float64Array, from: Float64Array): void {
  for (let i = 0; i < to.length; i++) to[i] -= from[i];
}

/** Multiplies every element: to[i] *= factor. Several factors apply to equal consecutive parts of the array. */
export function scaleInto(to: Float64Array, factor: number | Float64Array): void {
  if (typeof factor === 'number') {
    for (let i = 0; i < to.length; i++) to[i] *= factor;
    return;
  }
  const length = to.length / factor.length;
  for (let k = 0; k < factor.length; k++) scaleInto(to.subarray(k * length, (k + 1) * length), factor[k]);
}

/** Adds a multiple: to[i] += factor · from[i]. */
export function addScaledInto(to: Float64Array, factor: number, from: Float64Array): void {
  for (let i = 0; i < to.length; i++) to[i] += factor * from[i];
}

const PAIRWISE_BLOCK = 128;

/** How many of the codes 0, 1, … each occurs, or the sum of their weights. */
export function countCodes(codes: ArrayLike<number>, size: number, weights?: ArrayLike<number>): Float64Array {
  const counts = new Float64Array(size);
  for (let i = 0; i < codes.length; i++) counts[codes[i]] += weights ? weights[i] : 1;
  return counts;
}

/**
 * Σ values[i] over `length` elements from `from`, by pairwise summation: the error grows with log n instead of n
 * (Higham, Accuracy and Stability of Numerical Algorithms, §4.2). `exactSum` in exact.ts has no error.
 */
export function sum(values: ArrayLike<number>, from = 0, length: number = values.length - from): number {
  if (length <= PAIRWISE_BLOCK) {
    let total = 0;
    for (let i = from; i < from + length; i++) total += values[i];
    return total;
  }
  const half = length >> 1;
  return sum(values, from, half) + sum(values, from + half, length - half);
}

/** Σ a[i] · b[i]. */
export function dot(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += a[i] * b[i];
  return total;
}

/** Whether one of `length` elements from `from` is NaN. */
export function hasNaN(values: Float64Array, from = 0, length: number = values.length - from): boolean {
  for (let i = from; i < from + length; i++) if (Number.isNaN(values[i])) return true;
  return false;
}

/** The greatest of `length` elements from `from`; −Infinity if there are none, NaN if one of them is NaN. */
export function maximum(values: ArrayLike<number>, from = 0, length: number = values.length - from): number {
  let greatest = -Infinity;
  for (let i = from; i < from + length; i++) {
    if (values[i] > greatest) greatest = values[i];
    else if (Number.isNaN(values[i])) return Number.NaN;
  }
  return greatest;
}

/**
 * The index of the greatest of `length` elements from `from`, relative to `from`; the first of ties, −1 if there are
 * none. NaN is never the greatest; if all are NaN the result is 0.
 */
export function argmax(values: Float64Array, from = 0, length: number = values.length - from): number {
  if (length <= 0) return -1;
  let best = from;
  for (let i = from + 1; i < from + length; i++) {
    if (values[i] > values[best] || (Number.isNaN(values[best]) && !Number.isNaN(values[i]))) best = i;
  }
  return best - from;
}

/** The indices of the k greatest elements, greatest first; ties in their order. NaN counts as −Infinity. */
export function topPlaces(values: Float64Array, k: number): number[] {
  const key = (i: number) => (Number.isNaN(values[i]) ? Number.NEGATIVE_INFINITY : values[i]);
  const top: number[] = [];
  for (let i = 0; i < values.length; i++) {
    if (top.length === k && !(key(i) > key(top[k - 1]))) continue;
    let [low, high] = [0, top.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (key(top[middle]) >= key(i)) low = middle + 1;
      else high = middle;
    }
    top.splice(low, 0, i);
    if (top.length > k) top.pop();
  }
  return top;
}

/** A remainder below this share of the original is rounding, not mass. */
const ROUNDING = 1e-13;

/** have − take, for sums: a remainder that is only rounding becomes zero. */
export function remainder(have: number, take: number): number {
  const left = have - take;
  return Math.abs(left) <= ROUNDING * have ? 0 : left;
}

/** Arrays one after the other. */
export function concat(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
