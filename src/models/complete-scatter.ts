import { cholesky } from '../math/cholesky.ts';
import { triangleCell } from '../stats/layout.ts';
import { meanVector, presentWeight, type Scatter, scatterMatrix } from '../stats/scatter.ts';
import { correlations, leastShare } from './whitening.ts';

/** Whether a cell was missing in any of the rows. */
export const hasGaps = ({ m }: Scatter): boolean => m?.some((weight) => weight > 0) ?? false;

/** Mean and variance within classes of every feature, over all classes; a feature that was never present has variance 1. */
function pooledOf(stats: Scatter, spreads: readonly Float64Array[]): { mean: Float64Array; variance: Float64Array } {
  const { features } = stats;
  const total = new Float64Array(features);
  const [mean, variance] = [new Float64Array(features), new Float64Array(features)];
  spreads.forEach((spread, c) => {
    const own = meanVector(stats, c);
    for (let j = 0; j < features; j++) {
      const weight = presentWeight(stats, c, j, j);
      total[j] += weight;
      mean[j] += weight * own[j];
      variance[j] += spread[j * features + j];
    }
  });
  return {
    mean: mean.map((sum, j) => (total[j] > 0 ? sum / total[j] : 0)),
    variance: variance.map((sum, j) => (total[j] > 0 ? sum / total[j] : 1)),
  };
}

/**
 * Scatter of rows with missing cells as that of complete rows (available cases): the mean and the variance of a feature in a class
 * are those of its present cells, its covariance with another feature that of the rows that have both, and a class weighs as much as
 * all its rows. A feature that a class has never shown has the mean and the variance within all classes; one that was present
 * without varying, and missing at times, their variance. Without missing cells the sums stay as they are.
 */
export function completeScatter(stats: Scatter): Scatter {
  const { classes, features, n, m: _, o1: __, ...sums } = stats;
  if (!hasGaps(stats)) return { ...sums, classes, features, n };
  const spreads = Array.from({ length: classes }, (_, c) => scatterMatrix(stats, c));
  const pooled = pooledOf(stats, spreads);
  const shift = new Float64Array(classes * features);
  const s2 = new Float64Array(stats.s2.length);
  spreads.forEach((spread, c) => {
    const mean = meanVector(stats, c);
    for (let j = 0; j < features; j++) {
      const weight = presentWeight(stats, c, j, j);
      shift[c * features + j] = weight > 0 ? mean[j] : pooled.mean[j];
      for (let k = 0; k <= j; k++) {
        const both = presentWeight(stats, c, j, k);
        const covariance = both > 0 ? spread[j * features + k] / both : 0;
        const unknown = j === k && covariance === 0 && weight < n[c];
        const cell = c * triangleCell(features, 0) + triangleCell(j, k);
        s2[cell] = n[c] * (unknown ? pooled.variance[j] : covariance);
      }
    }
  });
  return { classes, features, n, shift, s1: new Float64Array(shift.length), s2 };
}

/** The least unexplained share of variance of a feature in a covariance that counts as regular. */
const LEAST_PIVOT = leastShare(1e-4);

/**
 * A covariance whose entries come from different rows, made positive definite: DRD → D((1 − s)R + sI)D with the first of s = 0, 2⁻¹⁰, 2⁻⁹ …
 * that suffices. Variances stay as they are. Covariances estimated pair by pair may be inconsistent, so that no Gaussian has all of them.
 */
export function positiveDefinite(covariance: Float64Array, size: number): Float64Array {
  const { matrix } = correlations(covariance, size);
  for (let j = 0; j < size; j++) matrix[j * (size + 1)] = 1;
  for (let s = 0; s <= 1; s = s === 0 ? 2 ** -10 : 2 * s) {
    const drawn = (cell: number) => (cell % (size + 1) === 0 ? 1 : 1 - s) * matrix[cell];
    if (
      !cholesky(
        Float64Array.from(matrix, (_, cell) => drawn(cell)),
        size,
        LEAST_PIVOT,
      ).ok
    )
      continue;
    if (s === 0) return covariance;
    return covariance.map((value, cell) => (cell % (size + 1) === 0 ? value : (1 - s) * value));
  }
  return covariance;
}
