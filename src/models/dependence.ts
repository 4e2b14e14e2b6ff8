import { logRatio } from '../math/logs.ts';
import { levelOffsets } from '../stats/layout.ts';
import type { Pairs } from '../stats/pairs.ts';

/** The dependence of each pair of features within classes, as sums over rows where both are present. */
export interface Dependence {
  readonly features: number;
  readonly offsets: Int32Array; // where the levels of each feature begin
  readonly weight: Float64Array; // weight[c * J² + j * J + k]: Σ p, for j < k
  readonly gain: Float64Array; // likewise: Σ p ln [p n / (pⱼ pₖ)]
  readonly freedom: Float64Array; // likewise: (levels of j − 1) (levels of k − 1), of those that occur
}

/** The dependence of all pairs of features. */
export function dependence(stats: Pairs): Dependence {
  const { classes, features } = stats;
  const cells = classes * features * features;
  const offsets = levelOffsets(stats.levels);
  const [weight, gain, freedom] = [0, 1, 2].map(() => new Float64Array(cells));
  const result = { features, offsets, weight, gain, freedom };
  const margins = marginsOf(stats);
  for (let c = 0; c < classes; c++) {
    for (let j = 0; j < features; j++) {
      for (let k = j + 1; k < features; k++) measurePair(stats, result, c, j, k, margins);
    }
  }
  return result;
}

/** Space for the margins of any two features. */
function marginsOf({ levels }: Pairs): [Float64Array, Float64Array] {
  const most = levels.reduce((top, count) => Math.max(top, count), 0);
  return [new Float64Array(most), new Float64Array(most)];
}

/** Measures one pair j < k within one class: the margins are those of the rows where both are present. */
function measurePair(
  stats: Pairs,
  to: Dependence,
  c: number,
  j: number,
  k: number,
  [rows, columns]: [Float64Array, Float64Array],
): void {
  const { offsets } = to;
  const { levels, p } = stats;
  const width = offsets[levels.length];
  const [high, wide] = [levels[j], levels[k]];
  const from = (c * width + offsets[j]) * width + offsets[k];
  rows.fill(0, 0, high);
  columns.fill(0, 0, wide);
  let weight = 0;
  for (let u = 0, at = from; u < high; u++, at += width) {
    for (let v = 0; v < wide; v++) {
      const mass = p[at + v];
      rows[u] += mass;
      columns[v] += mass;
      weight += mass;
    }
  }
  let gain = 0;
  for (let u = 0, at = from; u < high; u++, at += width) {
    if (rows[u] === 0) continue;
    for (let v = 0; v < wide; v++) {
      const mass = p[at + v];
      if (mass > 0) gain += mass * logRatio(mass / rows[u], columns[v] / weight);
    }
  }
  const cell = (c * to.features + j) * to.features + k;
  to.weight[cell] = weight;
  to.gain[cell] = gain;
  to.freedom[cell] = Math.max(0, present(rows, high) - 1) * Math.max(0, present(columns, wide) - 1);
}

function present(weights: Float64Array, length: number): number {
  let count = 0;
  for (let u = 0; u < length; u++) if (weights[u] > 0) count++;
  return count;
}

/**
 * I(Xⱼ; Xₖ | C) = Σ p(xⱼ, xₖ, c) ln [p(xⱼ, xₖ | c) / (p(xⱼ | c) p(xₖ | c))] for all pairs, symmetric, in nats, over the
 * rows where both are present; −Infinity for features that were never seen together.
 */
export function conditionalInformation(dependence: Dependence): Float64Array {
  const information = informationOf(dependence, ({ gain }, cell) => gain[cell]);
  return information.map((nats) => (nats === -Infinity ? nats : Math.max(0, nats)));
}

/**
 * The same minus its expected value under independence, half a nat per degree of freedom (Miller 1955), because columns with many levels
 * seem more dependent than they are. The result may be negative.
 */
export function correctedInformation(dependence: Dependence): Float64Array {
  return informationOf(dependence, ({ gain, freedom }, cell) => gain[cell] - freedom[cell] / 2);
}

function informationOf(dependence: Dependence, gainAt: (dependence: Dependence, cell: number) => number): Float64Array {
  const { features, weight } = dependence;
  const information = new Float64Array(features * features).fill(-Infinity);
  const plane = features * features;
  for (let j = 0; j < features; j++) {
    for (let k = j + 1; k < features; k++) {
      let [total, sum] = [0, 0];
      for (let cell = j * features + k; cell < weight.length; cell += plane) {
        total += weight[cell];
        sum += gainAt(dependence, cell);
      }
      if (total === 0) continue;
      information[j * features + k] = information[k * features + j] = sum / total;
    }
  }
  return information;
}

/** A tree over features, or several where features were never seen together. */
export interface Forest {
  readonly parents: Int32Array; // −1 for a root
  readonly order: Int32Array; // every parent before its children
}

/**
 * The maximum spanning tree of a symmetric table of weights (Prim 1957), growing from the first feature, which is the root. Ties are
 * resolved by the smallest index. Unconnected features start a new tree.
 */
export function spanningForest(weights: Float64Array, features: number): Forest {
  const parents = new Int32Array(features).fill(-1);
  const order = new Int32Array(features);
  const best = new Float64Array(features).fill(-Infinity);
  const joined = new Uint8Array(features);
  for (let step = 0; step < features; step++) {
    let next = -1;
    for (let k = 0; k < features; k++) if (!joined[k] && (next < 0 || best[k] > best[next])) next = k;
    joined[next] = 1;
    order[step] = next;
    for (let k = 0; k < features; k++) {
      const weight = weights[next * features + k];
      if (joined[k] || weight < best[k] || weight === -Infinity) continue;
      if (weight > best[k] || next < parents[k]) {
        best[k] = weight;
        parents[k] = next;
      }
    }
  }
  return { parents, order };
}

/** n[c,u]: the weight of every level in every class, the diagonal of the table of pairs. */
function classWeightsOfLevels({ classes, levels, p }: Pairs): Float64Array {
  const width = levelOffsets(levels)[levels.length];
  return Float64Array.from({ length: classes * width }, (_, row) => p[row * width + (row % width)]);
}

/** Information below this is rounding. */
const NO_INFORMATION = 1e-12;

/** I(Xⱼ; C) of every feature, in nats, over the rows where it is present; exactly zero if it is uninformative. */
export function classInformation(stats: Pairs): Float64Array {
  const histogram = classWeightsOfLevels(stats);
  const { classes, features, levels } = stats;
  const offsets = levelOffsets(levels);
  const width = offsets[features];
  return Float64Array.from({ length: features }, (_, j) => {
    const ofClass = new Float64Array(classes);
    const ofLevel = new Float64Array(levels[j]);
    let total = 0;
    for (let c = 0; c < classes; c++) {
      for (let v = 0; v < levels[j]; v++) {
        const mass = histogram[c * width + offsets[j] + v];
        ofClass[c] += mass;
        ofLevel[v] += mass;
        total += mass;
      }
    }
    let gain = 0;
    for (let c = 0; c < classes; c++) {
      for (let v = 0; v < levels[j]; v++) {
        const mass = histogram[c * width + offsets[j] + v];
        if (mass > 0) gain += mass * logRatio(mass / ofClass[c], ofLevel[v] / total);
      }
    }
    const information = total === 0 ? 0 : gain / total;
    return information > NO_INFORMATION ? information : 0;
  });
}
