import { type Insight, realCells, ticks } from '../core/insight.ts';
import { logPriorWithout } from '../core/leave-one-out.ts';
import { allTerms, type Form, type Model } from '../core/model.ts';
import { type ClassPrior, logClassPrior } from '../core/prior.ts';
import { type Batch, type Shape, toDense } from '../data/batch.ts';
import { drawCategory, drawNormal } from '../math/draws.ts';
import { logKernelDensity } from '../math/kernel-density.ts';
import { type Values, valueReader, values, type WeightedValues } from '../stats/values.ts';
import { resolved } from './gaussian.ts';

/** The bandwidth: a rule of thumb, or a fixed width. */
type Bandwidth = 'silverman' | 'scott' | 'weka' | number;

/** The inputs of the rules: standard deviation, range and weight. */
interface Outline {
  readonly deviation: number;
  readonly range: number;
  readonly size: number;
}

/** Standard deviation (population, in two passes), range and largest magnitude. */
function outlineOf({ points, weights, total }: WeightedValues): Outline {
  let [sum, squares] = [0, 0];
  const origin = points[0];
  for (let k = 0; k < points.length; k++) sum += weights[k] * (points[k] - origin);
  const mean = sum / total;
  for (let k = 0; k < points.length; k++) squares += weights[k] * (points[k] - origin - mean) ** 2;
  const last = points[points.length - 1];
  return {
    deviation: Math.sqrt(squares / total),
    range: last - origin,
    size: Math.max(Math.abs(origin), Math.abs(last)),
  };
}

/**
 * The bandwidth h of one feature in one class, with n the weight and σ the population standard deviation of its values:
 *
 *   silverman  σ (4 / 3n)^(1/5)       Silverman, Density Estimation (1986), §3.4.2          (1)
 *   scott      σ n^(−1/5)             Scott, Multivariate Density Estimation (1992)          (2)
 *   weka       (max − min) / √n       the kernel estimator of Weka, after John & Langley     (3)
 *
 * and at least `least`, a share of the deviation over all classes, since a single value has no deviation.
 */
function bandwidthOf(rule: Bandwidth, values: WeightedValues, least: number): number {
  if (typeof rule === 'number') return rule;
  const { total } = values;
  const { deviation, range, size } = outlineOf(values);
  const width =
    rule === 'weka' ? range / Math.sqrt(total) : deviation * (rule === 'scott' ? total : 0.75 * total) ** -0.2;
  return resolved(Math.max(width, least), size);
}

/** Kernels of one feature in one class. */
interface Kernel extends WeightedValues {
  readonly bandwidth: number;
}

/** A kernel density for every class and feature, class-major; none if no class ever had the feature. */
export interface Kernels extends Shape {
  readonly logPrior: Float64Array;
  readonly kernels: readonly (Kernel | undefined)[];
}

/** How kernel densities are estimated. */
export interface KernelOptions {
  readonly bandwidth: Bandwidth;
  /** The least bandwidth of a rule, in standard deviations of the feature over all rows. */
  readonly leastBandwidth: number;
  readonly classPrior?: ClassPrior;
}

/** The kernels of the values, or those of all classes together if there are none. */
function kernelOf(
  { bandwidth, leastBandwidth }: KernelOptions,
  own: WeightedValues,
  all: WeightedValues,
): Kernel | undefined {
  if (all.total === 0) return undefined;
  const chosen = own.total > 0 ? own : all;
  const least = leastBandwidth * outlineOf(all).deviation;
  return { ...chosen, bandwidth: bandwidthOf(bandwidth, chosen, least) };
}

/** ln p(x); 0 for a missing cell, and of a feature that no class ever had. */
const logDensity = (kernel: Kernel | undefined, x: number): number =>
  !kernel || Number.isNaN(x) ? 0 : logKernelDensity(kernel, x);

/** All kernels one after another; a size of −1 marks a feature that no class ever had. */
const kernelForm: Form<Kernels, unknown> = {
  arrays: {
    logPrior: ['log', 'classes'],
    sizes: ['place', 'classes', 'features'],
    points: ['real', 'any'],
    weights: ['weight', 'any'],
    bandwidths: ['scale', 'classes', 'features'],
    totals: ['scale', 'classes', 'features'],
  },
  pack: ({ logPrior, kernels }) => ({
    logPrior,
    sizes: Float64Array.from(kernels, (kernel) => kernel?.points.length ?? -1),
    points: Float64Array.from(kernels.flatMap((kernel) => (kernel ? [...kernel.points] : []))),
    weights: Float64Array.from(kernels.flatMap((kernel) => (kernel ? [...kernel.weights] : []))),
    bandwidths: Float64Array.from(kernels, (kernel) => kernel?.bandwidth ?? 1),
    totals: Float64Array.from(kernels, (kernel) => kernel?.total ?? 1),
  }),
  unpack({ logPrior, sizes, points, weights, bandwidths, totals }, { classes, features }) {
    let at = 0;
    const kernels = Array.from(sizes, (size, cell) => {
      if (size < 0) return undefined;
      const [from, to] = [at, (at += size)];
      return {
        points: points.slice(from, to),
        weights: weights.slice(from, to),
        bandwidth: bandwidths[cell],
        total: totals[cell],
      };
    });
    const fits = at === points.length && at === weights.length && !sizes.includes(0);
    return fits ? { classes, features, logPrior, kernels } : undefined;
  },
};

