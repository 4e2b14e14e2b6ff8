import { logSumExp } from '../math/logs.ts';
import type { Tree } from './tree.ts';

/** What a row is scored with. */
type TreeTables = Pick<Tree, 'order' | 'parents' | 'levels' | 'dice'>;

/** ln p(xⱼ = v | parent at u, c); unknown levels share the last position. */
export function logFace({ parents, levels, dice }: TreeTables, j: number, c: number, u: number, v: number): number {
  const above = parents[j] < 0 ? 0 : levels[parents[j]];
  return dice[j][(c * (above + 1) + Math.min(u, above)) * (levels[j] + 1) + Math.min(v, levels[j])];
}

/** ln p(x | c) of one row; missing cells are summed over. */
export function logTreeRow(tree: TreeTables, row: Float64Array, c: number): number {
  if (row.some(Number.isNaN)) return logIncompleteRow(tree, row, c);
  const { parents } = tree;
  let sum = 0;
  for (let j = 0; j < row.length; j++) sum += logFace(tree, j, c, parents[j] < 0 ? 0 : row[parents[j]], row[j]);
  return sum;
}

/**
 * Belief propagation (Pearl 1988): from the leaves to the root, each feature sends its parent the message m(u) = Σᵥ p(v | u, c) Π m'(v),
 * summed over the levels of a missing cell, with one term for a present cell.
 */
function logIncompleteRow(tree: TreeTables, row: Float64Array, c: number): number {
  const { parents, order, levels } = tree;
  const below = Array.from(levels, (count) => new Float64Array(count + 1));
  const speaks = Uint8Array.from(row, (value) => (Number.isNaN(value) ? 0 : 1));
  let sum = 0;
  for (let step = row.length - 1; step >= 0; step--) {
    const j = order[step];
    if (!speaks[j]) continue; // no present cell at j or below: its levels sum to one
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

function message(tree: TreeTables, j: number, c: number, u: number, value: number, below: Float64Array): number {
  if (!Number.isNaN(value)) return logFace(tree, j, c, u, value) + below[Math.min(value, tree.levels[j])];
  const faces = new Float64Array(tree.levels[j]);
  for (let v = 0; v < faces.length; v++) faces[v] = logFace(tree, j, c, u, v) + below[v];
  return logSumExp(faces);
}
