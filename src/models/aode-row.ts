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

/**
 * ln p(c, x) of one row for all classes, into `out` from `at`. A missing cell is integrated out of every one-dependence model: as a
 * child its levels add up to one, and as the parent they are summed over.
 */
export function logRow(
  parents: SuperParents,
  faces: Faces,
  row: Float64Array,
  out: Float64Array,
  at: number,
): Float64Array {
  const { classes, features, logPrior, offsets } = parents;
  const present: number[] = [];
  const levels = levelsOf(parents, row, present);
  const shares = parentShares(parents, levels, row);
  const qualified: number[] = [];
  let count = 0; // of parents, a missing one once for each of its levels
  for (let j = 0; j < features; j++) {
    if (shares[j] === 0) continue;
    qualified.push(j);
    count += Number.isNaN(row[j]) ? offsets[j + 1] - offsets[j] : 1;
  }
  const terms = new Float64Array(count);
  for (let c = 0; c < classes; c++) {
    if (qualified.length === 0) {
      out[at + c] = present.reduce((sum, j) => sum + faces.alone(c, j, levels[j]), logPrior[c]);
      continue;
    }
    let next = 0;
    for (const i of qualified) {
      const [from, to] = Number.isNaN(row[i]) ? [offsets[i], offsets[i + 1]] : [levels[i], levels[i] + 1];
      for (let u = from; u < to; u++) {
        let sum = Math.log(shares[i]) + faces.joint(c, u);
        for (let k = 0; k < present.length; k++) {
          const j = present[k];
          if (j !== i) sum += faces.given(c, u, j, levels[j]);
        }
        terms[next++] = sum;
      }
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

/**
 * How much each feature counts as the parent. Those count whose level was seen often enough, and missing ones of which some level was;
 * where no weight is left, they count alike.
 */
function parentShares(
  { features, offsets, frequency, weights, minimumFrequency }: SuperParents,
  levels: Int32Array,
  row: Float64Array,
): Float64Array {
  const isFrequent = (u: number) => frequency[u] > 0 && frequency[u] >= minimumFrequency;
  const qualified: number[] = [];
  for (let j = 0; j < features; j++) {
    const fits = Number.isNaN(row[j])
      ? frequency.subarray(offsets[j], offsets[j + 1]).some((_, v) => isFrequent(offsets[j] + v))
      : levels[j] >= 0 && isFrequent(levels[j]);
    if (fits) qualified.push(j);
  }
  const total = qualified.reduce((sum, j) => sum + weights[j], 0);
  const shares = new Float64Array(features);
  for (const j of qualified) shares[j] = total > 0 ? weights[j] / total : 1 / qualified.length;
  return shares;
}
