import type { Shape } from '../data/batch.ts';
import { logSumExp } from '../math/logs.ts';

/** What decides which features are parents, and how much each of them counts. */
export interface SuperParents extends Shape {
  readonly levels: Int32Array;
  readonly offsets: Int32Array; // where the levels of each feature begin
  readonly logPrior: Float64Array;
  readonly frequency: Float64Array; // the weight of every level
  readonly weights: Float64Array; // one per feature
  readonly minimumFrequency: number;
}

/** Logarithms of the faces of the dice; levels are numbered over all features, −1 is a level on no list. */
export interface Faces {
  joint(c: number, u: number): number;
  given(c: number, u: number, j: number, v: number): number;
  alone(c: number, j: number, v: number): number;
}

/** ln p(c, x) of one row for all classes, into `out` from `at`. */
export function logRow(
  parents: SuperParents,
  faces: Faces,
  row: Float64Array,
  out: Float64Array,
  at: number,
): Float64Array {
  const { classes, logPrior } = parents;
  const present: number[] = [];
  const levels = levelsOf(parents, row, present);
  const shares = parentShares(parents, levels, present);
  const qualified = present.filter((j) => shares[j] > 0);
  const terms = new Float64Array(qualified.length);
  for (let c = 0; c < classes; c++) {
    if (qualified.length === 0) {
      out[at + c] = present.reduce((sum, j) => sum + faces.alone(c, j, levels[j]), logPrior[c]);
      continue;
    }
    for (let k = 0; k < qualified.length; k++) {
      const i = qualified[k];
      let sum = Math.log(shares[i]) + faces.joint(c, levels[i]);
      for (const j of present) if (j !== i) sum += faces.given(c, levels[i], j, levels[j]);
      terms[k] = sum;
    }
    out[at + c] = logSumExp(terms);
  }
  return out;
}

/** The level of every feature, numbered over all features; −1 where it is on no list. */
function levelsOf({ features, levels, offsets }: SuperParents, row: Float64Array, present: number[]): Int32Array {
  const numbers = new Int32Array(features);
  for (let j = 0; j < features; j++) {
    if (Number.isNaN(row[j])) continue;
    present.push(j);
    numbers[j] = row[j] < levels[j] ? offsets[j] + row[j] : -1;
  }
  return numbers;
}

/** How much each feature counts as the parent; where no weight is left, those that qualify count alike. */
function parentShares(
  { features, frequency, weights, minimumFrequency }: SuperParents,
  levels: Int32Array,
  present: readonly number[],
): Float64Array {
  const qualified = present.filter((j) => {
    const seen = levels[j] < 0 ? 0 : frequency[levels[j]];
    return seen > 0 && seen >= minimumFrequency;
  });
  const total = qualified.reduce((sum, j) => sum + weights[j], 0);
  const shares = new Float64Array(features);
  for (const j of qualified) shares[j] = total > 0 ? weights[j] / total : 1 / qualified.length;
  return shares;
}
