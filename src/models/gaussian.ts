import type { Model } from '../core/model.ts';
import { type ClassPrior, logClassPrior } from '../core/prior.ts';
import { type Shape, toDense } from '../data/batch.ts';
import { drawGamma, drawNormal } from '../math/draws.ts';
import { mapRows, type RowMap } from '../math/kernels.ts';
import { type Moments, moments } from '../stats/moments.ts';
import { type BellRule, bellOf, logFall, logPeak, pooledSpot, smoothingOf, spotAt } from './bell.ts';

/** A bell curve for every class and feature, class-major. */
export interface Bells extends Shape {
  readonly logPrior: Float64Array;
  readonly mean: Float64Array;
  readonly variance: Float64Array;
  readonly df: Float64Array; // Infinity for a normal curve
  readonly logPeak: Float64Array;
  /** What was added to every variance. */
  readonly epsilon: number;
}

/** How bells are estimated. */
export interface GaussianOptions {
  readonly rule: BellRule;
  readonly classPrior?: ClassPrior;
}

/**
 * Gaussian naive Bayes: each feature is a bell curve of its own in each class.
 *
 *   p(x | c) = Πⱼ N(xⱼ; μ[c,j], σ²[c,j]),   σ² = S/n + ε,   ε = varSmoothing · maxⱼ Var(xⱼ)        (1)
 *
 * with the population variance over all rows of all classes, by weight. It follows from the statistic, so learning in parts
 * is learning at once. Under a Normal-inverse-gamma prior the bells are its mode or Student's predictive curves.
 * Missing cells drop out of (1); a class that never showed a feature takes the curve of all classes for it. Murphy, Machine Learning: A Probabilistic Perspective (2012), §3.5 and §4.6.
 */
export const gaussian: Model<Moments, Bells, GaussianOptions> = {
  name: 'gaussian',
  statistic: moments,
  form: {
    arrays: {
      logPrior: ['log', 'classes'],
      mean: ['real', 'classes', 'features'],
      variance: ['scale', 'classes', 'features'],
      df: ['scale', 'classes', 'features'],
      logPeak: ['log', 'classes', 'features'],
      epsilon: ['weight'],
    },
  },

  estimate(stats, { rule, classPrior }) {
    const { classes, features, n } = stats;
    const pooled = Array.from({ length: features }, (_, j) => pooledSpot(stats, j));
    const epsilon = smoothingOf(rule, pooled);
    const bells = Array.from({ length: classes * features }, (_, cell) => {
      const j = cell % features;
      return bellOf(rule, epsilon, j, spotAt(stats, (cell - j) / features, j), pooled[j]);
    });
    return {
      classes,
      features,
      logPrior: logClassPrior(n, classPrior),
      mean: Float64Array.from(bells, ({ mean }) => mean),
      variance: Float64Array.from(bells, ({ variance }) => variance),
      df: Float64Array.from(bells, ({ df }) => df),
      logPeak: Float64Array.from(bells, logPeak),
      epsilon,
    };
  },

  /** out[i,c] = ln p(c) + ln p(xᵢ | c), by (1). */
  score(bells, rows, out) {
    const { x } = toDense(rows);
    if (bells.df.every((df) => df === Infinity)) scoreNormal(bells, rows.rows, x, out);
    else scoreStudent(bells, rows.rows, x, out);
  },

  logPrior: ({ logPrior }) => logPrior,

  terms({ classes, features, mean, variance, df, logPeak }, rows, i) {
    const { x } = toDense(rows);
    const terms = new Float64Array(features * classes);
    for (let j = 0; j < features; j++) {
      const value = x[i * features + j];
      if (Number.isNaN(value)) continue;
      for (let c = 0; c < classes; c++) {
        const cell = c * features + j;
        terms[j * classes + c] = logPeak[cell] + logFall(value, mean[cell], variance[cell], df[cell]);
      }
    }
    return { features: Uint32Array.from({ length: features }, (_, j) => j), terms, rest: new Float64Array(classes) };
  },

  sample({ features, mean, variance, df }, c, random, row) {
    for (let j = 0; j < features; j++) {
      const cell = c * features + j;
      const stretch = df[cell] === Infinity ? 1 : df[cell] / (2 * drawGamma(random, df[cell] / 2));
      row[j] = mean[cell] + Math.sqrt(variance[cell] * stretch) * drawNormal(random);
    }
  },
};

/** Curves never change, so what the kernel needs of them is computed once. */
const maps = new WeakMap<Bells, RowMap>();

/** The kernel of (1) for normal curves: their means, 1 / σ, and ln p(c) with the logarithms of all peaks. */
function mapOf(bells: Bells): RowMap {
  const { classes, features, logPrior, mean, variance, logPeak } = bells;
  let map = maps.get(bells);
  if (!map) {
    const start = logPrior.map((log, c) => {
      let sum = log;
      for (let cell = c * features; cell < (c + 1) * features; cell++) sum += logPeak[cell];
      return sum;
    });
    const scale = variance.map((square) => 1 / Math.sqrt(square));
    map = { kernel: 'normal', features, columns: classes, parameters: [mean, scale, start] };
    maps.set(bells, map);
  }
  return map;
}

/** Scores by (1) where all curves are normal; the kernel makes NaN of a row with missing cells, which drop out. */
function scoreNormal(bells: Bells, rows: number, x: Float64Array, out: Float64Array): void {
  const { classes, features } = bells;
  mapRows(mapOf(bells), rows, x, (from, some, scores) => {
    out.set(scores.subarray(0, some * classes), from * classes);
  });
  for (let i = 0; i < rows; i++) {
    if (Number.isNaN(out[i * classes])) scoreWithGaps(bells, x, i * features, out, i * classes);
  }
}

/** Scores one row by (1) without its missing cells. */
function scoreWithGaps(bells: Bells, x: Float64Array, from: number, out: Float64Array, to: number): void {
  const { classes, features, logPrior, logPeak } = bells;
  const [mean, scale] = mapOf(bells).parameters;
  for (let c = 0, cell = 0; c < classes; c++) {
    let [start, squares] = [logPrior[c], 0];
    for (let j = 0; j < features; j++, cell++) {
      const value = x[from + j];
      if (Number.isNaN(value)) continue;
      const z = (value - mean[cell]) * scale[cell];
      start += logPeak[cell];
      squares += z * z;
    }
    out[to + c] = start + -0.5 * squares;
  }
}

/** Scores by (1) where some of the curves are Student's. */
function scoreStudent(bells: Bells, rows: number, x: Float64Array, out: Float64Array): void {
  const { classes, features, logPrior, mean, variance, df, logPeak } = bells;
  for (let i = 0; i < rows; i++) {
    for (let c = 0; c < classes; c++) {
      let sum = logPrior[c];
      for (let j = 0; j < features; j++) {
        const value = x[i * features + j];
        const cell = c * features + j;
        if (!Number.isNaN(value)) sum += logPeak[cell] + logFall(value, mean[cell], variance[cell], df[cell]);
      }
      out[i * classes + c] = sum;
    }
  }
}
