import {
  choice,
  flag,
  type GivenOptions,
  type OptionSpec,
  optional,
  readOptions,
  unchecked,
  weightOption,
} from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import type { Weights } from '../data/weights.ts';
import { dot, sum } from '../math/arrays.ts';
import { type Confusion, countConfusion, hits, predictedTotals, tableOf, trueTotals } from './confusion.ts';
import { type Answers, readLabelSets, sameSet, setTotals } from './label-rows.ts';
import { labelsOption, readPair } from './targets.ts';

/** The option `sampleWeight`. */
export type WeightOptions = GivenOptions<typeof weightOption>;

const shareSpec = {
  /** Return a share of the rows instead of a count. Default: true. */
  normalize: flag({ default: true }),
  ...weightOption,
} satisfies OptionSpec;

/** Shares of rows, or with `normalize: false` their total weight. */
export type ShareOptions = GivenOptions<typeof shareSpec>;

const balancedSpec = {
  ...weightOption,
  /** Rescale so that random guessing scores 0. Default: false. */
  adjusted: flag({ default: false }),
} satisfies OptionSpec;

/** Options of `balancedAccuracyScore`. */
export type BalancedAccuracyOptions = GivenOptions<typeof balancedSpec>;

const kappaSpec = {
  ...labelsOption,
  /** Weights of disagreements by distance in the order of the labels: linear, quadratic, or null for none. Default: null. */
  weights: optional(choice(['linear', 'quadratic'], { default: 'linear' })),
  ...weightOption,
  /** The value of an undefined kappa. Default: NaN. */
  replaceUndefinedBy: unchecked<number>(),
} satisfies OptionSpec;

/** Options of `cohenKappaScore`. */
export type CohenKappaOptions = GivenOptions<typeof kappaSpec>;

/** Total weight of correctly predicted rows, and of all rows. */
export function countHits(yTrue: Answers, yPred: Answers, weights: Weights | null): [right: number, all: number] {
  const sets = readLabelSets(yTrue, yPred, weights);
  if (sets) return [sum(sets.weights.map((weight, i) => (sameSet(sets, i) ? weight : 0))), sum(sets.weights)];
  const pair = readPair(yTrue, yPred, weights);
  const right = pair.weights.map((weight, i) => (pair.truth[i] === pair.guess[i] ? weight : 0));
  return [sum(right), sum(pair.weights)];
}

/** Accuracy: Σ wᵢ [yᵢ = ŷᵢ] / Σ wᵢ, or the sum alone with `normalize: false`. */
export function accuracyScore(yTrue: Answers, yPred: Answers, options: ShareOptions = {}): number {
  const { normalize, sampleWeight: weights } = readOptions('accuracyScore', shareSpec, options);
  const [right, all] = countHits(yTrue, yPred, weights);
  return normalize ? right / all : right;
}

/** Share (or weight) of wrong predictions: 1 − accuracy. */
export function zeroOneLoss(yTrue: Answers, yPred: Answers, options: ShareOptions = {}): number {
  const { normalize, sampleWeight: weights } = readOptions('zeroOneLoss', shareSpec, options);
  const [right, all] = countHits(yTrue, yPred, weights);
  return normalize ? 1 - right / all : all - right;
}

/** Share of labels that differ, of all rows and labels; for one label per row it is the zero-one loss. */
export function hammingLoss(yTrue: Answers, yPred: Answers, options: WeightOptions = {}): number {
  const { sampleWeight: weights } = readOptions('hammingLoss', weightOption, options);
  const sets = readLabelSets(yTrue, yPred, weights);
  if (sets) {
    const { right, predicted, actual } = setTotals(sets);
    const apart = right.map((both, c) => predicted[c] + actual[c] - 2 * both);
    return sum(Float64Array.from(apart)) / (sum(sets.weights) * sets.classes.length);
  }
  const [right, all] = countHits(yTrue, yPred, weights);
  return (all - right) / all;
}

/**
 * Balanced accuracy: the mean of the recalls of the classes that occur in yTrue; with `adjusted`, (b − 1/K) / (1 − 1/K),
 * which is NaN where only one class occurs.
 */
export function balancedAccuracyScore(
  yTrue: ArrayLike<Label>,
  yPred: ArrayLike<Label>,
  options: BalancedAccuracyOptions = {},
): number {
  const { sampleWeight: weights, adjusted } = readOptions('balancedAccuracyScore', balancedSpec, options);
  const table = tableOf(readPair(yTrue, yPred, weights));
  const totals = trueTotals(table);
  const recalls = hits(table)
    .map((hit, c) => hit / totals[c])
    .filter((_, c) => totals[c] > 0);
  const mean = sum(recalls) / recalls.length;
  const chance = 1 / recalls.length;
  return adjusted ? (mean - chance) / (1 - chance) : mean;
}

/** Accuracy of a table. */
export function accuracyOf(table: Confusion): number {
  return sum(hits(table)) / sum(table.matrix.data);
}

/**
 * Matthews' correlation for any number of classes, with C correct of S rows, t true and p predicted counts by class:
 *
 *   (C S − t·p) / √((S² − p·p)(S² − t·t))                               (1)
 *
 * and 0 where a factor of the denominator is 0. Gorodkin, Comput. Biol. Chem. 28 (2004), eq. (8).
 */
export function matthewsCorrcoef(
  yTrue: ArrayLike<Label>,
  yPred: ArrayLike<Label>,
  options: WeightOptions = {},
): number {
  const { sampleWeight: weights } = readOptions('matthewsCorrcoef', weightOption, options);
  const table = tableOf(readPair(yTrue, yPred, weights));
  const [t, p] = [trueTotals(table), predictedTotals(table)];
  const all = sum(p);
  const spread = (all ** 2 - dot(p, p)) * (all ** 2 - dot(t, t));
  // With one class the difference of squares is 0, or only its rounding when weights are fractions.
  const flat = t.filter((n) => n > 0).length < 2 || p.filter((n) => n > 0).length < 2;
  return flat || spread === 0 ? 0 : (sum(hits(table)) * all - dot(t, p)) / Math.sqrt(spread);
}

/**
 * Cohen's kappa: agreement beyond chance, 1 − Σ v m / Σ v e, where e[t,p] is the table expected of independent raters and
 * v[t,p] is [t ≠ p], |t − p| ('linear') or (t − p)² ('quadratic'). Undefined (both raters use one and the same label)
 * it is NaN, or `replaceUndefinedBy`. Cohen, Psychol. Bull. 70 (1968).
 */
export function cohenKappaScore(y1: ArrayLike<Label>, y2: ArrayLike<Label>, options: CohenKappaOptions = {}): number {
  const {
    labels: given,
    weights,
    sampleWeight: w,
    replaceUndefinedBy,
  } = readOptions('cohenKappaScore', kappaSpec, options);
  const table = countConfusion(y1, y2, { labels: given, sampleWeight: w });
  const [t, p] = [trueTotals(table), predictedTotals(table)];
  const all = sum(t);
  let seen = 0;
  let expected = 0;
  for (let i = 0; i < t.length; i++) {
    for (let j = 0; j < t.length; j++) {
      const distance = Math.abs(i - j);
      const cost = weights === 'linear' ? distance : weights === 'quadratic' ? distance ** 2 : Math.min(distance, 1);
      seen += cost * table.matrix.at(i, j);
      expected += (cost * t[i] * p[j]) / all;
    }
  }
  return all === 0 || expected === 0 ? (replaceUndefinedBy ?? Number.NaN) : 1 - seen / expected;
}
