import type { Shape } from '../data/batch.ts';
import { dot } from '../math/arrays.ts';

/**
 * Transforms a Gaussian of covariance Σ into a spherical one: z = Ad has unit covariance, so that dᵀΣ⁻¹d = ‖z‖². If Σ is singular, only the
 * directions with variance remain, and Σ⁻¹ and |Σ| are those of that subspace.
 */
export interface Whitening {
  readonly features: number;
  readonly rank: number;
  readonly rows: Float64Array; // A, row-major rank × features
  readonly logDeterminant: number; // ln |Σ|
  /** Whether only constant features were left out. */
  readonly complete: boolean;
  /** The distance from singularity: the least eigenvalue of the correlations, or the least unexplained deviation of a feature. */
  readonly margin: number;
}

/** Σ = DRD: standard deviations (1 for what does not vary) and correlations. */
export function correlations(
  covariance: Float64Array,
  size: number,
): { deviations: Float64Array; matrix: Float64Array } {
  const deviations = new Float64Array(size);
  for (let j = 0; j < size; j++) deviations[j] = Math.sqrt(covariance[j * size + j]) || 1;
  const matrix = covariance.map((value, cell) => value / deviations[Math.floor(cell / size)] / deviations[cell % size]);
  return { deviations, matrix };
}

/** The least unexplained share of variance of a direction; merged sums keep twelve digits. */
export const leastShare = (tolerance: number): number => Math.max(tolerance * tolerance, 2 ** -40);

/**
 * The whitening of the marginal of Σ over the features that are observed: rows and columns of the others are dropped, and A has zeros in
 * their place. A feature that the observed features before it determine, or that does not vary, adds nothing.
 */
export function whitenMarginal(covariance: Float64Array, size: number, observed: readonly number[]): Whitening {
  const kept: number[] = [];
  const rows = new Float64Array(observed.length * size); // row k of A is over the features kept before and with k
  const explained = new Float64Array(observed.length);
  let logVolume = 0;
  let margin = 1;
  for (const j of observed) {
    const variance = covariance[j * size + j];
    const rank = kept.length;
    let left = variance;
    for (let i = 0; i < rank; i++) {
      let sum = 0;
      for (let k = 0; k <= i; k++) sum += rows[i * size + kept[k]] * covariance[j * size + kept[k]];
      explained[i] = sum;
      left -= sum * sum;
    }
    if (!(left > leastShare(0) * variance && variance < Infinity)) continue;
    const root = Math.sqrt(left);
    for (let i = 0; i < rank; i++) {
      for (let k = 0; k <= i; k++) rows[rank * size + kept[k]] -= (explained[i] * rows[i * size + kept[k]]) / root;
    }
    rows[rank * size + j] = 1 / root;
    kept.push(j);
    logVolume += Math.log(left);
    margin = Math.min(margin, left / variance);
  }
  const rank = kept.length;
  return {
    features: size,
    rank,
    rows: rows.slice(0, rank * size),
    logDeterminant: logVolume,
    complete: true,
    margin,
  };
}

/** −½‖z‖² of the first `rank` elements. */
export function logFallOf(z: Float64Array, rank: number): number {
  let sum = 0;
  for (let k = 0; k < rank; k++) sum += z[k] * z[k];
  return logFallBy(sum);
}

/** −½‖z‖² by ‖z‖²; what overflows is farther away than any number. */
export const logFallBy = (square: number): number => (Number.isNaN(square) ? -Infinity : -0.5 * square);

/** ln of the peak of the density: −½ (rank ln 2π + ln |Σ|). */
export function logPeakOf({ rank, logDeterminant }: Whitening): number {
  return -0.5 * (rank * Math.log(2 * Math.PI) + logDeterminant);
}

/** Σ⁻¹x̄: by this the weights of the solvers 'lsqr' and 'eigen' differ from those of 'svd'. */
export function originWeights({
  origin,
  features,
  whitening,
}: Shape & { readonly origin: Float64Array; readonly whitening: Whitening }): Float64Array {
  const { rank, rows } = whitening;
  const weights = new Float64Array(features);
  for (let k = 0; k < rank; k++) {
    const row = rows.subarray(k * features, (k + 1) * features);
    const image = dot(row, origin);
    for (let j = 0; j < features; j++) weights[j] += image * row[j];
  }
  return weights;
}
