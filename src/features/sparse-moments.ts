import type { Batch, SparseRows } from '../data/batch.ts';
import { type Moments, moments } from '../stats/moments.ts';

/**
 * Moments of sparse rows without making them dense, about the mean μ[c,j] of all cells, zeros included:
 *
 *   s2[c,j] = Σ_{x ≠ 0} w (x − μ)² + (n[c] − Σ_{x ≠ 0} w) μ².        (1)
 *
 * Two passes over the stored cells.
 */
export function sparseMoments(batch: Batch & SparseRows): Moments {
  const { rows, classes, features, indptr, indices, values, y, w } = batch;
  const stats = moments.empty({ classes, features });
  const { n, shift, s2 } = stats;
  const stored = new Float64Array(classes * features); // weight of the non-zero cells
  for (let i = 0; i < rows; i++) {
    n[y[i]] += w[i];
    for (let k = indptr[i]; k < indptr[i + 1]; k++) {
      const cell = y[i] * features + indices[k];
      shift[cell] += w[i] * values[k];
      stored[cell] += w[i];
    }
  }
  for (let cell = 0; cell < shift.length; cell++) if (shift[cell] !== 0) shift[cell] /= n[Math.floor(cell / features)];
  for (let i = 0; i < rows; i++) {
    for (let k = indptr[i]; k < indptr[i + 1]; k++) {
      const cell = y[i] * features + indices[k];
      s2[cell] += w[i] * (values[k] - shift[cell]) ** 2;
    }
  }
  for (let cell = 0; cell < s2.length; cell++) {
    s2[cell] += Math.max(0, n[Math.floor(cell / features)] - stored[cell]) * shift[cell] ** 2;
  }
  return stats;
}
