import { choice, type GivenOptions, integer, type OptionSpec, readOptions, weightOption } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import { sum } from '../math/arrays.ts';
import { firstFrom } from '../math/search.ts';
import { type Interval, wilsonInterval } from './intervals.ts';
import { quantiles, unitSteps } from './numpy.ts';
import {
  highestOf,
  readColumn,
  readProbabilities,
  readScores,
  requireProbabilities,
  type Scores,
  weightedMean,
} from './scores.ts';
import { labelsOption, positiveOption } from './targets.ts';
import { against, type Ranked, readRanked } from './thresholds.ts';

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
const errorSpec = {
  ...adaptiveSpec,
  /** Bins of equal width or of equal weight. Default: 'uniform'. */
  strategy: choice(['uniform', 'quantile'], { default: 'uniform' }),
} satisfies OptionSpec;
const decompositionSpec = {
  ...adaptiveSpec,
  /** The number of bins. Default: 10. */
  nBins: integer({ default: 10, min: 1 }),
  /** Bins of equal width, of equal weight, or one for every distinct forecast. Default: 'uniform'. */
  strategy: choice(['uniform', 'quantile', 'distinct'], { default: 'uniform' }),
} satisfies OptionSpec;
const curveSpec = {
  ...positiveOption,
  /** The number of bins. Default: 5. */
  nBins: integer({ default: 5, min: 1 }),
  /** Bins of equal width or of equal weight. Default: 'uniform'. */
  strategy: choice(['uniform', 'quantile'], { default: 'uniform' }),
} satisfies OptionSpec;

/** Options of `expectedCalibrationError`. */
export type CalibrationErrorOptions = GivenOptions<typeof errorSpec>;

/** The same with bins of equal weight. */
export type AdaptiveErrorOptions = GivenOptions<typeof adaptiveSpec>;

/** Options of `brierDecomposition`. */
export type BrierDecompositionOptions = GivenOptions<typeof decompositionSpec>;

/** Options of `calibrationCurve`. */
export type CalibrationCurveOptions = GivenOptions<typeof curveSpec>;

/** The places of the bins of some predictions: an edge belongs to the bin below it. */
const placesBetween = (p: Float64Array, edges: Float64Array): Int32Array => {
  const inner = edges.subarray(1, -1);
  return Int32Array.from(p, (value) => firstFrom(inner, value));
};

/**
 * The bin of each prediction when bins hold about equal weight: ⌊nBins · m⌋, where m is the share of weight below the prediction plus
 * half of that at it. Equal predictions share a bin, and neither the order of rows nor a row in two halves makes a difference.
 */
function equalMassBins(p: Float64Array, weights: Float64Array, nBins: number): Int32Array {
  const order = Uint32Array.from(p.keys()).sort((a, b) => p[a] - p[b]);
  const total = sum(weights);
  const bins = new Int32Array(p.length);
  let below = 0;
  for (let from = 0, to = 0; from < order.length; from = to) {
    let mass = 0;
    for (; to < order.length && p[order[to]] === p[order[from]]; to++) mass += weights[order[to]];
    const bin = Math.min(nBins - 1, Math.floor((nBins * (below + mass / 2)) / total));
    for (let k = from; k < to; k++) bins[order[k]] = bin;
    below += mass;
  }
  return bins;
}

/** One bin for every distinct value. */
function distinctBins(p: Float64Array): Int32Array {
  const place = new Map<number, number>();
  for (const value of p) if (!place.has(value)) place.set(value, place.size);
  return Int32Array.from(p, (value) => place.get(value) ?? 0);
}

/** How predictions are put into bins. */
type Binned = Pick<ReturnType<typeof readOptions<typeof decompositionSpec>>, 'nBins' | 'strategy'>;

function binsOf({ score, weights }: Ranked, { nBins, strategy }: Binned): Int32Array {
  if (strategy === 'quantile') return equalMassBins(score, weights, nBins);
  return strategy === 'distinct' ? distinctBins(score) : placesBetween(score, unitSteps(nBins));
}

