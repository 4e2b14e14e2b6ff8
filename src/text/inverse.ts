import { requireLike } from '../data/arguments.ts';
import { toSparse } from '../data/batch.ts';
import { type Features, readFeatures } from '../data/input.ts';

/** The terms of each row: those with a value other than zero. */
export function inverseTransform(vectorizer: { getFeatureNamesOut(): readonly string[] }, X: Features): string[][] {
  const terms = requireLike(vectorizer, 'a vectorizer', { getFeatureNamesOut: 'function' }).getFeatureNamesOut();
  const { rows, indptr, indices, values } = toSparse(readFeatures(X, { sparse: true, features: terms.length }).rows);
  return Array.from({ length: rows }, (_, i) =>
    Array.from(indices.subarray(indptr[i], indptr[i + 1]), (j) => terms[j]).filter(
      (_, k) => values[indptr[i] + k] !== 0,
    ),
  );
}
