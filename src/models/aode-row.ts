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
  /** Adds ln p(v | c, u) of the other levels v of a row to a sum, feature by feature. */
  given(c: number, u: number, row: ParentedRow, sum: number): number;
  alone(c: number, j: number, v: number): number;
}

/** One row: its levels, and the features that are parents with their shares. */
export interface ParentedRow {
  readonly cells: Float64Array;
  readonly levels: Int32Array; // −1 where there is none, or one on no list
  readonly present: readonly number[]; // by feature: the level, or −1 − feature if it is on no list
  readonly qualified: readonly number[]; // features
  readonly logShares: Float64Array;
  /** Space for a term per parent, a missing one once for each of its levels. */
  readonly terms: Float64Array;
}

/** Reads what the score of a row needs for every class. */
export function readRow(parents: SuperParents, cells: Float64Array): ParentedRow {
  const { features, levels: counts, offsets } = parents;
  const levels = new Int32Array(features).fill(-1);
  const [present, qualified]: [number[], number[]] = [[], []];
  for (let j = 0; j < features; j++) {
    if (Number.isNaN(cells[j])) continue;
    if (cells[j] < counts[j]) levels[j] = offsets[j] + cells[j];
    present.push(levels[j] < 0 ? -1 - j : levels[j]);
  }
  const shares = parentShares(parents, levels, cells);
  let count = 0;
  for (let j = 0; j < features; j++) {
    if (shares[j] === 0) continue;
    qualified.push(j);
    count += Number.isNaN(cells[j]) ? counts[j] : 1;
  }
  return { cells, levels, present, qualified, logShares: shares.map(Math.log), terms: new Float64Array(count) };
}

/**
 * ln p(c, x) of one row. A missing cell is integrated out of every one-dependence model: as a child its levels add up to one, and as
 * the parent they are summed over.
 */
export function logJointOf({ logPrior, offsets }: SuperParents, faces: Faces, row: ParentedRow, c: number): number {
  const { cells, levels, qualified, logShares, terms } = row;
  if (qualified.length === 0) {
    return levels.reduce((sum, v, j) => (Number.isNaN(cells[j]) ? sum : sum + faces.alone(c, j, v)), logPrior[c]);
  }
  let next = 0;
  for (const i of qualified) {
    const missing = Number.isNaN(cells[i]);
    const to = missing ? offsets[i + 1] : levels[i] + 1;
    for (let u = missing ? offsets[i] : levels[i]; u < to; u++) {
      terms[next++] = faces.given(c, u, row, logShares[i] + faces.joint(c, u));
    }
  }
  return logSumExp(terms);
}

/** ln p(c, x) of one row for all classes, into `out` from `at`. */
export function logRow(
  parents: SuperParents,
  faces: Faces,
  cells: Float64Array,
  out: Float64Array,
  at: number,
): Float64Array {
  const row = readRow(parents, cells);
  for (let c = 0; c < parents.classes; c++) out[at + c] = logJointOf(parents, faces, row, c);
  return out;
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
