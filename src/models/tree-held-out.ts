import { logClassPrior } from '../core/prior.ts';
import { type Batch, toDense } from '../data/batch.ts';
import { remainder } from '../math/arrays.ts';
import { levelOffsets } from '../stats/layout.ts';
import type { Pairs } from '../stats/pairs.ts';
import { conditionalInformation, dependence, measurePair, spanningForest } from './dependence.ts';
import type { TreeOptions } from './tree.ts';
import { treeDice } from './tree-dice.ts';
import { logRow } from './tree-row.ts';

/**
 * Scores every row under the tree that is found without it: the row is taken out of the counts of its class, the pairs of
 * that class are measured again, and tree and dice follow from them. The lists of levels stay as they are.
 */
export function treeLeaveOneOut(
  stats: Pairs,
  { alpha, classPrior }: TreeOptions,
  batch: Batch,
  out: Float64Array,
): void {
  const { classes, features, levels } = stats;
  const rest = { ...stats, n: stats.n.slice(), p: stats.p.slice() };
  const all = dependence(stats);
  const { x } = toDense(batch);
  for (let i = 0; i < batch.rows; i++) {
    const row = x.subarray(i * features, (i + 1) * features);
    const own = batch.y[i];
    const cells = cellsOf(rest, row, own);
    rest.n[own] = remainder(stats.n[own], batch.w[i]);
    for (const cell of cells) rest.p[cell] = remainder(stats.p[cell], batch.w[i]);
    const without = { ...all, weight: all.weight.slice(), gain: all.gain.slice(), freedom: all.freedom.slice() };
    forPairs(row, (j, k) => measurePair(rest, without, own, j, k));
    const information = conditionalInformation(without);
    const forest = spanningForest(information, features);
    const dice = treeDice(rest, forest, alpha);
    const logPrior = logClassPrior(rest.n, classPrior);
    const tree = { classes, features, levels, logPrior, information, ...forest, dice };
    for (let c = 0; c < classes; c++) out[i * classes + c] = logPrior[c] + logRow(tree, row, c);
    rest.n[own] = stats.n[own];
    for (const cell of cells) rest.p[cell] = stats.p[cell];
  }
}

function forPairs(row: Float64Array, visit: (j: number, k: number) => void): void {
  for (let j = 0; j < row.length; j++) {
    if (Number.isNaN(row[j])) continue;
    for (let k = j + 1; k < row.length; k++) if (!Number.isNaN(row[k])) visit(j, k);
  }
}

/** The cells that a row of class c is counted in. */
function cellsOf({ levels }: Pairs, row: Float64Array, c: number): number[] {
  const offsets = levelOffsets(levels);
  const width = offsets[levels.length];
  const present = Array.from(row, (level, j) => offsets[j] + level).filter((u) => !Number.isNaN(u));
  return present.flatMap((u) => present.map((v) => (c * width + u) * width + v));
}
