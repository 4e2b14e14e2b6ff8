import type { Terms } from '../core/model.ts';
import { logSumExp } from '../math/logs.ts';
import type { Tree } from './tree.ts';

/** ln p(xⱼ = v | parent at u, c); levels on no list share the last place. */
function logFace({ parents, levels, dice }: Tree, j: number, c: number, u: number, v: number): number {
  const above = parents[j] < 0 ? 0 : levels[parents[j]];
  return dice[j][(c * (above + 1) + Math.min(u, above)) * (levels[j] + 1) + Math.min(v, levels[j])];
}

/** ln p(x | c) of one row; missing cells are summed over. */
export function logRow(tree: Tree, row: Float64Array, c: number): number {
  if (row.some(Number.isNaN)) return logIncompleteRow(tree, row, c);
  const { features, parents } = tree;
  let sum = 0;
  for (let j = 0; j < features; j++) sum += logFace(tree, j, c, parents[j] < 0 ? 0 : row[parents[j]], row[j]);
  return sum;
}

/**
 * From the leaves to the root, each feature tells its parent how well every level of the parent explains what lies below
 * (Pearl 1988): m(u) = Σᵥ p(v | u, c) Π m'(v) over the levels of a missing cell, one term where the cell is there.
 */
function logIncompleteRow(tree: Tree, row: Float64Array, c: number): number {
  const { features, parents, order, levels } = tree;
  const below = Array.from(levels, (count) => new Float64Array(count + 1));
  const speaks = Uint8Array.from(row, (value) => (Number.isNaN(value) ? 0 : 1));
  let sum = 0;
  for (let step = features - 1; step >= 0; step--) {
    const j = order[step];
    if (!speaks[j]) continue; // nothing is known at j or below: its levels add up to one
    const parent = parents[j];
    if (parent < 0) {
      sum += message(tree, j, c, 0, row[j], below[j]);
      continue;
    }
    speaks[parent] = 1;
    const known = !Number.isNaN(row[parent]);
    const [from, to] = known ? [Math.min(row[parent], levels[parent]), 0] : [0, levels[parent] - 1];
    for (let u = from; u <= Math.max(from, to); u++) below[parent][u] += message(tree, j, c, u, row[j], below[j]);
  }
  return sum;
}

function message(tree: Tree, j: number, c: number, u: number, value: number, below: Float64Array): number {
  if (!Number.isNaN(value)) return logFace(tree, j, c, u, value) + below[Math.min(value, tree.levels[j])];
  const faces = new Float64Array(tree.levels[j]);
  for (let v = 0; v < faces.length; v++) faces[v] = logFace(tree, j, c, u, v) + below[v];
  return logSumExp(faces);
}

/**
 * The score by the chain rule, parents first: given its parent, a feature is independent of all that came before it; under a
 * parent that is missing, its term is what the score gains when it becomes known.
 */
export function treeTerms(tree: Tree, row: Float64Array): Terms {
  const { classes, features, parents, order } = tree;
  const terms = new Float64Array(features * classes);
  for (let c = 0; c < classes; c++) {
    const seen = new Float64Array(features).fill(Number.NaN);
    for (const j of order) {
      if (Number.isNaN(row[j])) continue;
      const parent = parents[j];
      const open = parent >= 0 && Number.isNaN(row[parent]);
      const before = open ? logRow(tree, seen, c) : 0;
      seen[j] = row[j];
      if (!open) terms[j * classes + c] = logFace(tree, j, c, parent < 0 ? 0 : row[parent], row[j]);
      else if (before > -Infinity) terms[j * classes + c] = logRow(tree, seen, c) - before;
    }
  }
  return { features: Uint32Array.from({ length: features }, (_, j) => j), terms, rest: new Float64Array(classes) };
}
