import { type Linear, linearTerms, rollInto, scoreLinear } from '../core/linear.ts';
import type { Model } from '../core/model.ts';
import { type Prior, type Pseudo, pseudoAt, pseudoCount, pseudoSum, requirePseudoLength } from '../core/prior.ts';
import { type Batch, type Shape, toSparse } from '../data/batch.ts';
import { maximum, remainder, sum } from '../math/arrays.ts';
import { logRatio } from '../math/logs.ts';
import { type Sums, sums } from '../stats/sums.ts';

/** How complements are estimated. */
export interface ComplementOptions {
  readonly prior: Prior;
  /** Divide the weights of each class by their sum. */
  readonly norm?: boolean;
}

/**
 * Complement naive Bayes: a class is what its complement, all the other classes together, is not.
 *
 *   θ̃[c,j] = (Σ{c' ≠ c} s[c',j] + k) / Σⱼ (Σ{c' ≠ c} s[c',j] + k)            (1)
 *   w[c,j] = −ln θ̃[c,j],  or with norm  w[c,j] = ln θ̃[c,j] / Σⱼ ln θ̃[c,j]    (2)
 *   score[c] = Σⱼ xⱼ w[c,j]                                                  (3)
 *
 * The score has no class prior and is not a log-probability. An empty complement is uniform. With k = 0 a word that the other classes never
 * use decides alone (w = Infinity; with norm such words share the weight among themselves), and a word that no class uses has no effect.
 * Rennie, Shih, Teevan & Karger, Tackling the Poor Assumptions of Naive Bayes Text Classifiers (2003), §3.1–3.2.
 */
export const complement: Model<Sums, Linear, ComplementOptions> = {
  name: 'complement',
  statistic: sums,
  form: { arrays: { logPrior: ['log', 'classes'], weights: ['odds', 'features', 'classes'] } },

  estimate(stats, { prior, norm = false }) {
    const { classes, features } = stats;
    const weights = complementWeights(complementCounts(stats, pseudoCount(prior)), features, norm);
    if (norm) for (let c = 0; c < classes; c++) normalise(weights, classes, features, c);
    return { classes, features, logPrior: new Float64Array(classes), weights };
  },

  estimatePart(part, whole, { prior, norm = false }, room) {
    const k = pseudoCount(prior);
    if (norm || typeof k !== 'number') return undefined;
    const { classes, features } = part;
    const totals = complementTotals(whole.totals, k, whole.features);
    const weights = complementWeights({ ...complementCells(part, room), k, totals }, whole.features, norm);
    return { classes, features, logPrior: new Float64Array(classes), weights };
  },

  /** out[i,c] = Σⱼ xⱼ w[c,j], by (3). */
  score: scoreLinear,

  logPrior: ({ logPrior }) => logPrior,

  terms: linearTerms,

  /** The scores determine the distribution of a class up to a factor, exp w: one word is drawn from it. */
  sample({ classes, features, weights }, c, random, row) {
    const own = Float64Array.from({ length: features }, (_, j) => weights[j * classes + c]);
    const most = maximum(own);
    const shares = own.map((weight) => (weight === most ? 1 : Math.exp(weight - most)));
    rollInto(row, shares, 1, random);
  },
};

/** w = −ln θ̃ of all cells, feature-major, in the place of the counts. An empty complement is uniform over `width` words. */
function complementWeights(
  { classes, features, k, words, others, totals }: ComplementCounts,
  width: number,
  norm: boolean,
) {
  const weights = others; // each cell is read once, before it is written
  for (let j = 0; j < features; j++) {
    const silent = !norm && words[j] === 0;
    for (let c = 0; c < classes; c++) {
      const count = others[j * classes + c] + pseudoAt(k, features, c, j);
      const weight = complementWeight(count, totals[c], width);
      weights[j * classes + c] = silent && weight === Infinity ? 0 : weight;
    }
  }
  return weights;
}

/** w = −ln θ̃ of one cell. */
function complementWeight(count: number, total: number, features: number): number {
  return total > 0 ? 0 - logRatio(count, total) : Math.log(features);
}

/** Divides the weights of one class by their sum; infinite ones, the limit of k → 0, share it among themselves. */
function normalise(weights: Float64Array, classes: number, features: number, c: number): void {
  const own = Float64Array.from({ length: features }, (_, j) => weights[j * classes + c]);
  const infinite = own.reduce((number, weight) => number + Number(weight === Infinity), 0);
  const total = sum(own);
  for (let j = 0; j < features; j++) weights[j * classes + c] = shareOf(own[j], total, infinite, features);
}

function shareOf(weight: number, total: number, infinite: number, features: number): number {
  if (infinite > 0) return weight === Infinity ? 1 / infinite : 0;
  return total > 0 ? weight / total : 1 / features;
}

/** The counts of (1). */
interface ComplementCounts extends Shape {
  readonly k: Pseudo;
  readonly words: Float64Array; // by feature: Σc s[c,j]
  readonly others: Float64Array; // feature-major: Σ{c' ≠ c} s[c',j]
  readonly totals: Float64Array; // by class: the denominator
}

