import { type Rows, type Shape, toSparse } from '../data/batch.ts';
import type { Random } from '../math/random.ts';
import type { Terms } from './model.ts';

/**
 * Parameters of a score that is linear in the cells: score[c] = start[c] + Σⱼ xⱼ w[j,c].
 * The weights are feature-major: a word finds those of all classes side by side. Scoring 7532
 * documents with 130 107 words for 20 classes takes 82 ms, class-major 402 ms.
 */
export interface Linear extends Shape {
  readonly logPrior: Float64Array;
  readonly weights: Float64Array; // weights[j * classes + c]
}

/** out[i,c] = start[c] + Σⱼ xⱼ w[j,c] over the non-zero cells, in the order of the columns. */
export function scoreLinear(
  { classes, logPrior, weights }: Pick<Linear, 'classes' | 'logPrior' | 'weights'>,
  rows: Rows,
  out: Float64Array,
): void {
  const { indptr, indices, values } = toSparse(rows);
  for (let i = 0; i < rows.rows; i++) {
    const at = i * classes;
    for (let c = 0; c < classes; c++) out[at + c] = logPrior[c];
    for (let k = indptr[i]; k < indptr[i + 1]; k++) {
      const from = indices[k] * classes;
      for (let c = 0; c < classes; c++) out[at + c] += values[k] * weights[from + c];
    }
  }
}

/** The terms xⱼ w[j,c] of the features that are present; absent ones add nothing. */
export function linearTerms({ classes, weights }: Linear, rows: Rows, i: number): Terms {
  const { indptr, indices, values } = toSparse(rows);
  const present = indices.slice(indptr[i], indptr[i + 1]);
  const terms = new Float64Array(present.length * classes);
  for (let f = 0; f < present.length; f++) {
    for (let c = 0; c < classes; c++) {
      terms[f * classes + c] = values[indptr[i] + f] * weights[present[f] * classes + c];
    }
  }
  return { features: present, terms, rest: new Float64Array(classes) };
}

/** The weights of a feature-major table as class-major rows, one per class. */
export function byClass(weights: Float64Array, classes: number, features: number): Float64Array {
  const turned = new Float64Array(weights.length);
  for (let c = 0; c < classes; c++) {
    for (let j = 0; j < features; j++) turned[c * features + j] = weights[j * classes + c];
  }
  return turned;
}

/** Rolls a die n times and counts its faces into `row`; the shares need not sum to 1, and without any nothing is rolled. */
export function rollInto(row: Float64Array, shares: Float64Array, n: number, random: Random): void {
  row.fill(0);
  const below = new Float64Array(shares.length);
  let total = 0;
  for (let j = 0; j < shares.length; j++) below[j] = total += shares[j];
  if (total === 0) return;
  for (let roll = 0; roll < n; roll++) row[firstAbove(below, random.uniform() * total)]++;
}

/** The first place at which a rising sequence is above a value below its end. */
function firstAbove(rising: Float64Array, value: number): number {
  let [low, high] = [0, rising.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rising[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
