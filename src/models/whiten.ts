import { cholesky, logDeterminant, solveLower } from '../math/cholesky.ts';
import { drawNormal } from '../math/draws.ts';
import { symmetricEigen } from '../math/eigen.ts';
import type { Generator } from '../math/generator.ts';
import { mapRows } from '../math/kernels.ts';
import { correlations, leastShare, type Whitening } from './whitening.ts';

/**
 * A = L⁻¹D⁻¹ from the Cholesky factor of the correlations, free of the units of the features. Undefined if less than `tolerance` of the
 * deviation of a feature is unexplained by the features before it: then Σ counts as singular.
 */
export function whitenFull(covariance: Float64Array, size: number, tolerance = 0): Whitening | undefined {
  for (let j = 0; j < size; j++) if (!(covariance[j * size + j] > 0 && covariance[j * size + j] < Infinity)) return;
  const { deviations, matrix } = correlations(covariance, size);
  const factor = cholesky(matrix, size, leastShare(tolerance));
  if (!factor.ok) return undefined;
  const rows = new Float64Array(size * size);
  const column = new Float64Array(size);
  let logVolume = logDeterminant(factor);
  for (let j = 0; j < size; j++) {
    column.fill(0);
    column[j] = 1;
    solveLower(factor, column);
    for (let k = j; k < size; k++) rows[k * size + j] = column[k] / deviations[j];
    logVolume += 2 * Math.log(deviations[j]);
  }
  return { features: size, rank: size, rows, logDeterminant: logVolume, complete: true, margin: factor.pivot };
}

/** The diagonal Σ: each feature by its own deviation. */
export function whitenDiagonal(covariance: Float64Array, size: number): Whitening | undefined {
  const rows = new Float64Array(size * size);
  let logVolume = 0;
  for (let j = 0; j < size; j++) {
    const variance = covariance[j * size + j];
    if (!(variance > 0 && variance < Infinity)) return undefined;
    rows[j * size + j] = 1 / Math.sqrt(variance);
    logVolume += Math.log(variance);
  }
  return { features: size, rank: size, rows, logDeterminant: logVolume, complete: true, margin: 1 };
}

/** A = Λ^(−½)Vᵀ of the eigenvalues above a bound, from the matrix Σ = D V Λ Vᵀ D. */
function fromEigen(matrix: Float64Array, deviations: Float64Array, bound: number): Whitening {
  const size = deviations.length;
  const { values, vectors } = symmetricEigen(matrix, size);
  const rank = values.findIndex((value) => !(value > bound));
  const kept = rank < 0 ? size : rank;
  const rows = new Float64Array(kept * size);
  let logVolume = 0;
  for (let k = 0; k < kept; k++) {
    const root = Math.sqrt(values[k]);
    for (let j = 0; j < size; j++) rows[k * size + j] = vectors[j * size + k] / root / deviations[j];
    logVolume += Math.log(values[k]);
  }
  let varying = 0;
  for (let j = 0; j < size; j++) {
    logVolume += 2 * Math.log(deviations[j]);
    if (matrix[j * size + j] > 0) varying++;
  }
  const margin = kept > 0 ? values[kept - 1] : 0;
  return { features: size, rank: kept, rows, logDeterminant: logVolume, complete: kept === varying, margin };
}

/** The directions in which the standardised features spread by more than `tolerance`. */
export function whitenStandardised(covariance: Float64Array, size: number, tolerance = 0): Whitening {
  const { deviations, matrix } = correlations(covariance, size);
  return fromEigen(matrix, deviations, leastShare(tolerance));
}

/** z = A (x − origin), for the row of x at `from`. */
export function whiten(
  { rank, rows, features }: Whitening,
  x: Float64Array,
  from: number,
  origin: Float64Array,
  start: number,
  z: Float64Array,
): void {
  for (let k = 0; k < rank; k++) {
    let sum = 0;
    for (let j = 0; j < features; j++) sum += rows[k * features + j] * (x[from + j] - origin[start + j]);
    z[k] = sum;
  }
}

/** z = A (x − origin) for all rows, block by block; `visit` gets the number of a row and where its z begins. */
export function whitenRows(
  { rank, rows: a, features }: Whitening,
  origin: Float64Array,
  rows: number,
  x: Float64Array,
  visit: (i: number, z: Float64Array, at: number) => void,
): void {
  const start = new Float64Array(rank);
  mapRows({ kernel: 'affine', features, columns: rank, parameters: [origin, a, start] }, rows, x, (from, some, z) => {
    for (let i = 0; i < some; i++) visit(from + i, z, i * rank);
  });
}

/**
 * Draws from N(0, Σ) into `row`: with g standard normal, ΣAᵀg has the covariance ΣAᵀAΣ = Σ.
 * Needs no other factor than the one that scores.
 */
export function unwhiten(
  covariance: Float64Array,
  { features, rank, rows }: Whitening,
  random: Generator,
  row: Float64Array,
): void {
  const mixed = new Float64Array(features);
  for (let k = 0; k < rank; k++) {
    const g = drawNormal(random);
    for (let j = 0; j < features; j++) mixed[j] += g * rows[k * features + j];
  }
  for (let j = 0; j < features; j++) {
    let sum = 0;
    for (let k = 0; k < features; k++) sum += covariance[j * features + k] * mixed[k];
    row[j] = sum;
  }
}
