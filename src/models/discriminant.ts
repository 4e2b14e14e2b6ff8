import type { Statistic } from '../core/model.ts';
import { type ClassPrior, logClassPrior } from '../core/prior.ts';
import { refuse } from '../errors.ts';
import { triangleCell } from '../stats/layout.ts';
import { centred, type Quartic, quartic } from '../stats/quartic.ts';
import { gappedScatter, meanVector, type Scatter, scatter, scatterMatrix } from '../stats/scatter.ts';

/** The shrinkage of a covariance towards a spherical one: none, by Ledoit & Wolf's intensity, or by a given one. */
export type Shrinkage = null | 'auto' | number;

/** The trace of a square matrix. */
export function trace(matrix: Float64Array, size: number): number {
  let sum = 0;
  for (let j = 0; j < size; j++) sum += matrix[j * size + j];
  return sum;
}

/** (1 − s)Σ + s diag(target). */
export function towards(
  covariance: Float64Array,
  size: number,
  s: number,
  target: (j: number) => number,
): Float64Array {
  const drawn = covariance.map((value) => (1 - s) * value);
  for (let j = 0; j < size; j++) drawn[j * size + j] += s * target(j);
  return drawn;
}

/** Whether feature j of class c varies beyond rounding. */
function varies({ features, n, shift, s2 }: Quartic, c: number, j: number): boolean {
  const variance = s2[c * triangleCell(features, 0) + triangleCell(j, j)] / n[c];
  return variance > (2 ** -50 * shift[c * features + j]) ** 2;
}

/** Below this share, a difference of sums of fourth powers may be rounding, since unlearned rows leave rounding errors. */
const ROUNDING = 1e-9;

/** The intensity of shrinkage, towards a diagonal of `mu` times the squares of `deviations`. */
interface Intensity {
  readonly intensity: number;
  readonly mu: number;
  readonly deviations: Float64Array;
}

/**
 * The intensity of Ledoit & Wolf (2004) for the centred rows z of class c, with n rows, p features, R = Σ zzᵀ / n:
 *
 *   β = (Σ ‖z‖⁴ / n − ‖R‖²) / np,    δ = ‖R − μI‖² / p,    μ = tr R / p,    s = min(β, δ) / δ        (1)
 *
 * of standardised features by default. Σ ‖z‖⁴ = Σⱼₖ s4[jk] / vⱼvₖ follows from the statistic, so that the intensity can be computed from
 * merged statistics.
 */
export function ledoitWolf(stats: Quartic, c: number, standardise = true): Intensity {
  const about = centred(stats);
  const { features: p, n, s2, s4 } = about;
  const triangle = c * triangleCell(p, 0);
  const second = (j: number, k: number) => s2[triangle + triangleCell(j, k)] / n[c];
  const alive = Array.from({ length: p }, (_, j) => varies(about, c, j));
  const deviations = Float64Array.from(alive, (lives, j) => (lives && standardise ? Math.sqrt(second(j, j)) : 1));
  let [fourth, square, variance] = [0, 0, 0];
  for (let j = 0; j < p; j++) {
    if (!alive[j]) continue;
    variance += second(j, j) / deviations[j] / deviations[j];
    for (let k = 0; k <= j; k++) {
      if (!alive[k]) continue;
      const both = k < j ? 2 : 1;
      const scale = deviations[j] * deviations[k];
      fourth += (both * s4[triangle + triangleCell(j, k)]) / scale / scale;
      square += both * (second(j, k) / scale) ** 2;
    }
  }
  const mu = variance / p;
  const scatter = fourth / n[c] - square;
  // for two rows the difference is only rounding
  const beta = scatter > ROUNDING * square ? scatter / (p * n[c]) : 0;
  const delta = (square - 2 * mu * variance + p * mu * mu) / p;
  const least = Math.min(beta, delta);
  return { intensity: p === 1 || !(least > 0) ? 0 : least / delta, mu, deviations };
}

/** Covariances from a user-supplied estimator: of each class, and of all rows if needed. */
export interface GivenCovariances {
  readonly classes: readonly Float64Array[];
  readonly total: Float64Array | undefined;
}

/** The covariance Σᵢ wᵢ (xᵢ − x̄)(xᵢ − x̄)ᵀ / n of class c, shrunk: towards (tr Σ / p) I, or in standardised features by (1). */
export function shrunkCovariance(stats: Scatter, c: number, shrinkage: Shrinkage): Float64Array {
  const { features, n } = stats;
  const covariance = scatterMatrix(stats, c).map((sum) => sum / n[c]);
  if (shrinkage === null) return covariance;
  if (shrinkage !== 'auto') {
    const mean = trace(covariance, features) / features;
    return towards(covariance, features, shrinkage, () => mean);
  }
  const { intensity, mu, deviations } = ledoitWolf(stats as Quartic, c);
  return towards(covariance, features, intensity, (j) => mu * deviations[j] * deviations[j]);
}

/** The divisor of sums of squares: the number of rows, or that minus the number of estimated means. */
export type Denominator = 'n' | 'n-1';

/**
 * The statistic of a discriminant: Ledoit & Wolf's intensity needs products of fourth order, which are of complete rows, and rows with
 * missing cells need sums over those that have both features of a pair.
 */
export function statisticFor(shrinkage: Shrinkage, gaps: boolean): Statistic<Scatter> {
  if (shrinkage === 'auto') return quartic as unknown as Statistic<Scatter>;
  return gaps ? gappedScatter : scatter;
}

/** The means of all classes, class-major. */
export function meansOf(stats: Scatter): Float64Array {
  const means = new Float64Array(stats.classes * stats.features);
  for (let c = 0; c < stats.classes; c++) means.set(meanVector(stats, c), c * stats.features);
  return means;
}

/** ln p(c); a class without rows has none, and a given prior for it is rejected, because its parameters are unknown. */
export function discriminantPrior({ n }: Scatter, classPrior: ClassPrior | undefined): Float64Array {
  const logPrior = logClassPrior(n, classPrior);
  for (let c = 0; c < n.length; c++) if (n[c] === 0 && logPrior[c] > -Infinity) refuseClass(c, 0, 'no rows');
  return logPrior;
}

/** Refuses fewer than two classes. */
export function requireClasses({ classes, n }: Scatter): void {
  if (classes >= 2) return;
  refuse('E_CLASSES_TOO_FEW', `a discriminant separates at least 2 classes, there is ${classes}`, {
    classes,
    count: n[0] ?? 0,
  });
}

/** Throws if a class has too few rows; the estimator replaces the number of the class by its name. */
export function refuseClass(c: number, count: number, why: string): never {
  return refuse('E_CLASS_TOO_SMALL', `class ${c} has ${why}`, { class: c, count });
}

/** The mean of the class means by weight, Σ_c w_c μ[c]. */
export function weightedMean(weights: Float64Array, means: Float64Array, features: number): Float64Array {
  const mean = new Float64Array(features);
  for (let c = 0; c < weights.length; c++) {
    if (weights[c] === 0) continue;
    for (let j = 0; j < features; j++) mean[j] += weights[c] * means[c * features + j];
  }
  return mean;
}

/** The remainder of a score after the terms of its features; all of it for a row so far away that they overflow. */
export function restOf(score: number, listed: number, terms: Float64Array, classes: number, c: number): number {
  if (Number.isFinite(listed)) return score - listed;
  for (let cell = c; cell < terms.length; cell += classes) terms[cell] = 0;
  return score;
}
