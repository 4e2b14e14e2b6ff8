import { requireKind, requireLike } from '../data/arguments.ts';
import { rowsOf, toSparse } from '../data/batch.ts';
import type { Matrix } from '../data/matrix.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { refuse } from '../errors.ts';

/** The terms of each row: those with a value other than zero. */
export function inverseTransform(
  vectorizer: { getFeatureNamesOut(): readonly string[] },
  X: Matrix | SparseMatrix,
): string[][] {
  const terms = requireLike(vectorizer, 'a vectorizer', { getFeatureNamesOut: 'function' }).getFeatureNamesOut();
  requireKind(X, 'rows as transform returns them', 'matrix');
  if (X.cols !== terms.length) {
    refuse('E_FEATURE_COUNT', `rows have ${X.cols} columns, the vocabulary has ${terms.length}`, {
      expected: terms.length,
      actual: X.cols,
    });
  }
  const { rows, indptr, indices } = toSparse(rowsOf(X));
  return Array.from({ length: rows }, (_, i) =>
    Array.from(indices.subarray(indptr[i], indptr[i + 1]), (j) => terms[j]),
  );
}