/** A bin with the weighted sum of its positives. */
interface SummedBin extends ReliabilityBin {
  readonly place: number;
  readonly positives: number;
}

/** The statistic from which all figures of calibration follow: the bins that have any weight. */
function sumBins({ positive, score, weights }: Ranked, bins: Int32Array): SummedBin[] {
  const size = bins.reduce((most, bin) => Math.max(most, bin + 1), 0);
  const [mass, predicted, positives] = Array.from({ length: 3 }, () => new Float64Array(size));
  for (let i = 0; i < bins.length; i++) {
    mass[bins[i]] += weights[i];
    predicted[bins[i]] += weights[i] * score[i];
    positives[bins[i]] += weights[i] * positive[i];
  }
  const filled = Array.from(mass.keys()).filter((place) => mass[place] > 0);
  return filled.map((place) => ({
    place,
    positives: positives[place],
    weight: mass[place],
    confidence: predicted[place] / mass[place],
    accuracy: positives[place] / mass[place],
  }));
}

/** Confidence and correctness of each row: of the positive class, or of the most probable one if there is a column per class. */
function readConfidence(
  yTrue: ArrayLike<Label>,
  yProba: Scores,
  read: Pick<ReturnType<typeof readOptions<typeof adaptiveSpec>>, 'labels' | 'posLabel' | 'sampleWeight'>,
): Ranked {
  const table = readScores(yProba, 'yProba');
  if (table.cols === 1) {
    requireProbabilities(table);
    return readRanked(yTrue, table.data, read.posLabel, read.sampleWeight);
  }
  const labelled = readProbabilities(yTrue, yProba, read.labels, read.sampleWeight);
  const { best, score } = highestOf(labelled.table);
  const positive = Uint8Array.from(labelled.codes, (code, i) => Number(code === best[i]));
  return { positive, score, weights: labelled.weights };
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
  const read = readOptions('reliabilityBins', errorSpec, options);
  const ranked = readConfidence(yTrue, yProba, read);
  const bins = sumBins(ranked, binsOf(ranked, read));
  return bins.map(({ weight, confidence, accuracy }) => ({ weight, confidence, accuracy }));
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
  const bins = reliabilityBins(yTrue, yProba, options);
  const total = bins.reduce((all, { weight }) => all + weight, 0);
  return bins.reduce((all, bin) => all + bin.weight * Math.abs(bin.confidence - bin.accuracy), 0) / total;
}

/** The same over bins of equal weight, so that errors among many confident predictions are not averaged away. */
export function adaptiveCalibrationError(
  yTrue: ArrayLike<Label>,
  yProba: Scores,
  options: AdaptiveErrorOptions = {},
): number {
  const read = readOptions('adaptiveCalibrationError', adaptiveSpec, options);
  return expectedCalibrationError(yTrue, yProba, { ...read, strategy: 'quantile' });
}

/** brier = reliability − resolution + uncertainty + withinBins. */
export interface BrierDecomposition {
  readonly brier: number;
  /** Distance of the forecasts from the observed frequencies; 0 if calibrated. */
  readonly reliability: number;
  /** Spread of the observed frequencies of the bins around their average; higher is better. */
  readonly resolution: number;
  /** Variance of the outcome. */
  readonly uncertainty: number;
  /** Remainder due to different forecasts within a bin; 0 with one bin per distinct forecast. */
  readonly withinBins: number;
}

