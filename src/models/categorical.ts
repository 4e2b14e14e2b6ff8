import { holdOut } from '../core/leave-one-out.ts';
import { allTerms, type Model } from '../core/model.ts';
import { type ClassPrior, logClassPrior, type Prior, type Pseudo, pseudoCount } from '../core/prior.ts';
import { type Batch, type Shape, toDense } from '../data/batch.ts';
import { remainder, sum } from '../math/arrays.ts';
import { drawCategory } from '../math/draws.ts';
import { logRatio } from '../math/logs.ts';
import { type Histogram, histogram } from '../stats/histogram.ts';
import { levelOffsets } from '../stats/layout.ts';

/** Log-probabilities of the faces of every die: one die per class and feature. */
export interface CategoricalParameters extends Shape {
  readonly levels: Int32Array;
  readonly logPrior: Float64Array;
  readonly logFaces: Float64Array; // level-major: logFaces[(offset[j] + v) * classes + c]
  readonly logUnseen: Float64Array; // feature-major: an unknown level, logUnseen[j * classes + c]
  /** The weight of each feature; undefined if all are 1. */
  readonly weights: ArrayLike<number> | undefined;
}

/** The options of the estimate. */
export interface CategoricalOptions {
  /** The pseudo-count of every level. */
  readonly alpha: number;
  /** The pseudo-count of each level, column by column, if they differ; `alpha` is then that of an unknown level. */
  readonly levelAlpha?: Float64Array | undefined;
  /** The point estimate of the posterior. Default: its mean. */
  readonly rule?: Prior['rule'];
  /** How much each feature counts; without them, all count fully. */
  readonly weights?: ArrayLike<number> | undefined;
  readonly classPrior?: ClassPrior;
}

/**
 * Categorical naive Bayes: each feature is a die of its own in each class, with one face per level.
 *
 *   p(x | c) ∝ Πⱼ θ[c,j,xⱼ]^wⱼ                                                  (1)
 *   θ[c,j] ~ Dirichlet(α)  ⇒  θ̂[c,j,v] = (h[c,j,v] + α) / (h[c,j] + α Kⱼ)       (2)
 *
 * with wⱼ = 1 unless features have weights (Zaidi, Cerquides, Carman & Webb, JMLR 14, 2013), and h[c,j] = Σᵥ h[c,j,v] over the Kⱼ levels of the feature. That is the mean of the posterior; its maximum has α − 1 in place of α,
 * the maximum of the likelihood 0. Where levels have an α of their own, Σᵥ αᵥ stands for α Kⱼ. A level beyond them was counted zero times: it gets
 * α / (h[c,j] + α Kⱼ) as an empty face does, and the other faces keep theirs. A missing cell drops out of (1).
 * Murphy, Machine Learning: A Probabilistic Perspective (2012), §3.5.
 */
export const categorical: Model<Histogram, CategoricalParameters, CategoricalOptions> = {
  name: 'categorical',
  statistic: histogram,
  form: {
    arrays: {
      logPrior: ['log', 'classes'],
      logFaces: ['log', 'levels', 'classes'],
      logUnseen: ['log', 'features', 'classes'],
    },
    unpack: ({ logPrior, logFaces, logUnseen }, { levels = new Int32Array(0), ...shape }, { weights }) => ({
      ...shape,
      ...{ levels, logPrior, logFaces, logUnseen, weights },
    }),
  },

  estimate(stats, { classPrior, weights, ...options }) {
    const { classes, features, levels, n, h } = stats;
    const prior = faceCounts(options, levels, pseudoCount);
    const offsets = levelOffsets(levels);
    const width = offsets[features];
    const logFaces = new Float64Array(classes * width);
    const logUnseen = new Float64Array(classes * features);
    for (let c = 0; c < classes; c++) {
      for (let j = 0; j < features; j++) {
        const total = rolls(h, c * width + offsets[j], levels[j]) + prior.total(j);
        for (let v = offsets[j]; v < offsets[j + 1]; v++) {
          logFaces[v * classes + c] = logRatio(h[c * width + v] + prior.at(v), total);
        }
        // A feature without levels carries no information, so it adds nothing to any score.
        logUnseen[j * classes + c] = levels[j] > 0 ? logRatio(prior.unknown, total) : 0;
      }
    }
    return { classes, features, levels, logPrior: logClassPrior(n, classPrior), logFaces, logUnseen, weights };
  },

  /** out[i,c] = ln p(c) + ln p(xᵢ | c), by (1). */
  score(dice, rows, out) {
    const { classes, features, levels, logPrior } = dice;
    const { x } = toDense(rows);
    const offsets = levelOffsets(levels);
    for (let at = 0; at < out.length; at += classes) {
      for (let c = 0; c < classes; c++) out[at + c] = logPrior[c];
    }
    for (let j = 0; j < features; j++) addFaces(dice, j, offsets[j], x, out);
  },

  logPrior: ({ logPrior }) => logPrior,

  terms(dice, rows, i) {
    const { classes, features } = dice;
    const { x } = toDense(rows);
    const offsets = levelOffsets(dice.levels);
    return allTerms(classes, features, (j, c) => weighedFace(dice, offsets, j, c, x[i * features + j]));
  },

  /** Where a class has no level to draw, the cell is missing. */
  sample(dice, c, random, row) {
    const offsets = levelOffsets(dice.levels);
    for (let j = 0; j < dice.features; j++) {
      const shares = Float64Array.from({ length: dice.levels[j] }, (_, v) => Math.exp(logFace(dice, offsets, j, c, v)));
      row[j] = shares.some((share) => share > 0) ? drawCategory(random, shares) : Number.NaN;
    }
  },
};

