import type { Model, Terms } from '../core/model.ts';
import { type Rows, type Shape, toDense } from '../data/batch.ts';
import { sum } from '../math/arrays.ts';
import { drawCategory } from '../math/draws.ts';
import type { Generator } from '../math/generator.ts';
import { logRatio } from '../math/logs.ts';
import { levelOffsets } from '../stats/layout.ts';
import { type Pairs, pairs } from '../stats/pairs.ts';
import { logJointOf, readRow } from './aode-row.ts';
import { classInformation } from './dependence.ts';

/** The tables of all one-dependence models: every feature in turn is the parent of all others. */
export interface Ensemble extends Shape {
  readonly levels: Int32Array;
  readonly offsets: Int32Array; // where the levels of each feature begin
  readonly logPrior: Float64Array;
  readonly frequency: Float64Array; // the weight of every level
  readonly weights: Float64Array; // the weight of each feature as the parent
  /** A feature is a parent only if its level was seen this often. */
  readonly minimumFrequency: number;
  readonly logJoint: Float64Array; // ln p(c, u): c * L + u with L = Σ levels
  readonly logGiven: Float64Array; // ln p(v | c, u): (c * L + u) * L + v
  readonly logUnseen: Float64Array; // ln p(an unknown level of j | c, u): (c * L + u) * features + j
  readonly logAlone: Float64Array; // ln p(v | c): c * L + v
  readonly logUnseenAlone: Float64Array; // ln p(an unknown level of j | c): c * features + j
}

/** How one-dependence models are estimated and averaged. */
export interface AodeOptions {
  /** The pseudo-count of every level, above zero. */
  readonly alpha: number;
  /** A feature is a parent only if its level was seen this often. */
  readonly minimumFrequency: number;
  /** Weight parents by their information about the class, I(Xᵢ; C), instead of equally. */
  readonly weighted: boolean;
}

/**
 * Averaged one-dependence estimators: the mean over all features as the one parent of the others.
 *
 *   p(c, x) = Σᵢ Wᵢ p(c, xᵢ) Πⱼ p(xⱼ | c, xᵢ) / Σᵢ Wᵢ      over i with n(xᵢ) ≥ m               (1)
 *   p(c, xᵢ = u) = (n[c,u] + α) / (Nᵢ + α C Kᵢ)                                              (2)
 *   p(xⱼ = v | c, u) = (n[c,u,v] + α) / (Σᵥ n[c,u,v] + α Kⱼ)                                  (3)
 *
 * with W = 1, or Wᵢ = I(Xᵢ; C) when weighted; if no feature qualifies, naive Bayes with the same α is used. A missing cell is summed over
 * in every one of these models, of which it may be the parent; a row without any cell gives p(c) = Σₓ p(c, x), the class prior. Webb,
 * Boughton & Wang, Not So Naive Bayes (2005); Jiang & Zhang (2006) for weights; smoothing as in Weka, where α = 1.
 */
export const aode: Model<Pairs, Ensemble, AodeOptions> = {
  name: 'aode',
  statistic: pairs,
  form: {
    arrays: {
      logPrior: ['log', 'classes'],
      frequency: ['weight', 'levels'],
      weights: ['weight', 'features'],
      minimumFrequency: ['weight'],
      logJoint: ['log', 'classes', 'levels'],
      logGiven: ['log', 'classes', 'levels', 'levels'],
      logUnseen: ['log', 'classes', 'levels', 'features'],
      logAlone: ['log', 'classes', 'levels'],
      logUnseenAlone: ['log', 'classes', 'features'],
    },
    unpack: ({ minimumFrequency, ...tables }, { levels = new Int32Array(0), ...shape }) =>
      ({
        ...shape,
        ...tables,
        levels,
        offsets: levelOffsets(levels),
        minimumFrequency: minimumFrequency[0],
      }) as unknown as Ensemble,
  },
  estimate,

  /** out[i,c] = ln p(c, xᵢ), by (1). */
  score(ensemble, rows: Rows, out) {
    const { classes, features } = ensemble;
    const { x } = toDense(rows);
    const read = Array.from({ length: rows.rows }, (_, i) =>
      readRow(ensemble, x.subarray(i * features, (i + 1) * features)),
    );
    // class by class, since the table of one class often fits into a cache that is too small for the whole
    for (let c = 0; c < classes; c++) {
      for (let i = 0; i < read.length; i++) out[i * classes + c] = logJointOf(ensemble, read[i], c);
    }
  },

  /** ln Σₓ p(c, x): what a row scores in which every cell is missing. */
  logPrior: (ensemble) => logRow(ensemble, emptyRow(ensemble)),

  /** The decrease of the score when a cell becomes missing; `rest` is the score of all cells together. */
  terms(ensemble, rows, i): Terms {
    const { classes, features } = ensemble;
    const row = toDense(rows).x.slice(i * features, (i + 1) * features);
    const whole = logRow(ensemble, row);
    const terms = new Float64Array(features * classes);
    const prior = logRow(ensemble, emptyRow(ensemble));
    const rest = whole.map((score, c) => score - prior[c]);
    for (let j = 0; j < features; j++) {
      if (Number.isNaN(row[j])) continue;
      const without = logRow(ensemble, row.with(j, Number.NaN));
      for (let c = 0; c < classes; c++) rest[c] -= terms[j * classes + c] = whole[c] - without[c];
    }
    return { features: Uint32Array.from({ length: features }, (_, j) => j), terms, rest };
  },

  /** A parent and its level together, then all others given them. */
  sample(ensemble, c, random, row) {
    const { features, levels, offsets, logGiven, logAlone } = ensemble;
    const width = offsets[features];
    const parent = drawParent(ensemble, c, random);
    for (let j = 0; j < features; j++) {
      const from = parent < 0 ? c * width : (c * width + parent) * width;
      const shares = (parent < 0 ? logAlone : logGiven)
        .subarray(from + offsets[j], from + offsets[j + 1])
        .map(Math.exp);
      row[j] = levels[j] === 0 ? Number.NaN : drawCategory(random, shares);
      if (parent >= offsets[j] && parent < offsets[j + 1]) row[j] = parent - offsets[j];
    }
  },
};

