import { logSumExp } from '../math/logs.ts';
import type { KDependence } from './kdb.ts';
import type { ByClass, FeatureTables } from './kdb-tables.ts';

/** A row to leave out of the counts: its class and weight. */
export interface LeftOut {
  readonly c: number;
  readonly weight: number;
}

/**
 * Where a value stands in the tables of a feature: at depth d its context at path[2d] and itself in that context at path[2d + 1], −1 where
 * it never occurred. Returns the number of depths at which the context occurred; NaN or an unseen level ends the path.
 */
export function locate({ parents, depths }: FeatureTables, row: Float64Array, value: number, path: Int32Array): number {
  let context = 0;
  for (let d = 0; d < depths.length; d++) {
    if (d > 0) context = depths[d].contexts.find(context, row[parents[d - 1]]);
    if (context < 0) return d;
    path[2 * d] = context;
    path[2 * d + 1] = depths[d].values.find(context, value);
  }
  return depths.length;
}

/**
 * Turns shares given the first d − 1 parents into those given d parents, for all classes from `at`. Before the first step, that from
 * nothing to the class, shares are uniform.
 *
 *   p_d(v | c, u) = (n[c,u,v] + m p_{d−1}(v | c, u)) / (N[c,u] + m)                              (1)
 *
 * Classes that were not seen in the context keep their share.
 */
export function blend(
  shares: Float64Array,
  at: number,
  wholes: ByClass,
  context: number,
  parts: ByClass,
  value: number,
  m: number,
  leftOut?: LeftOut,
): void {
  let next = value < 0 ? 0 : parts.start[value];
  const end = value < 0 ? 0 : parts.start[value + 1];
  for (let s = wholes.start[context]; s < wholes.start[context + 1]; s++) {
    const c = wholes.classes[s];
    while (next < end && parts.classes[next] < c) next++;
    let part = next < end && parts.classes[next] === c ? parts.weights[next] : 0;
    let whole = wholes.weights[s];
    if (leftOut !== undefined && leftOut.c === c) {
      part -= leftOut.weight;
      whole -= leftOut.weight;
    }
    shares[at + c] = (part + m * shares[at + c]) / (whole + m);
  }
}

/** A counted row to leave out, as it was before missing cells were filled. */
export interface LeftOutRow extends LeftOut {
  readonly row: Float64Array;
}

/** ln p(v | c, parents as in `row`) of feature j for all classes, into `to`. */
export function logSharesOf(
  { tables }: KDependence,
  j: number,
  value: number,
  row: Float64Array,
  to: Float64Array,
  leftOut?: LeftOutRow,
): void {
  const own = tables[j];
  const path = new Int32Array(2 * own.depths.length);
  const known = locate(own, row, value, path);
  // a row was counted with its present values, down to its first missing parent
  let counted = leftOut && !Number.isNaN(leftOut.row[j]) ? leftOut : undefined;
  to.fill(1 / own.levels);
  for (let d = 0; d < known; d++) {
    if (d > 0 && counted && Number.isNaN(counted.row[own.parents[d - 1]])) counted = undefined;
    const { contextWeights, valueWeights, concentration } = own.depths[d];
    blend(to, 0, contextWeights, path[2 * d], valueWeights, path[2 * d + 1], concentration, counted);
  }
  for (let c = 0; c < to.length; c++) to[c] = Math.log(to[c]);
}

/** Missing parents are summed over while there are no more combinations of their levels than this. */
export const MOST_COMBINATIONS = 256;

/** A network of levels: its features, parents first, and ln p of a level given those before it. */
export interface Network {
  readonly order: ArrayLike<number>;
  readonly levels: Int32Array;
  readonly mostCombinations: number;
  parents(j: number): ArrayLike<number>;
  /** ln p(v | c, parents as in `row`) of feature j for all classes, into `to`. */
  logShares(j: number, value: number, row: Float64Array, to: Float64Array): void;
}

/** Adds ln p(x | c) of one row to `out` from `at`. A row that was counted may be left out. */
export function addRow(kdb: KDependence, row: Float64Array, out: Float64Array, at: number, leftOut?: LeftOutRow): void {
  const { classes, order, levels, tables } = kdb;
  const network: Network = {
    order,
    levels,
    mostCombinations: MOST_COMBINATIONS,
    parents: (j) => tables[j].parents,
    logShares: (j, value, seen, to) => logSharesOf(kdb, j, value, seen, to, leftOut),
  };
  addLevels(network, row, out.subarray(at, at + classes));
}

/**
 * Adds ln p(x | c) of one row to `out`. Missing cells that are parents of others are summed over, exactly up to `mostCombinations` of their
 * levels; a missing parent beyond ends the context of its children.
 */
export function addLevels(network: Network, row: Float64Array, out: Float64Array): void {
  const { order, levels } = network;
  const open = row.some(Number.isNaN) ? missingParents(network, row) : undefined;
  const shares = new Float64Array(out.length);
  if (!open || open.size === 0) {
    for (let step = 0; step < order.length; step++) {
      const j = order[step];
      if (Number.isNaN(row[j])) continue;
      network.logShares(j, row[j], row, shares);
      for (let c = 0; c < out.length; c++) out[c] += shares[c];
    }
    return;
  }
  const found: Float64Array[] = [];
  const walk = (step: number, seen: Float64Array, sums: Float64Array): void => {
    if (step === order.length) {
      found.push(sums);
      return;
    }
    const j = order[step];
    const values = !Number.isNaN(row[j]) ? [row[j]] : open.has(j) ? Array.from({ length: levels[j] }, (_, v) => v) : [];
    if (values.length === 0) walk(step + 1, seen, sums);
    for (const value of values) {
      const next = seen.slice();
      next[j] = value;
      network.logShares(j, value, seen, shares);
      walk(
        step + 1,
        next,
        sums.map((sum, c) => sum + shares[c]),
      );
    }
  };
  walk(0, row, new Float64Array(out.length));
  for (let c = 0; c < out.length; c++) out[c] += logSumExp(Float64Array.from(found, (sums) => sums[c]));
}

/** The missing cells that present cells depend on, parents first, as many as may be summed over. */
function missingParents({ order, levels, mostCombinations, parents }: Network, row: Float64Array): ReadonlySet<number> {
  const needed = new Set<number>();
  for (let step = order.length - 1; step >= 0; step--) {
    const j = order[step];
    if (Number.isNaN(row[j]) && !needed.has(j)) continue;
    for (const parent of Array.from(parents(j))) if (Number.isNaN(row[parent])) needed.add(parent);
  }
  let combinations = 1;
  return new Set(
    Array.from(order).filter((j) => needed.has(j) && levels[j] > 0 && (combinations *= levels[j]) <= mostCombinations),
  );
}