/** Adds the faces of one feature to the scores of all rows. */
function addFaces(dice: CategoricalParameters, j: number, offset: number, x: Float64Array, out: Float64Array): void {
  const { classes, features, logFaces, logUnseen } = dice;
  const levels = dice.levels[j];
  const weight = weightOf(dice, j);
  if (weight === 0) return;
  for (let at = j, to = 0; to < out.length; at += features, to += classes) {
    const level = x[at];
    if (Number.isNaN(level)) continue;
    const known = level < levels;
    const faces = known ? logFaces : logUnseen;
    const from = Math.imul(known ? offset + (level | 0) : j, classes); // an integer, for the compiler
    for (let c = 0; c < classes; c++) out[to + c] += weight * faces[from + c];
  }
}

/** What a prior adds to the counts of dice. */
interface FaceCounts {
  /** To a level, by its number among all levels of all features. */
  at(level: number): number;
  /** To all levels of a feature together. */
  total(j: number): number;
  /** To an unknown level. */
  readonly unknown: number;
}

/** What the prior adds to counts: as the estimate does (`pseudoCount`), or as the posterior distribution does (`posteriorCount`). */
export function faceCounts(
  { alpha, levelAlpha, rule = 'bayes' }: CategoricalOptions,
  levels: Int32Array,
  countOf: (prior: Prior) => Pseudo,
): FaceCounts {
  const k = countOf({ rule, a: levelAlpha ?? alpha });
  const unknown = countOf({ rule, a: alpha }) as number;
  if (typeof k === 'number') return { at: () => k, total: (j) => k * levels[j], unknown };
  const offsets = levelOffsets(levels);
  return { at: (level) => k[level], total: (j) => sum(k, offsets[j], levels[j]), unknown };
}

/** How often a die was rolled. */
function rolls(h: Float64Array, from: number, levels: number): number {
  let total = 0;
  for (let v = from; v < from + levels; v++) total += h[v];
  return total;
}

/** The weight of a feature. */
export const weightOf = ({ weights }: Pick<CategoricalParameters, 'weights'>, j: number): number => weights?.[j] ?? 1;

/** What one cell adds to the score of a class, by (1). */
function weighedFace(dice: CategoricalParameters, offsets: Int32Array, j: number, c: number, level: number): number {
  const weight = weightOf(dice, j);
  return weight === 0 ? 0 : weight * logFace(dice, offsets, j, c, level);
}

/** ln θ of one cell. */
function logFace(dice: CategoricalParameters, offsets: Int32Array, j: number, c: number, level: number): number {
  const { classes, levels, logFaces, logUnseen } = dice;
  if (Number.isNaN(level)) return 0;
  return level < levels[j] ? logFaces[(offsets[j] + level) * classes + c] : logUnseen[j * classes + c];
}

/** Scores every row without itself. The levels stay known: leaving out the only row that has one leaves an empty face. */
export function levelsLeaveOneOut(
  stats: Histogram,
  { classPrior, ...options }: CategoricalOptions,
  batch: Batch,
  out: Float64Array,
): void {
  const dice = categorical.estimate(stats, options);
  categorical.score({ ...dice, logPrior: new Float64Array(stats.classes) }, batch, out);
  const prior = faceCounts(options, stats.levels, pseudoCount);
  holdOut(stats.n, classPrior, batch, out, ownLikelihood(stats, prior, dice, batch));
}

/** ln p(xᵢ | yᵢ) without row i: each feature has one count less in total and at its level. */
function ownLikelihood(
  { features, levels, h }: Histogram,
  prior: FaceCounts,
  dice: CategoricalParameters,
  batch: Batch,
): (i: number) => number {
  const { y, w } = batch;
  const { x } = toDense(batch);
  const offsets = levelOffsets(levels);
  return (i) => {
    let own = 0;
    for (let j = 0; j < features; j++) {
      const level = x[i * features + j];
      const weight = weightOf(dice, j);
      if (Number.isNaN(level) || weight === 0) continue;
      const from = y[i] * offsets[features] + offsets[j];
      const total = remainder(rolls(h, from, levels[j]), w[i]) + prior.total(j);
      own += weight * logRatio(remainder(h[from + level], w[i]) + prior.at(offsets[j] + level), total);
    }
    return own;
  };
}
