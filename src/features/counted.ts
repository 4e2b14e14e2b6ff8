import { isLike, requireLike } from '../data/arguments.ts';
import type { Matrix } from '../data/matrix.ts';
import type { Histogram } from '../stats/histogram.ts';
import { levelOffsets } from '../stats/layout.ts';
import { type Moments, meanAt, presentWeight, varianceAt } from '../stats/moments.ts';
import type { Sums } from '../stats/sums.ts';

/** The public properties of a fitted model that counts by class and feature, such as `BernoulliNB` and `MultinomialNB`. */
export interface CountedFeatures {
  readonly classCount: Float64Array;
  readonly featureCount: Matrix;
}

/** The public properties of a fitted model of categorical features: one matrix of classes × levels per feature. */
export interface CountedCategories {
  readonly classCount: Float64Array;
  readonly categoryCount: readonly Matrix[];
}

/** The public properties of a fitted Gaussian model; `epsilon` was added to every variance. */
export interface CountedMoments {
  readonly classCount: Float64Array;
  readonly theta: Matrix;
  readonly var: Matrix;
  readonly epsilon?: number;
}

/** Throws unless the value is a statistic with this array or a fitted model with these properties. */
function requireStatistic(counted: object, array: string, members: Parameters<typeof requireLike>[2]): void {
  if (isLike(counted, { classes: 'number', features: 'number', [array]: 'list' })) return;
  requireLike(counted, 'a statistic, or a fitted model that counts', { classCount: 'list', ...members });
}

/** Sums by class, from the statistic or from a fitted model. */
export function toSums(counted: Sums | CountedFeatures): Sums {
  requireStatistic(counted, 's', { featureCount: 'matrix' });
  if ('s' in counted) return counted;
  const { classCount: n, featureCount } = counted;
  return { classes: featureCount.rows, features: featureCount.cols, n, s: featureCount.data, m: new Float64Array(0) };
}

/** Histograms by class, from the statistic or from a fitted model. */
export function toHistogram(counted: Histogram | CountedCategories): Histogram {
  requireStatistic(counted, 'h', { categoryCount: 'list' });
  if ('h' in counted) return counted;
  const { classCount: n, categoryCount } = counted;
  const levels = Int32Array.from(categoryCount, (matrix) => matrix.cols);
  const offsets = levelOffsets(levels);
  const width = offsets[levels.length];
  const h = new Float64Array(n.length * width);
  categoryCount.forEach((matrix, j) => {
    for (let c = 0; c < n.length; c++) h.set(matrix.row(c), c * width + offsets[j]);
  });
  return { classes: n.length, features: levels.length, levels, n, h };
}

/** Weight, mean and variance of one feature in one class. */
export interface Spread {
  readonly weight: number;
  readonly mean: number;
  readonly variance: number;
}

/** How to read weight, mean and variance by class and feature, from the statistic or from a fitted model. */
export function spreads(counted: Moments | CountedMoments): {
  readonly classes: number;
  readonly features: number;
  at(c: number, j: number): Spread;
} {
  requireStatistic(counted, 's2', { theta: 'matrix', var: 'matrix' });
  if ('s2' in counted) {
    const { classes, features } = counted;
    const at = (c: number, j: number) => ({
      weight: presentWeight(counted, c, j),
      mean: meanAt(counted, c, j),
      variance: varianceAt(counted, c, j),
    });
    return { classes, features, at };
  }
  const { classCount, theta, var: variances, epsilon = 0 } = counted;
  const at = (c: number, j: number) => ({
    weight: classCount[c],
    mean: theta.at(c, j),
    variance: Math.max(0, variances.at(c, j) - epsilon),
  });
  return { classes: theta.rows, features: theta.cols, at };
}
