import type { Statistic } from '../core/model.ts';
import { type ClassPrior, logClassPrior } from '../core/prior.ts';
import { refuse } from '../errors.ts';
import { quartic } from '../stats/quartic.ts';
import { gappedScatter, meanVector, type Scatter, scatter } from '../stats/scatter.ts';
import type { Shrinkage } from './shrinkage.ts';

/** By what sums of squares are divided: the number of rows, or that less the number of means that were estimated. */
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

/** ln p(c); a class without rows has none unless it is given one, and then it is refused: nothing is known of its rows. */
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

/** Refuses a class whose rows do not suffice; the estimator puts the name of the class for its number. */
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

/** What is left of a score when its features have spoken; of a row so far away that they overflow, all of it. */
export function restOf(score: number, told: number, terms: Float64Array, classes: number, c: number): number {
  if (Number.isFinite(told)) return score - told;
  for (let cell = c; cell < terms.length; cell += classes) terms[cell] = 0;
  return score;
}
