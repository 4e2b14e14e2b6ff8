import type { Model, Terms } from '../core/model.ts';
import { type Rows, toDense } from '../data/batch.ts';
import { sum } from '../math/arrays.ts';
import { drawCategory } from '../math/draws.ts';
import type { Generator } from '../math/generator.ts';
import { logRatio } from '../math/logs.ts';
import { levelOffsets } from '../stats/layout.ts';
import { type Pairs, pairs } from '../stats/pairs.ts';
import { type Faces, logJointOf, logRow, readRow, type SuperParents } from './aode-row.ts';
import { classInformation } from './dependence.ts';

/** The tables of all one-dependence models: every feature in turn is the parent of all others. */
export interface Ensemble extends SuperParents {
  readonly logJoint: Float64Array; // ln p(c, u): c * L + u with L = Σ levels
  readonly logGiven: Float64Array; // ln p(v | c, u): (c * L + u) * L + v
  readonly logUnseen: Float64Array; // ln p(a level of j on no list | c, u): (c * L + u) * features + j
  readonly logAlone: Float64Array; // ln p(v | c): c * L + v
  readonly logUnseenAlone: Float64Array; // ln p(a level of j on no list | c): c * features + j
}

/** How one-dependence models are estimated and averaged. */
export interface AodeOptions {
  /** The pseudo-count of every level, above zero. */
  readonly alpha: number;
  /** A feature is a parent where its level was seen so often. */
  readonly minimumFrequency: number;
  /** Parents count by what they say about the class, I(Xᵢ; C), rather than all alike. */
  readonly weighted: boolean;
}

/**
 * Averaged one-dependence estimators: the mean over all features as the one parent of the others.
 *
 *   p(c, x) = Σᵢ Wᵢ p(c, xᵢ) Πⱼ p(xⱼ | c, xᵢ) / Σᵢ Wᵢ      over i with n(xᵢ) ≥ m               (1)
 *   p(c, xᵢ = u) = (n[c,u] + α) / (Nᵢ + α C Kᵢ)                                              (2)
 *   p(xⱼ = v | c, u) = (n[c,u,v] + α) / (Σᵥ n[c,u,v] + α Kⱼ)                                  (3)
 *
 * with W = 1, or Wᵢ = I(Xᵢ; C) when weighted; where no feature qualifies, naive Bayes answers with the same α. A missing cell is
 * summed over in every one of these models, of which it may be the parent; a row without any cell gives p(c) = Σₓ p(c, x), the class
 * prior. Webb, Boughton & Wang, Not So Naive Bayes (2005); Jiang & Zhang (2006) for weights;
 * smoothing as in Weka, where α = 1.
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
    const faces = faceTables(ensemble);
    const read = Array.from({ length: rows.rows }, (_, i) =>
      readRow(ensemble, x.subarray(i * features, (i + 1) * features)),
    );
    // Class by class, since the table of one class often fits a cache that the whole does not fit.
    for (let c = 0; c < classes; c++) {
      for (let i = 0; i < read.length; i++) out[i * classes + c] = logJointOf(ensemble, faces, read[i], c);
    }
  },

  /** ln Σₓ p(c, x): what a row scores in which every cell is missing. */
  logPrior: (ensemble) =>
    logRow(ensemble, faceTables(ensemble), emptyRow(ensemble), new Float64Array(ensemble.classes), 0),

  /** What the score loses when a cell becomes missing; `rest` is what the cells say together. */
  terms(ensemble, rows, i): Terms {
    const { classes, features } = ensemble;
    const row = toDense(rows).x.slice(i * features, (i + 1) * features);
    const faces = faceTables(ensemble);
    const scoreOf = (cells: Float64Array) => logRow(ensemble, faces, cells, new Float64Array(classes), 0);
    const whole = scoreOf(row);
    const terms = new Float64Array(features * classes);
    const prior = scoreOf(emptyRow(ensemble));
    const rest = whole.map((score, c) => score - prior[c]);
    for (let j = 0; j < features; j++) {
      if (Number.isNaN(row[j])) continue;
      const without = scoreOf(row.with(j, Number.NaN));
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

/** Reads the faces of the dice from the tables. */
function faceTables(ensemble: Ensemble): Faces {
  const { features, offsets, logJoint, logGiven, logUnseen, logAlone, logUnseenAlone } = ensemble;
  const width = offsets[features];
  return {
    joint: (c, u) => logJoint[c * width + u],
    given: (c, u, { present }, start) => {
      const [from, other] = [(c * width + u) * width, (c * width + u) * features];
      let sum = start;
      for (let k = 0; k < present.length; k++) {
        const v = present[k];
        if (v !== u) sum += v >= 0 ? logGiven[from + v] : logUnseen[other - 1 - v];
      }
      return sum;
    },
    alone: (c, j, v) => (v < 0 ? logUnseenAlone[c * features + j] : logAlone[c * width + v]),
  };
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
      castDice(
        p.subarray(at, at + width),
        offsets,
        alpha,
        logGiven.subarray(at),
        logUnseen,
        (c * width + u) * features,
      );
    }
    castDice(own, offsets, alpha, logAlone.subarray(c * width), logUnseenAlone, c * features);
  }
  const logJoint = jointTable(stats, offsets, frequency, alpha);
  const total = sum(n) + alpha * classes;
  const logPrior = n.map((weight) => logRatio(weight + alpha, total));
  const weights = weighted ? classInformation(stats) : new Float64Array(features).fill(1);
  const parents = { classes, features, levels, offsets, logPrior, frequency, weights, minimumFrequency };
  return { ...parents, logJoint, logGiven, logUnseen, logAlone, logUnseenAlone };
}

/** One die for each feature from a row of counts of all levels, by (3); a level on no list is an empty face. */
function castDice(
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
