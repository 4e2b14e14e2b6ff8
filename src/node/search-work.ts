import { load } from '../auto/load.ts';
import { Matrix } from '../data/matrix.ts';
import { SparseMatrix } from '../data/sparse.ts';
import type { FoldedRows } from '../estimators/fold-learning.ts';
import { type Trial, type TrialOptions, tryCombinations } from '../estimators/search.ts';
import type { Params } from '../estimators/with-params.ts';

/** What a thread tries: plain data. */
export interface SearchTask {
  readonly estimator: Uint8Array;
  readonly folded: Omit<FoldedRows, 'signal' | 'parts'>;
  readonly tried: readonly Params[];
  readonly options: TrialOptions;
}

/** Rows as plain data, which is all that reaches another thread. */
export function packRows(X: unknown): unknown {
  if (X instanceof Matrix) return { matrix: [X.rows, X.cols, X.data] };
  if (X instanceof SparseMatrix) return { sparse: [X.rows, X.cols, X.indptr, X.indices, X.data] };
  return { plain: X };
}

function unpackRows(packed: unknown): FoldedRows['X'] {
  const { matrix, sparse, plain } = packed as {
    matrix?: ConstructorParameters<typeof Matrix>;
    sparse?: ConstructorParameters<typeof SparseMatrix>;
    plain?: FoldedRows['X'];
  };
  return matrix ? new Matrix(...matrix) : sparse ? new SparseMatrix(...sparse) : plain!;
}

/** Tries some combinations. */
export function runSearchTask({ estimator, folded, tried, options }: SearchTask): Trial[] {
  const rows = { ...folded, X: unpackRows(folded.X), signal: undefined };
  return tryCombinations(load(estimator), rows, tried, options);
}
