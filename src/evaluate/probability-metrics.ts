import {
  flag,
  type GivenOptions,
  integer,
  type Option,
  type OptionSpec,
  readOptions,
  weightOption,
} from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import { refuse } from '../errors.ts';
import { dot } from '../math/arrays.ts';
import {
  readColumn,
  readLabelledScores,
  readProbabilities,
  readScores,
  requireColumns,
  requireProbabilities,
  type Scores,
  weightedMean,
  withComplement,
} from './scores.ts';
import {
  arePlainlyBinary,
  labelsOption,
  markPositive,
  positiveClass,
  positiveOption,
  readLabels,
  readRowWeights,
  requireLength,
} from './targets.ts';

const scaleByHalf: Option<boolean | 'auto'> = {
  kind: 'custom',
  default: 'auto',
  expects: "true, false or 'auto'",
  accept: (value) => (value === 'auto' || typeof value === 'boolean' ? value : undefined),
};
const lossSpec = {
  /** Return the mean over rows instead of the sum. Default: true. */
  normalize: flag({ default: true }),
  ...weightOption,
  ...labelsOption,
} satisfies OptionSpec;

/** Options of `logLoss`. */
export type LogLossOptions = GivenOptions<typeof lossSpec>;

const brierSpec = {
  ...weightOption,
  ...positiveOption,
  ...labelsOption,
  /** Whether to halve the sum over classes; 'auto' does so for two classes. Default: 'auto'. */
  scaleByHalf,
} satisfies OptionSpec;

/** Options of `brierScoreLoss`. */
export type BrierScoreLossOptions = GivenOptions<typeof brierSpec>;

const topSpec = {
  /** The number of guesses. Default: 2. */
  k: integer({ default: 2, min: 1 }),
  ...lossSpec,
} satisfies OptionSpec;

/** Options of `topKAccuracyScore`. */
export type TopKAccuracyOptions = GivenOptions<typeof topSpec>;

const EPSILON = 2 ** -52;

/** Σ w v / Σ w, or Σ w v. */
const gather = (values: Float64Array, weights: Float64Array, mean: boolean): number =>
  mean ? weightedMean(values, weights) : dot(values, weights);

/**
 * Log-loss: −Σ wᵢ ln p̂ᵢ(yᵢ) / Σ wᵢ, where probabilities are first brought into [ε, 1 − ε], ε = 2⁻⁵².
 * One probability per row is that of the second class. Columns follow `labels`, or the sorted classes of yTrue. Rows that
 * do not sum to 1 are taken as they are.
 */
export function logLoss(yTrue: ArrayLike<Label>, yProba: Scores, options: LogLossOptions = {}): number {
  const read = readOptions('logLoss', lossSpec, options);
  const { codes, table, weights } = readProbabilities(yTrue, yProba, read.labels, read.sampleWeight);
  const losses = Float64Array.from(codes, (c, i) => {
    const p = table.data[i * table.cols + c];
    return -Math.log(Math.min(Math.max(p, EPSILON), 1 - EPSILON));
  });
  return gather(losses, weights, read.normalize);
}

/** The positive class of p alone: as everywhere, but among two integers of any value the larger one. */
function brierPositive(classes: readonly Label[], given: Label | null): Label {
  if (classes.length > 2) {
    refuse('E_SHAPE', `yProba has one column for ${classes.length} classes`, { actual: 1, expected: classes.length });
  }
  const larger = given === null && typeof classes[0] === 'number' && !arePlainlyBinary(classes);
  return larger ? classes[classes.length - 1] : positiveClass(classes, given);
}

/**
 * Brier score: Σ wᵢ Σ_c (p̂ᵢ(c) − [yᵢ = c])² / Σ wᵢ, halved for two classes, where it is the mean of (p̂ − y)².
 * One probability per row is that of the positive class (`posLabel`); otherwise columns follow `labels`, or the sorted
 * classes of yTrue. Brier, Mon. Weather Rev. 78 (1950).
 */
export function brierScoreLoss(yTrue: ArrayLike<Label>, yProba: Scores, options: BrierScoreLossOptions = {}): number {
  const read = readOptions('brierScoreLoss', brierSpec, options);
  const { codes, table, weights } = brierInput(yTrue, yProba, read);
  const { cols, data } = table;
  const losses = Float64Array.from(codes, (truth, i) => {
    let loss = 0;
    for (let c = 0; c < cols; c++) loss += ((c === truth ? 1 : 0) - data[i * cols + c]) ** 2;
    return loss;
  });
  const halved = read.scaleByHalf === 'auto' ? cols < 3 : read.scaleByHalf;
  return weightedMean(losses, weights) * (halved ? 0.5 : 1);
}

function brierInput(
  yTrue: ArrayLike<Label>,
  yProba: Scores,
  read: ReturnType<typeof readOptions<typeof brierSpec>>,
): Pick<ReturnType<typeof readProbabilities>, 'table' | 'weights'> & { codes: ArrayLike<number> } {
  const scores = readScores(yProba, 'yProba');
  if (scores.cols !== 1) return readProbabilities(yTrue, yProba, read.labels, read.sampleWeight);
  requireProbabilities(scores);
  const truth = readLabels(yTrue, 'yTrue');
  requireLength('yProba', scores.rows, truth.codes.length);
  const codes = markPositive(truth, brierPositive(truth.classes, read.posLabel));
  return { codes, table: withComplement(scores.data), weights: readRowWeights(read.sampleWeight, codes.length) };
}

/**
 * Top-k accuracy: the share of rows whose class is among the k of highest score; of equal scores the later class counts
 * as higher. One score per row stands for two classes: for k = 1 it speaks for the second one above ½ (above 0, where
 * scores are not probabilities).
 */
export function topKAccuracyScore(yTrue: ArrayLike<Label>, yScore: Scores, options: TopKAccuracyOptions = {}): number {
  const read = readOptions('topKAccuracyScore', topSpec, options);
  const { codes, table, weights, classes } = readLabelledScores(yTrue, yScore, read.labels, read.sampleWeight);
  const { cols, data } = table.cols === 1 ? twoSided(readColumn(yScore)) : table;
  requireColumns(classes, cols);
  const found = Float64Array.from(codes, (truth, i) => {
    let above = 0;
    for (let c = 0; c < cols; c++) {
      const [rival, own] = [data[i * cols + c], data[i * cols + truth]];
      if (rival > own || (rival === own && c > truth)) above++;
    }
    return above < read.k ? 1 : 0;
  });
  return gather(found, weights, read.normalize);
}

/** Scores of two classes from one: the second beats the first above the threshold, and loses at it. */
function twoSided(score: Float64Array): { cols: number; data: Float64Array } {
  const probabilities = score.every((value) => value >= 0 && value <= 1);
  const threshold = probabilities ? 0.5 : 0;
  const data = new Float64Array(2 * score.length);
  for (let i = 0; i < score.length; i++) data[2 * i + (score[i] > threshold ? 1 : 0)] = 1;
  return { cols: 2, data };
}
