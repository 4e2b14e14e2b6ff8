import { choice, type GivenOptions, integer, type OptionSpec, readOptions, weightOption } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import { argmax, sum } from '../math/arrays.ts';
import { firstFrom } from '../math/search.ts';
import { equalMassBins } from './binning.ts';
import { unitSteps } from './numpy.ts';
import { readProbabilities, readScores, requireProbabilities, type Scores } from './scores.ts';
import { labelsOption, positiveOption } from './targets.ts';
import { type Ranked, readRanked } from './thresholds.ts';

/** A bin of predictions: total weight, mean confidence and accuracy. */
export interface ReliabilityBin {
  readonly weight: number;
  readonly confidence: number;
  readonly accuracy: number;
}

const adaptiveSpec = {
  /** The number of bins. Default: 15. */
  nBins: integer({ default: 15, min: 1 }),
  ...labelsOption,
  ...positiveOption,
  ...weightOption,
} satisfies OptionSpec;
const spec = {
  ...adaptiveSpec,
  /** Bins of equal width or of equal weight. Default: 'uniform'. */
  strategy: choice(['uniform', 'quantile'], { default: 'uniform' }),
} satisfies OptionSpec;

/** Options of `expectedCalibrationError`. */
export type CalibrationErrorOptions = GivenOptions<typeof spec>;

/** The same with bins of equal weight. */
export type AdaptiveErrorOptions = GivenOptions<typeof adaptiveSpec>;

type Read = ReturnType<typeof readOptions<typeof spec>>;

/** Confidence and correctness of each row: of the positive class, or of the most probable one if there is a column per class. */
function readConfidence(yTrue: ArrayLike<Label>, yProba: Scores, read: Omit<Read, 'strategy' | 'nBins'>): Ranked {
  const table = readScores(yProba, 'yProba');
  if (table.cols === 1) {
    requireProbabilities(table);
    return readRanked(yTrue, table.data, read.posLabel, read.sampleWeight);
  }
  const labelled = readProbabilities(yTrue, yProba, read.labels, read.sampleWeight);
  const { cols, data, rows } = labelled.table;
  const top = Int32Array.from({ length: rows }, (_, i) => argmax(data, i * cols, cols));
  return {
    positive: Uint8Array.from(labelled.codes, (code, i) => (code === top[i] ? 1 : 0)),
    score: Float64Array.from(top, (c, i) => data[i * cols + c]),
    weights: labelled.weights,
  };
}

/** The bin of every probability; an edge belongs to the bin below it. */
export function assignBins(p: Float64Array, weights: Float64Array, nBins: number, strategy: string): Int32Array {
  if (strategy === 'quantile') return equalMassBins(p, weights, nBins);
  const inner = unitSteps(nBins).subarray(1, -1);
  return Int32Array.from(p, (value) => firstFrom(inner, value));
}

/** Weight, mean prediction and share of positives of each bin that has any weight. */
export function summariseBins({ positive, score, weights }: Ranked, bins: Int32Array): ReliabilityBin[] {
  const size = bins.reduce((most, bin) => Math.max(most, bin + 1), 0);
  const [mass, confidence, right] = Array.from({ length: 3 }, () => new Float64Array(size));
  for (let i = 0; i < bins.length; i++) {
    mass[bins[i]] += weights[i];
    confidence[bins[i]] += weights[i] * score[i];
    right[bins[i]] += weights[i] * positive[i];
  }
  const filled = Array.from(mass.keys()).filter((bin) => mass[bin] > 0);
  return filled.map((bin) => ({
    weight: mass[bin],
    confidence: confidence[bin] / mass[bin],
    accuracy: right[bin] / mass[bin],
  }));
}

/**
 * Predictions binned by confidence, with mean confidence and accuracy of each bin. One probability per row is that of the positive class;
 * of a row of probabilities the largest is used. Empty bins are left out.
 */
export function reliabilityBins(
  yTrue: ArrayLike<Label>,
  yProba: Scores,
  options: CalibrationErrorOptions = {},
): ReliabilityBin[] {
  const read = readOptions('reliabilityBins', spec, options);
  const ranked = readConfidence(yTrue, yProba, read);
  return summariseBins(ranked, assignBins(ranked.score, ranked.weights, read.nBins, read.strategy));
}

const gap = ({ confidence, accuracy }: ReliabilityBin) => Math.abs(confidence - accuracy);

/** Σ wₖ |accₖ − confₖ| / Σ wₖ. */
function meanGap(bins: readonly ReliabilityBin[]): number {
  const total = bins.reduce((all, { weight }) => all + weight, 0);
  return bins.reduce((all, bin) => all + bin.weight * gap(bin), 0) / total;
}

/**
 * Expected calibration error: the mean distance of confidence and accuracy over 15 bins of equal width, by weight,
 * Σ wₖ |accₖ − confₖ| / Σ wₖ. Guo et al. (2017), eq. (3).
 */
export function expectedCalibrationError(
  yTrue: ArrayLike<Label>,
  yProba: Scores,
  options: CalibrationErrorOptions = {},
): number {
  return meanGap(reliabilityBins(yTrue, yProba, options));
}

/** The same over bins of equal weight, so that errors among many confident predictions are not averaged away. */
export function adaptiveCalibrationError(
  yTrue: ArrayLike<Label>,
  yProba: Scores,
  options: AdaptiveErrorOptions = {},
): number {
  const read = readOptions('adaptiveCalibrationError', adaptiveSpec, options);
  return meanGap(reliabilityBins(yTrue, yProba, { ...read, strategy: 'quantile' }));
}

/** Maximum calibration error: the largest distance of confidence and accuracy in any bin. Guo et al. (2017), eq. (5). */
export function maximumCalibrationError(
  yTrue: ArrayLike<Label>,
  yProba: Scores,
  options: CalibrationErrorOptions = {},
): number {
  return reliabilityBins(yTrue, yProba, options).reduce((most, bin) => Math.max(most, gap(bin)), 0);
}

/** Weighted mean of a list. */
export function weightedMean(values: Float64Array, weights: Float64Array): number {
  return sum(values.map((value, i) => value * weights[i])) / sum(weights);
}
