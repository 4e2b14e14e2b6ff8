import type { Model, Terms } from '../core/model.ts';
import { type Rows, type Shape, toDense } from '../data/batch.ts';
import { sum } from '../math/arrays.ts';
import { drawCategory } from '../math/draws.ts';
import type { Generator } from '../math/generator.ts';
import { logRatio, logSumExp } from '../math/logs.ts';
import { levelOffsets } from '../stats/layout.ts';
import { type Pairs, pairs } from '../stats/pairs.ts';
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

/** What a row is scored with. */
export type EnsembleTables = Omit<Ensemble, 'classes'>;

/** One row: its levels, and the features that are parents with their shares. */
interface ParentedRow {
  readonly cells: Float64Array;
  readonly levels: Int32Array; // −1 if there is none or it is unknown
  readonly present: readonly number[]; // by feature: the level, or −1 − feature if it is unknown
  readonly qualified: readonly number[]; // features
  readonly logShares: Float64Array;
  /** Space for one term per parent, or one per level of a missing parent. */
  readonly terms: Float64Array;
}

/** Reads the counts that the score of a row needs for every class. */
export function readRow(ensemble: EnsembleTables, cells: Float64Array): ParentedRow {
  const { features, levels: counts, offsets } = ensemble;
  const levels = new Int32Array(features).fill(-1);
  const [present, qualified]: [number[], number[]] = [[], []];
  for (let j = 0; j < features; j++) {
    if (Number.isNaN(cells[j])) continue;
    if (cells[j] < counts[j]) levels[j] = offsets[j] + cells[j];
    present.push(levels[j] < 0 ? -1 - j : levels[j]);
  }
  const shares = parentShares(ensemble, levels, cells);
  let count = 0;
  for (let j = 0; j < features; j++) {
    if (shares[j] === 0) continue;
    qualified.push(j);
    count += Number.isNaN(cells[j]) ? counts[j] : 1;
  }
  return { cells, levels, present, qualified, logShares: shares.map(Math.log), terms: new Float64Array(count) };
}

/**
 * ln p(c, x) of one row. A missing cell is integrated out of every one-dependence model: as a child its levels sum to one, and as the
 * parent they are summed over.
 */
export function logJointOf(
  ensemble: EnsembleTables,
  { cells, levels, present, qualified, logShares, terms }: ParentedRow,
  c: number,
): number {
  const { features, offsets, logPrior, logJoint, logGiven, logUnseen, logAlone, logUnseenAlone } = ensemble;
  const at = c * offsets[features];
  if (qualified.length === 0) {
    return levels.reduce((sum, v, j) => {
      if (Number.isNaN(cells[j])) return sum;
      return sum + (v < 0 ? logUnseenAlone[c * features + j] : logAlone[at + v]);
    }, logPrior[c]);
  }
  let next = 0;
  for (const i of qualified) {
    const missing = Number.isNaN(cells[i]);
    const to = missing ? offsets[i + 1] : levels[i] + 1;
    for (let u = missing ? offsets[i] : levels[i]; u < to; u++) {
      const [from, other] = [(at + u) * offsets[features], (at + u) * features];
      let sum = logShares[i] + logJoint[at + u];
      for (let k = 0; k < present.length; k++) {
        const v = present[k];
        if (v !== u) sum += v >= 0 ? logGiven[from + v] : logUnseen[other - 1 - v];
      }
      terms[next++] = sum;
    }
  }
  return logSumExp(terms);
}

/** ln p(c, x) of one row for all classes. */
function logRow(ensemble: Ensemble, cells: Float64Array): Float64Array {
  const row = readRow(ensemble, cells);
  return Float64Array.from({ length: ensemble.classes }, (_, c) => logJointOf(ensemble, row, c));
}

/**
 * The weight of each feature as the parent. A feature qualifies if its level was seen often enough, or, if missing, any of its levels; if
 * no weight is left, all weigh the same.
 */
function parentShares(
  { features, offsets, frequency, weights, minimumFrequency }: EnsembleTables,
  levels: Int32Array,
  row: Float64Array,
): Float64Array {
  const isFrequent = (u: number) => frequency[u] > 0 && frequency[u] >= minimumFrequency;
  const qualified: number[] = [];
  for (let j = 0; j < features; j++) {
    const fits = Number.isNaN(row[j])
      ? frequency.subarray(offsets[j], offsets[j + 1]).some((_, v) => isFrequent(offsets[j] + v))
      : levels[j] >= 0 && isFrequent(levels[j]);
    if (fits) qualified.push(j);
  }
  const total = qualified.reduce((sum, j) => sum + weights[j], 0);
  const shares = new Float64Array(features);
  for (const j of qualified) shares[j] = total > 0 ? weights[j] / total : 1 / qualified.length;
  return shares;
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