const emptyRow = ({ features }: Ensemble) => new Float64Array(features).fill(Number.NaN);

/** A level as the parent, by its share in (1); −1 where none qualifies. */
function drawParent(ensemble: Ensemble, c: number, random: Generator): number {
  const { features, offsets, frequency, weights, minimumFrequency, logJoint } = ensemble;
  const width = offsets[features];
  const even = weights.every((weight) => weight === 0);
  const shares = new Float64Array(width);
  for (let j = 0; j < features; j++) {
    for (let u = offsets[j]; u < offsets[j + 1]; u++) {
      if (frequency[u] === 0 || frequency[u] < minimumFrequency) continue;
      shares[u] = (even ? 1 : weights[j]) * Math.exp(logJoint[c * width + u]);
    }
  }
  return shares.some((share) => share > 0) ? drawCategory(random, shares) : -1;
}

/** ln p(c, x) of one row for all classes. */
function logRow(ensemble: Ensemble, cells: Float64Array): Float64Array {
  const row = readRow(ensemble, cells);
  return Float64Array.from({ length: ensemble.classes }, (_, c) => logJointOf(ensemble, row, c));
}

function estimate(stats: Pairs, { alpha, minimumFrequency, weighted }: AodeOptions): Ensemble {
  const { classes, features, levels, n, p } = stats;
  const offsets = levelOffsets(levels);
  const width = offsets[features];
  const frequency = new Float64Array(width);
  const logGiven = new Float64Array(classes * width * width);
  const logUnseen = new Float64Array(classes * width * features);
  const logAlone = new Float64Array(classes * width);
  const logUnseenAlone = new Float64Array(classes * features);
  for (let c = 0; c < classes; c++) {
    const own = Float64Array.from({ length: width }, (_, u) => p[(c * width + u) * width + u]);
    for (let u = 0; u < width; u++) {
      frequency[u] += own[u];
      const at = (c * width + u) * width;
      estimateTables(
        p.subarray(at, at + width),
        offsets,
        alpha,
        logGiven.subarray(at),
        logUnseen,
        (c * width + u) * features,
      );
    }
    estimateTables(own, offsets, alpha, logAlone.subarray(c * width), logUnseenAlone, c * features);
  }
  const logJoint = jointTable(stats, offsets, frequency, alpha);
  const total = sum(n) + alpha * classes;
  const logPrior = n.map((weight) => logRatio(weight + alpha, total));
  const weights = weighted ? classInformation(stats) : new Float64Array(features).fill(1);
  const parents = { classes, features, levels, offsets, logPrior, frequency, weights, minimumFrequency };
  return { ...parents, logJoint, logGiven, logUnseen, logAlone, logUnseenAlone };
}

/** The distributions of all features from a row of counts of all levels, by (3); an unknown level has count zero. */
function estimateTables(
  counts: Float64Array,
  offsets: Int32Array,
  alpha: number,
  out: Float64Array,
  unseen: Float64Array,
  at: number,
): void {
  for (let j = 0; j + 1 < offsets.length; j++) {
    const size = offsets[j + 1] - offsets[j];
    const total = sum(counts, offsets[j], size);
    for (let v = offsets[j]; v < offsets[j + 1]; v++) out[v] = logRatio(counts[v] + alpha, total + alpha * size);
    unseen[at + j] = size > 0 ? logRatio(alpha, total + alpha * size) : 0;
  }
}

/** ln p(c, u), by (2). */
function jointTable(stats: Pairs, offsets: Int32Array, frequency: Float64Array, alpha: number): Float64Array {
  const { classes, features, p } = stats;
  const width = offsets[features];
  const logJoint = new Float64Array(classes * width);
  for (let j = 0; j < features; j++) {
    const size = offsets[j + 1] - offsets[j];
    const total = sum(frequency, offsets[j], size) + alpha * classes * size;
    for (let c = 0; c < classes; c++) {
      for (let u = offsets[j]; u < offsets[j + 1]; u++) {
        logJoint[c * width + u] = logRatio(p[(c * width + u) * width + u] + alpha, total);
      }
    }
  }
  return logJoint;
}
