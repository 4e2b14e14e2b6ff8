import { type Insight, realCells, ticks } from '../core/insight.ts';
import { priorDraws } from '../core/posterior-draws.ts';
import { emptyTelling } from '../core/telling.ts';
import { toDense } from '../data/batch.ts';
import { refuse } from '../errors.ts';
import { maximum } from '../math/arrays.ts';
import type { Random } from '../math/random.ts';
import type { Moments } from '../stats/moments.ts';
import {
  bellOf,
  type GaussianOptions,
  type GaussianParameters,
  logPeak,
  momentsAt,
  type NormalGamma,
  normalGammaPosterior,
  pooledMoments,
  type ShiftedMoments,
  smoothingOf,
} from './gaussian.ts';
import { logFall } from './log-densities.ts';

/** The range of a nomogram axis around the means, in standard deviations. */
const REACH = 3;

/** The variance of a density; Student's with two degrees of freedom or less has none, so its squared scale is used. */
const varianceOf = (variance: number, df: number) => (df > 2 && df < Infinity ? (variance * df) / (df - 2) : variance);

/**
 * The divergence of the bell of class c from the normal with mean and variance of the other classes' mixture,
 *
 *   KL = ½ (σ² / σᵣ² + (μ − μᵣ)² / σᵣ² − 1 − ln σ² / σᵣ²),   σᵣ² = Σ π (σ² + (μ − μᵣ)²) / Σ π        (1)
 */
function bellDivergence(
  { classes, features, logPrior, mean, variance, df }: GaussianParameters,
  c: number,
  j: number,
): number {
  const spread = (k: number) => varianceOf(variance[k * features + j], df[k * features + j]);
  const average = (value: (k: number) => number) => {
    let [total, mass] = [0, 0];
    for (let k = 0; k < classes; k++) {
      if (k === c) continue;
      total += Math.exp(logPrior[k]) * value(k);
      mass += Math.exp(logPrior[k]);
    }
    return mass > 0 ? total / mass : value(c);
  };
  const middle = average((k) => mean[k * features + j]);
  const rest = average((k) => spread(k) + (mean[k * features + j] - middle) ** 2);
  const ratio = spread(c) / rest;
  return Math.max(0, 0.5 * (ratio - 1 - Math.log(ratio) + (mean[c * features + j] - middle) ** 2 / rest));
}

/** Insights into Gaussian parameters. */
export const gaussianInsight: Insight<Moments, GaussianParameters, GaussianOptions> = {
  cells: () => realCells,

  telling(bells) {
    const { classes, features } = bells;
    const telling = emptyTelling(bells);
    for (let c = 0; c < classes; c++) {
      for (let j = 0; j < features; j++) telling.nats[c * features + j] = bellDivergence(bells, c, j);
    }
    return telling;
  },

  typicalValue: ({ features, mean }, c, j) => mean[c * features + j],

  points({ classes, features, mean, variance }, j) {
    const end = (sign: number) => {
      const ends = Float64Array.from({ length: classes }, (_, c) => {
        const cell = c * features + j;
        return sign * mean[cell] + REACH * Math.sqrt(variance[cell]);
      });
      return sign * maximum(ends);
    };
    return ticks(end(-1), end(1));
  },

  contribution({ classes, features, mean, variance, df, logPeak }, j, value, out) {
    for (let c = 0; c < classes; c++) {
      const cell = c * features + j;
      out[c] = Number.isNaN(value) ? 0 : logPeak[cell] + logFall(value, mean[cell], variance[cell], df[cell]);
    }
  },

  drawScores(stats, options, rows) {
    const { classes, features, n } = stats;
    const { x } = toDense(rows);
    const drawPrior = priorDraws(n, options.classPrior);
    const pooled = Array.from({ length: features }, (_, j) => pooledMoments(stats, j));
    const epsilon = smoothingOf(options.rule, pooled);
    const clouds = Array.from({ length: classes * features }, (_, cell) =>
      cloudOf(stats, options, Math.floor(cell / features), cell % features, pooled[cell % features], epsilon),
    );
    return (i) => {
      const row = x.subarray(i * features, (i + 1) * features);
      return (random, out) => {
        drawPrior(random, out);
        for (let c = 0; c < classes; c++) {
          for (let j = 0; j < features; j++) {
            if (!Number.isNaN(row[j])) out[c] += drawDensity(clouds[c * features + j], random, row[j]);
          }
        }
      };
    };
  },
};

/** The posterior of mean and variance, and the floor that smoothing adds to the variance. */
interface Cloud extends NormalGamma {
  readonly floor: number;
}

/** Without a prior the reference prior 1/σ² is used, which needs more than one value. */
function cloudOf(
  stats: Moments,
  { rule }: GaussianOptions,
  c: number,
  j: number,
  pooled: ShiftedMoments,
  epsilon: number,
): Cloud {
  const own = momentsAt(stats, c, j);
  if (rule.rule !== 'mle') return { ...normalGammaPosterior(rule.prior, j, own), floor: 0 };
  const { weight, squares } = own.weight > 0 ? own : pooled;
  if (!(weight > 1)) {
    refuse('E_CLASS_TOO_SMALL', `class ${c} has too few values of feature ${j} for an interval; give a prior`, {
      class: c,
      feature: j,
      count: weight,
    });
  }
  const { mean, variance } = bellOf(rule, epsilon, j, own, pooled);
  const floor = Math.max(0, variance - squares / weight);
  return { mean, kappa: weight, a: (weight - 1) / 2, b: squares / 2, floor };
}

/** ln N(x; μ, σ²) under drawn σ² ~ InvGamma(a, b) and μ ~ N(mean, σ² / κ). */
function drawDensity({ mean, kappa, a, b, floor }: Cloud, random: Random, x: number): number {
  const drawn = b > 0 ? b / random.gamma(a) : 0;
  const middle = mean + Math.sqrt(drawn / kappa) * random.normal();
  const variance = drawn + floor;
  return logPeak({ mean: middle, variance, df: Infinity }) + logFall(x, middle, variance, Infinity);
}