/**
 * Kernel naive Bayes: the density of a feature in a class is the mean of Gaussian kernels, one at every training value.
 *
 *   p(xⱼ | c) = Σᵥ w[c,j,v] N(xⱼ; value[j,v], h²[c,j]) / Σᵥ w[c,j,v]        (1)
 *
 * Missing cells drop out; a class without values of a feature uses the density of all classes for it. John & Langley, Estimating Continuous
 * Distributions in Bayesian Classifiers (UAI 1995).
 */
export const kernel: Model<Values, Kernels, KernelOptions> = {
  name: 'kernel',
  statistic: values,
  form: kernelForm,

  estimate(stats, options) {
    const { classes, features, n } = stats;
    const read = valueReader(stats);
    const kernels = Array.from({ length: classes * features }, (_, cell) => {
      const j = cell % features;
      return kernelOf(options, read(j, (cell - j) / features), read(j));
    });
    return { classes, features, logPrior: logClassPrior(n, options.classPrior), kernels };
  },

  /** out[i,c] = ln p(c) + ln p(xᵢ | c), by (1). */
  score({ classes, features, logPrior, kernels }, rows, out) {
    const { x } = toDense(rows);
    for (let i = 0; i < rows.rows; i++) {
      for (let c = 0; c < classes; c++) {
        let sum = logPrior[c];
        for (let j = 0; j < features; j++) sum += logDensity(kernels[c * features + j], x[i * features + j]);
        out[i * classes + c] = sum;
      }
    }
  },

  logPrior: ({ logPrior }) => logPrior,

  terms({ classes, features, kernels }, rows, i) {
    const { x } = toDense(rows);
    return allTerms(classes, features, (j, c) => logDensity(kernels[c * features + j], x[i * features + j]));
  },

  sample({ features, kernels }, c, random, row) {
    for (let j = 0; j < features; j++) {
      const drawn = kernels[c * features + j];
      row[j] = drawn ? drawn.points[drawCategory(random, drawn.weights)] + drawn.bandwidth * drawNormal(random) : 0;
    }
  },
};

/** Insights into kernel densities. */
export const kernelInsight: Insight<Values, Kernels, KernelOptions> = {
  cells: () => realCells,

  /** From three bandwidths below the least value to three above the largest. */
  points({ classes, features, kernels }, j) {
    const own = Array.from({ length: classes }, (_, c) => kernels[c * features + j]).filter(
      (cell) => cell !== undefined,
    );
    const ends = own.map(({ points, bandwidth }) => [
      points[0] - 3 * bandwidth,
      points[points.length - 1] + 3 * bandwidth,
    ]);
    return own.length === 0
      ? new Float64Array(0)
      : ticks(Math.min(...ends.map(([low]) => low)), Math.max(...ends.map(([, high]) => high)));
  },

  contribution({ classes, features, kernels }, j, value, out) {
    for (let c = 0; c < classes; c++) out[c] = logDensity(kernels[c * features + j], value);
  },

  /** The value of row i is removed from its class, and every bandwidth is recomputed. */
  leaveOneOut(stats, options, batch: Batch, out) {
    const { classes, features } = stats;
    const { x } = toDense(batch);
    const read = valueReader(stats);
    for (let i = 0; i < batch.rows; i++) {
      const [own, weight] = [batch.y[i], batch.w[i]];
      const scores = out.subarray(i * classes, (i + 1) * classes);
      scores.set(logPriorWithout(stats.n, own, weight, options.classPrior));
      for (let j = 0; j < features; j++) {
        const value = x[i * features + j] + 0; // −0 is 0
        if (Number.isNaN(value)) continue;
        const all = read(j, undefined, { value, weight });
        for (let c = 0; c < classes; c++) {
          const rest = read(j, c, c === own ? { value, weight } : undefined);
          scores[c] += logDensity(kernelOf(options, rest, all), value);
        }
      }
    }
  },
};
