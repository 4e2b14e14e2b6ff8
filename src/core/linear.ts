import { type Rows, type Shape, type SparseRows, toSparse } from '../data/batch.ts';
import { drawExponential } from '../math/draws.ts';
import type { Generator } from '../math/generator.ts';
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

type Weights = Pick<Linear, 'classes' | 'logPrior' | 'weights'>;

let faster: ((linear: Weights, cells: SparseRows, out: Float64Array) => boolean) | undefined;

/** From now on this is asked first; it answers whether it has scored the rows, bit for bit as they are scored here. */
export function useScorer(scorer: NonNullable<typeof faster>): void {
  faster = scorer;
}

/** out[i,c] = start[c] + Σⱼ xⱼ w[j,c] over the non-zero cells, in the order of the columns. */
export function scoreLinear(linear: Weights, rows: Rows, out: Float64Array): void {
  const cells = toSparse(rows);
  if (!faster?.(linear, cells, out)) scoreOnce(linear, cells, out);
}

/** The same with weights that are used for these rows alone, so that nobody need make them ready. */
export function scoreOnce(linear: Weights, cells: SparseRows, out: Float64Array): void {
  if (linear.classes < 4) scoreFew(linear, cells, out);
  else scoreMany(linear, cells, out);
}

/** The same class by class, for few of them. */
export function scoreFew({ classes, logPrior, weights }: Weights, cells: SparseRows, out: Float64Array): void {
  const { rows, indptr, indices, values } = cells;
  for (let i = 0; i < rows; i++) {
    const end = indptr[i + 1];
    for (let c = 0; c < classes; c++) {
      let sum = logPrior[c];
      for (let k = indptr[i]; k < end; k++) sum += values[k] * weights[indices[k] * classes + c];
      out[i * classes + c] = sum;
    }
  }
}

/** Four classes at a time, so that their sums stay in registers; the last four may overlap those before them. */
function scoreMany({ classes, logPrior, weights }: Weights, cells: SparseRows, out: Float64Array): void {
  const { rows, indptr, indices, values } = cells;
  const last = classes - 4;
  const middle = Math.min(classes - 1, 8);
  const far = Math.min(classes - 1, 16);
  for (let i = 0; i < rows; i++) {
    const first = indptr[i];
    const end = indptr[i + 1];
    const at = i * classes;
    // Asks the memory for the weights of all words before the first is needed: a third of the time for 130 000 words.
    let touched = 0;
    for (let k = first; k < end; k++) {
      const from = indices[k] * classes;
      touched += weights[from] + weights[from + middle] + weights[from + far];
    }
    out[at] = touched; // overwritten below; what is not used would not be read
    for (let c = 0; c < classes; c += 4) {
      if (c > last) c = last;
      let sum0 = logPrior[c];
      let sum1 = logPrior[c + 1];
      let sum2 = logPrior[c + 2];
      let sum3 = logPrior[c + 3];
      for (let k = first; k < end; k++) {
        const from = indices[k] * classes + c;
        const value = values[k];
        sum0 += value * weights[from];
        sum1 += value * weights[from + 1];
        sum2 += value * weights[from + 2];
        sum3 += value * weights[from + 3];
      }
      out[at + c] = sum0;
      out[at + c + 1] = sum1;
      out[at + c + 2] = sum2;
      out[at + c + 3] = sum3;
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
export function rollInto(row: Float64Array, shares: Float64Array, n: number, random: Generator): void {
  row.fill(0);
  let total = 0;
  const below = shares.map((share) => (total += share));
  if (total > 0) for (let roll = 0; roll < n; roll++) row[firstAbove(below, random.uniform() * total)]++;
}

/** How many words a document has whose length is Poisson with this mean: one by one, as its words are rolled. */
export function drawLength(random: Generator, mean: number): number {
  let length = -1;
  for (let time = 0; time <= mean; time += drawExponential(random)) length++;
  return Math.max(0, length);
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
