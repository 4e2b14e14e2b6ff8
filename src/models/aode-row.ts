import { logSumExp } from '../math/logs.ts';
import type { Ensemble } from './aode.ts';

/** What a row is scored with. */
export type EnsembleTables = Omit<Ensemble, 'classes'>;

/** One row: its levels, and the features that are parents with their shares. */
interface ParentedRow {
  readonly cells: Float64Array;
  readonly levels: Int32Array; // −1 if there is none or it is unknown
  readonly present: readonly number[]; // by feature: the level, or −1 − feature if it is unknown
  readonly qualified: readonly number[]; // features
  readonly logShares: Float64Array;
  /** Space for one term per parent, or one per level of a missing parent. */
  readonly terms: Float64Array;
}

/** Reads the counts that the score of a row needs for every class. */
export function readRow(ensemble: EnsembleTables, cells: Float64Array): ParentedRow {
  const { features, levels: counts, offsets } = ensemble;
  const levels = new Int32Array(features).fill(-1);
  const [present, qualified]: [number[], number[]] = [[], []];
  for (let j = 0; j < features; j++) {
    if (Number.isNaN(cells[j])) continue;
    if (cells[j] < counts[j]) levels[j] = offsets[j] + cells[j];
    present.push(levels[j] < 0 ? -1 - j : levels[j]);
  }
  const shares = parentShares(ensemble, levels, cells);
  let count = 0;
  for (let j = 0; j < features; j++) {
    if (shares[j] === 0) continue;
    qualified.push(j);
    count += Number.isNaN(cells[j]) ? counts[j] : 1;
  }
  return { cells, levels, present, qualified, logShares: shares.map(Math.log), terms: new Float64Array(count) };
}

/**
 * ln p(c, x) of one row. A missing cell is integrated out of every one-dependence model: as a child its levels sum to one, and as the
 * parent they are summed over.
 */
export function logJointOf(
  ensemble: EnsembleTables,
  { cells, levels, present, qualified, logShares, terms }: ParentedRow,
  c: number,
): number {
  const { features, offsets, logPrior, logJoint, logGiven, logUnseen, logAlone, logUnseenAlone } = ensemble;
  const at = c * offsets[features];
  if (qualified.length === 0) {
    return levels.reduce((sum, v, j) => {
      if (Number.isNaN(cells[j])) return sum;
      return sum + (v < 0 ? logUnseenAlone[c * features + j] : logAlone[at + v]);
    }, logPrior[c]);
  }
  let next = 0;
  for (const i of qualified) {
    const missing = Number.isNaN(cells[i]);
    const to = missing ? offsets[i + 1] : levels[i] + 1;
    for (let u = missing ? offsets[i] : levels[i]; u < to; u++) {
      const [from, other] = [(at + u) * offsets[features], (at + u) * features];
      let sum = logShares[i] + logJoint[at + u];
      for (let k = 0; k < present.length; k++) {
        const v = present[k];
        if (v !== u) sum += v >= 0 ? logGiven[from + v] : logUnseen[other - 1 - v];
      }
      terms[next++] = sum;
    }
  }
  return logSumExp(terms);
}

/**
 * The weight of each feature as the parent. A feature qualifies if its level was seen often enough, or, if missing, any of its levels; if
 * no weight is left, all weigh the same.
 */
function parentShares(
  { features, offsets, frequency, weights, minimumFrequency }: EnsembleTables,
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
