import { type GivenOptions, type OptionSpec, readOptions } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import { sum } from '../math/arrays.ts';
import { normalQuantile } from '../math/erf.ts';
import { clopperPearsonInterval, type Interval, levelOption } from './intervals.ts';
import type { Scores } from './scores.ts';
import { positiveOption } from './targets.ts';
import { readRanked } from './thresholds.ts';

/** An area under the ROC curve and the contribution of every row to it. */
export interface Placements {
  readonly auc: number;
  /** For each positive, the share of negatives it beats. */
  readonly positives: Float64Array;
  /** For each negative, the share of positives that beat it. */
  readonly negatives: Float64Array;
}

const spec = { ...levelOption, ...positiveOption } satisfies OptionSpec;

/** Options of `delongInterval`. */
export type DelongOptions = GivenOptions<typeof spec>;

/** Ranks from 1, equal values sharing the mean of theirs. */
function midranks(values: Float64Array): Float64Array {
  const order = Uint32Array.from(values.keys()).sort((a, b) => values[a] - values[b]);
  const ranks = new Float64Array(values.length);
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && values[order[to]] === values[order[from]]) to++;
    for (let k = from; k < to; k++) ranks[order[k]] = (from + to + 1) / 2;
  }
  return ranks;
}

/** The contribution of every row to the area, by ranks in O(n log n). Sun & Xu, IEEE Signal Process. Lett. 21 (2014). */
export function placements(positive: Uint8Array, score: Float64Array): Placements {
  const all = midranks(score);
  const pick = (mark: number) => all.filter((_, i) => positive[i] === mark);
  const within = (mark: number) => midranks(score.filter((_, i) => positive[i] === mark));
  const [m, n] = [pick(1).length, pick(0).length];
  const [ownPositive, ownNegative] = [within(1), within(0)];
  const positives = pick(1).map((rank, k) => (rank - ownPositive[k]) / n);
  const negatives = pick(0).map((rank, k) => 1 - (rank - ownNegative[k]) / m);
  return { auc: sum(positives) / m, positives, negatives };
}

/** The covariance of two lists, with n − 1. */
export function covariance(a: Float64Array, b: Float64Array): number {
  if (a.length < 2) return 0;
  const [meanA, meanB] = [sum(a) / a.length, sum(b) / b.length];
  return sum(a.map((value, i) => (value - meanA) * (b[i] - meanB))) / (a.length - 1);
}

/**
 * DeLong's interval of the area under the ROC curve: its variance is S₁₀/m + S₀₁/n, from the variance of the contributions of m positives
 * and n negatives. The interval is computed on the log-odds scale, so that it stays within [0, 1]. A perfect area has no variance; it gets
 * the exact interval of min(m, n) successes in as many trials instead, and its name. Without one of the classes all is NaN. DeLong, DeLong
 * & Clarke-Pearson, Biometrics 44 (1988).
 */
export function delongInterval(yTrue: ArrayLike<Label>, yScore: Scores, options: DelongOptions = {}): Interval {
  const read = readOptions('delongInterval', spec, options);
  const { positive, score } = readRanked(yTrue, yScore, read.posLabel, null);
  return delongOf(placements(positive, score), read.level);
}

/** The interval of placed rows. */
export function delongOf({ auc, positives, negatives }: Placements, confidence: number): Interval {
  const [m, n] = [positives.length, negatives.length];
  const named = { value: auc, level: confidence, method: 'delong', n: m + n };
  if (m === 0 || n === 0) return { ...named, value: Number.NaN, low: Number.NaN, high: Number.NaN };
  if (auc === 0 || auc === 1) {
    const least = Math.min(m, n);
    const { low, high, method } = clopperPearsonInterval(auc * least, least, { level: confidence });
    return { ...named, low, high, method };
  }
  const error = Math.sqrt(covariance(positives, positives) / m + covariance(negatives, negatives) / n);
  const logit = Math.log(auc / (1 - auc));
  const half = (normalQuantile((1 + confidence) / 2) * error) / (auc * (1 - auc));
  const back = (z: number) => 1 / (1 + Math.exp(-z));
  return { ...named, low: Math.min(auc, back(logit - half)), high: Math.max(auc, back(logit + half)) };
}
