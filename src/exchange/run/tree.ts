import { logSumExp } from '../../math/logs.ts';
import type { TreeTerm } from '../plan-terms.ts';
import { type Cells, dense } from './vectors.ts';

/** ln p(xⱼ = v | parent at u, c). */
function face({ parents, levels, dice }: TreeTerm, j: number, c: number, u: number, v: number): number {
  const above = parents[j] < 0 ? 0 : levels[parents[j]];
  return dice[j][(c * (above + 1) + Math.min(u, above)) * (levels[j] + 1) + Math.min(v, levels[j])];
}

/**
 * ln p(what lies at j and below | parent at u, c), by recursion: Σ over the levels of a missing cell of its own face times what
 * lies below it. Where nothing is known the levels sum to one.
 */
function below(term: TreeTerm, row: Float64Array, j: number, c: number, u: number): number {
  const children = [...term.parents.keys()].filter((k) => term.parents[k] === j);
  const at = (v: number) => face(term, j, c, u, v) + children.reduce((sum, k) => sum + below(term, row, k, c, v), 0);
  if (!Number.isNaN(row[j])) return at(row[j]);
  if (!known(term, row, j)) return 0;
  return logSumExp(Float64Array.from({ length: term.levels[j] }, (_, v) => at(v)));
}

/** Whether a cell at or below j is there. */
function known(term: TreeTerm, row: Float64Array, j: number): boolean {
  return !Number.isNaN(row[j]) || [...term.parents.keys()].some((k) => term.parents[k] === j && known(term, row, k));
}

/** Adds ln p(x | c) along the tree. */
export function addTree(term: TreeTerm, cells: Cells, score: Float64Array): void {
  const row = dense(cells);
  const roots = [...term.parents.keys()].filter((j) => term.parents[j] < 0);
  for (let c = 0; c < score.length; c++) {
    score[c] += roots.reduce((sum, j) => sum + below(term, row, j, c, 0), 0);
  }
}