function decompose(ranked: Ranked, read: Binned): BrierDecomposition {
  const { positive, score, weights } = ranked;
  const rate = weightedMean(Float64Array.from(positive), weights);
  const brier = weightedMean(
    score.map((p, i) => (p - positive[i]) ** 2),
    weights,
  );
  let [reliability, resolution, total] = [0, 0, 0];
  for (const { weight, confidence, accuracy } of sumBins(ranked, binsOf(ranked, read))) {
    reliability += weight * (confidence - accuracy) ** 2;
    resolution += weight * (accuracy - rate) ** 2;
    total += weight;
  }
  const uncertainty = rate * (1 - rate);
  const explained = reliability / total - resolution / total + uncertainty;
  return {
    brier,
    reliability: reliability / total,
    resolution: resolution / total,
    uncertainty,
    withinBins: brier - explained,
  };
}

/**
 * Murphy's decomposition of the Brier score over bins k of forecasts, with pₖ the mean forecast and oₖ the share that came
 * true among nₖ of n rows, and o the share of all:
 *
 *   Σ nₖ (pₖ − oₖ)² / n  −  Σ nₖ (oₖ − o)² / n  +  o (1 − o)            (1)
 *
 * reliability, resolution, uncertainty, and a remainder where forecasts differ within a bin. More than one column is
 * summed over classes, and halved for two, as in `brierScoreLoss`. Murphy, J. Appl. Meteor. 12 (1973), eq. (8).
 */
export function brierDecomposition(
  yTrue: ArrayLike<Label>,
  yProba: Scores,
  options: BrierDecompositionOptions = {},
): BrierDecomposition {
  const read = readOptions('brierDecomposition', decompositionSpec, options);
  if (readScores(yProba, 'yProba').cols === 1) return decompose(readConfidence(yTrue, yProba, read), read);
  const labelled = readProbabilities(yTrue, yProba, read.labels, read.sampleWeight);
  const parts = labelled.classes.map((_, c) => decompose(against(labelled, c), read));
  const scale = parts.length < 3 ? 0.5 : 1;
  const add = (name: keyof BrierDecomposition) => scale * parts.reduce((all, part) => all + part[name], 0);
  return {
    brier: add('brier'),
    reliability: add('reliability'),
    resolution: add('resolution'),
    uncertainty: add('uncertainty'),
    withinBins: add('withinBins'),
  };
}

/** One bin of a calibration curve. */
export interface CalibrationBin {
  /** The edges of the bin; the upper one belongs to it. */
  readonly from: number;
  readonly to: number;
  readonly rows: number;
  /** The mean of the predicted probabilities. */
  readonly predicted: number;
  /** The share of positives with its 95 % interval by Wilson. */
  readonly observed: Interval;
}

/**
 * The bins of the calibration curve that have rows. Bins are of equal width, or lie between quantiles of the predictions; an edge belongs
 * to the bin below it.
 */
export function calibrationBins(
  yTrue: ArrayLike<Label>,
  yProb: Scores,
  options: CalibrationCurveOptions = {},
): CalibrationBin[] {
  const read = readOptions('calibrationBins', curveSpec, options);
  const p = readColumn(yProb, 'yProb');
  requireProbabilities({ rows: p.length, cols: 1, data: p, flat: true }, 'yProb');
  const steps = unitSteps(read.nBins);
  const edges = read.strategy === 'uniform' ? steps : quantiles(p.slice().sort(), steps);
  const ranked = readRanked(yTrue, yProb, read.posLabel, null);
  return sumBins(ranked, placesBetween(p, edges)).map(({ place, positives, weight, confidence }) => ({
    from: edges[place],
    to: edges[place + 1],
    rows: weight,
    predicted: confidence,
    observed: wilsonInterval(positives, weight),
  }));
}

/** The calibration curve: in each bin of `calibrationBins`, [share of positives, mean prediction]. */
export function calibrationCurve(
  yTrue: ArrayLike<Label>,
  yProb: Scores,
  options: CalibrationCurveOptions = {},
): [probTrue: number[], probPred: number[]] {
  readOptions('calibrationCurve', curveSpec, options);
  const bins = calibrationBins(yTrue, yProb, options);
  return [bins.map(({ observed }) => observed.value), bins.map(({ predicted }) => predicted)];
}