/** Counts by word and class, and of all the other classes. */
function complementCounts(stats: Sums, k: Pseudo): ComplementCounts {
  const { classes, features, s } = stats;
  requirePseudoLength(k, classes, features);
  const own = Float64Array.from({ length: classes }, (_, c) => sum(s, c * features, features));
  return { ...complementCells(stats), k, totals: complementTotals(own, k, features) };
}

/** Counts by word, and by word of all the other classes. */
function complementCells(
  { classes, features, s }: Sums,
  others: Float64Array = new Float64Array(classes * features),
): Omit<ComplementCounts, 'k' | 'totals'> {
  const words = new Float64Array(features);
  for (let c = 0; c < classes; c++) for (let j = 0; j < features; j++) words[j] += s[c * features + j];
  for (let j = 0; j < features; j++) {
    for (let c = 0; c < classes; c++) others[j * classes + c] = remainder(words[j], s[c * features + j]);
  }
  return { classes, features, words, others };
}

/** The denominators of (1) from how many words each class has. */
function complementTotals(own: Float64Array, k: Pseudo, features: number): Float64Array {
  const all = sum(own);
  return own.map((count, c) => remainder(all, count) + pseudoSum(k, features, c));
}

/** Scores every row without itself: its words are rarer in the complement of every class but its own. */
export function complementLeaveOneOut(
  stats: Sums,
  { prior, norm = false }: ComplementOptions,
  batch: Batch,
  out: Float64Array,
): void {
  const counts = complementCounts(stats, pseudoCount(prior));
  if (norm) holdOutShares(counts, batch, out);
  else holdOutScores(counts, batch, out);
}

/** Scores of rows by the remaining counts: Σ x w = Σ x ln total − Σ x ln count. */
function holdOutScores(counts: ComplementCounts, batch: Batch, out: Float64Array): void {
  const { classes, features, k, words, others, totals } = counts;
  const { indptr, indices, values } = toSparse(batch);
  const { rows, y, w } = batch;
  const spoken = new Float64Array(classes);
  for (let i = 0; i < rows; i++) {
    const logs = out.subarray(i * classes, (i + 1) * classes).fill(0);
    spoken.fill(0);
    for (let f = indptr[i]; f < indptr[i + 1]; f++) {
      const [j, x] = [indices[f], values[f]];
      const known = remainder(words[j], w[i] * x) > 0;
      for (let c = 0; c < classes; c++) {
        const count = remainder(others[j * classes + c], c === y[i] ? 0 : w[i] * x) + pseudoAt(k, features, c, j);
        if (!known && count === 0) continue;
        spoken[c] += x;
        logs[c] += x * Math.log(count);
      }
    }
    const length = sum(values, indptr[i], indptr[i + 1] - indptr[i]);
    for (let c = 0; c < classes; c++) {
      const total = c === y[i] ? totals[c] : remainder(totals[c], w[i] * length);
      logs[c] = total > 0 ? spoken[c] * Math.log(total) - logs[c] : length * Math.log(features);
    }
  }
}

/** The same for normalised weights: their sum over all words changes along with the words of the row. */
function holdOutShares(counts: ComplementCounts, batch: Batch, out: Float64Array): void {
  const { classes, features, k, others, totals } = counts;
  const { indptr, indices, values } = toSparse(batch);
  const { rows, y, w } = batch;
  const scales = Array.from({ length: classes }, (_, c) => scaleOf(counts, c));
  for (let i = 0; i < rows; i++) {
    const length = sum(values, indptr[i], indptr[i + 1] - indptr[i]);
    for (let c = 0; c < classes; c++) {
      const leaving = c === y[i] ? 0 : w[i];
      const total = remainder(totals[c], leaving * length);
      let { logs, zeros } = scales[c];
      let score = 0;
      let infinite = 0;
      for (let f = indptr[i]; f < indptr[i + 1]; f++) {
        const pseudo = pseudoAt(k, features, c, indices[f]);
        const before = others[indices[f] * classes + c];
        const count = remainder(before, leaving * values[f]) + pseudo;
        zeros += Number(count === 0) - Number(before + pseudo === 0);
        logs += logOrZero(count) - logOrZero(before + pseudo);
        if (count > 0) score += values[f] * complementWeight(count, total, features);
        else infinite += values[f];
      }
      // By Jensen's inequality the sum of weights is at least V ln V, so that it is zero for a single feature alone.
      const share = features === 1 ? length : score / (features * Math.log(total) - logs);
      out[i * classes + c] = zeros > 0 ? infinite / zeros : share;
    }
  }
}

const logOrZero = (count: number) => (count > 0 ? Math.log(count) : 0);

/** Σⱼ ln(others + k) over the cells that are not zero, and how many are. */
function scaleOf({ classes, features, k, others }: ComplementCounts, c: number): { logs: number; zeros: number } {
  const cells = Float64Array.from(
    { length: features },
    (_, j) => others[j * classes + c] + pseudoAt(k, features, c, j),
  );
  const zeros = cells.reduce((number, count) => number + Number(count === 0), 0);
  return { logs: sum(cells.map(logOrZero)), zeros };
}
