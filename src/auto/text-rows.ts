import type { SparseMatrix } from '../data/sparse.ts';
import { TidyMatrix } from '../data/tidy.ts';

/** How counts become the cells that a scorer sees: √tf on rows of length 1, or 1 for every term that is there. */
export type Weighting = 'root' | 'presence';

/** Rows of √count, each divided by its Euclidean length, which is √(Σ counts). */
function rootRows({ rows, cols, indptr, indices, data }: SparseMatrix): SparseMatrix {
  const values = new Float64Array(data.length);
  for (let i = 0; i < rows; i++) {
    let total = 0;
    for (let k = indptr[i]; k < indptr[i + 1]; k++) total += data[k];
    for (let k = indptr[i]; k < indptr[i + 1]; k++) values[k] = Math.sqrt(data[k] / total);
  }
  return new TidyMatrix(rows, cols, indptr, indices, values);
}

/** Counts as cells. */
export function weigh(counts: SparseMatrix, weighting: Weighting): SparseMatrix {
  if (weighting === 'root') return rootRows(counts);
  const { rows, cols, indptr, indices, data } = counts;
  return new TidyMatrix(rows, cols, indptr, indices, new Float64Array(data.length).fill(1));
}

/** A score that is linear in the cells: score[c] = start[c] + Σⱼ xⱼ weights[j · classes + c]. */
export interface Scorer {
  readonly start: Float64Array;
  readonly weights: Float64Array;
}

/** The scores of the listed rows, one after the other. */
export function scoreRows(
  { start, weights }: Scorer,
  { indptr, indices, data }: Pick<SparseMatrix, 'indptr' | 'indices' | 'data'>,
  rows: Iterable<number>,
  out: Float64Array,
): void {
  const classes = start.length;
  const sum = new Float64Array(classes);
  let at = 0;
  for (const i of rows) {
    sum.set(start);
    for (let k = indptr[i]; k < indptr[i + 1]; k++) {
      const [from, value] = [indices[k] * classes, data[k]];
      for (let c = 0; c < classes; c++) sum[c] += value * weights[from + c];
    }
    out.set(sum, at);
    at += classes;
  }
}
