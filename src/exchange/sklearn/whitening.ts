import { cholesky, logDeterminant, solve } from '../../math/cholesky.ts';
import { symmetricEigen } from '../../math/eigen.ts';
import { whitenFull } from '../../models/whiten.ts';
import type { Whitening } from '../../models/whitening.ts';
import { refuseFormat } from './fields.ts';

/**
 * Axes of scikit-learn's discriminant, one per column, as a whitening: along them rows have unit covariance. There may be
 * fewer of them than features; then it is the density of what rows show along the axes.
 */
export function axesWhitening(scalings: Float64Array, features: number): Whitening {
  const rank = scalings.length / features;
  const rows = new Float64Array(scalings.length);
  for (let k = 0; k < rank; k++) for (let j = 0; j < features; j++) rows[k * features + j] = scalings[j * rank + k];
  const factor = cholesky(gram(rows, rank, features), rank);
  const volume = factor.ok
    ? -logDeterminant(factor)
    : refuseFormat('the axes in scalings_ are not independent', 'scalings_');
  return { features, rank, rows, logDeterminant: volume, complete: rank === features, margin: 1 };
}

/** rows · rowsᵀ. */
function gram(rows: Float64Array, rank: number, features: number): Float64Array {
  const products = new Float64Array(rank * rank);
  for (let k = 0; k < rank; k++) {
    for (let l = 0; l < rank; l++) {
      let sum = 0;
      for (let j = 0; j < features; j++) sum += rows[k * features + j] * rows[l * features + j];
      products[k * rank + l] = sum;
    }
  }
  return products;
}

/** The share of the largest variance below which a direction counts as none, as in LAPACK's solver of least squares. */
const LEAST_VARIANCE = 2 ** -52;

/** A whitening of a covariance; of a singular one, along the directions in which there is spread. */
export function covarianceWhitening(covariance: Float64Array, features: number): Whitening {
  const full = whitenFull(covariance, features);
  if (full) return full;
  const { values, vectors } = symmetricEigen(covariance, features);
  const kept = values.filter((value) => value > LEAST_VARIANCE * values[0]).length;
  return rotatedWhitening(vectors, values.subarray(0, kept), features);
}

/** A whitening by principal axes, one per column (of as many as there are), and the variances along the first of them. */
export function rotatedWhitening(rotation: Float64Array, variances: Float64Array, features: number): Whitening {
  const rank = variances.length;
  const columns = rotation.length / features;
  const rows = new Float64Array(rank * features);
  for (let k = 0; k < rank; k++) {
    const deviation = Math.sqrt(variances[k]);
    for (let j = 0; j < features; j++) rows[k * features + j] = rotation[j * columns + k] / deviation;
  }
  const volume = variances.reduce((sum, variance) => sum + Math.log(variance), 0);
  return { features, rank, rows, logDeterminant: volume, complete: rank === features, margin: 1 };
}

/** A⁺A⁺ᵀ: the covariance of a whitening A; undefined outside its axes. */
export function pseudoCovariance({ rows, rank, features }: Whitening): Float64Array {
  const factor = cholesky(gram(rows, rank, features), rank);
  const inverse = new Float64Array(features * rank); // A⁺ = Aᵀ(AAᵀ)⁻¹, one row per feature
  for (let j = 0; j < features; j++) {
    inverse.set(
      solve(
        factor,
        Float64Array.from({ length: rank }, (_, k) => rows[k * features + j]),
      ),
      j * rank,
    );
  }
  return gram(inverse, features, rank);
}
