import { flag, type GivenOptions, type OptionSpec, readOptions, weightOption } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import { refuse } from '../errors.ts';
import { readColumn, type Scores } from './scores.ts';
import { positiveOption, readLabels, requireLength } from './targets.ts';
import { countThresholds, last, readRanked, type Thresholds, thin, withOrigin } from './thresholds.ts';

const gainSpec = { ...positiveOption, ...weightOption } satisfies OptionSpec;

/** Options of curves without `dropIntermediate`. */
export type GainOptions = GivenOptions<typeof gainSpec>;

const curveSpec = {
  ...gainSpec,
  /** Leave out points on straight lines. Default: true for the ROC curve, false for others. */
  dropIntermediate: flag({ default: false }),
} satisfies OptionSpec;
const rocSpec = { ...gainSpec, dropIntermediate: flag({ default: true }) } satisfies OptionSpec;

/** Options of curves. */
export type CurveOptions = GivenOptions<typeof curveSpec>;

/** Whether the slope changes at k. */
const bends = (values: Float64Array, k: number) => values[k + 1] - values[k] - (values[k] - values[k - 1]) !== 0;

/** Whether the value changes before or after k. */
const moves = (values: Float64Array, k: number) => values[k] !== values[k - 1] || values[k + 1] !== values[k];

const share = (part: number, whole: number) => (whole > 0 ? part / whole : Number.NaN);

/**
 * The ROC curve: at each threshold the share of negatives and of positives that score at least as high,
 * [FP / N, TP / P, thresholds], from (0, 0) at an infinite threshold. Without negatives the first list is NaN, without
 * positives the second. `dropIntermediate` leaves out points on straight lines.
 */
export function rocCurve(
  yTrue: ArrayLike<Label>,
  yScore: Scores,
  options: CurveOptions = {},
): [fpr: number[], tpr: number[], thresholds: number[]] {
  const read = readOptions('rocCurve', rocSpec, options);
  const points = countThresholds(readRanked(yTrue, yScore, read.posLabel, read.sampleWeight));
  return rocOf(points, read.dropIntermediate);
}

/** The ROC curve of counted thresholds. */
export function rocOf(points: Thresholds, drop: boolean): [fpr: number[], tpr: number[], thresholds: number[]] {
  const { falsePositive: fp, truePositive: tp } = points;
  const kept = drop ? thin(points, (k) => bends(fp, k) || bends(tp, k)) : points;
  const { falsePositive, truePositive, threshold } = withOrigin(kept);
  return [
    Array.from(falsePositive, (value) => share(value, last(falsePositive))),
    Array.from(truePositive, (value) => share(value, last(truePositive))),
    Array.from(threshold),
  ];
}

/**
 * Precision and recall at each threshold, from the lowest up, and at the end the point (1, 0) that has no threshold:
 * [TP / (TP + FP), TP / P, thresholds]. Without positives recall is 1 everywhere.
 */
export function precisionRecallCurve(
  yTrue: ArrayLike<Label>,
  yScore: Scores,
  options: CurveOptions = {},
): [precision: number[], recall: number[], thresholds: number[]] {
  const read = readOptions('precisionRecallCurve', curveSpec, options);
  const points = countThresholds(readRanked(yTrue, yScore, read.posLabel, read.sampleWeight));
  return precisionRecallOf(points, read.dropIntermediate);
}

/** The precision-recall curve of counted thresholds. */
export function precisionRecallOf(
  points: Thresholds,
  drop: boolean,
): [precision: number[], recall: number[], thresholds: number[]] {
  const { truePositive: tp } = points;
  const { falsePositive, truePositive, threshold } = drop ? thin(points, (k) => moves(tp, k)) : points;
  const all = last(truePositive);
  const precision = Array.from(truePositive, (right, k) => right / (right + falsePositive[k]));
  const recall = Array.from(truePositive, (right) => (all === 0 ? 1 : right / all));
  return [[...precision.reverse(), 1], [...recall.reverse(), 0], Array.from(threshold).reverse()];
}

/**
 * The detection error trade-off: [FP / N, FN / P, thresholds] from the lowest threshold that misses no positive to the
 * highest that lets a negative pass (and the next). E_CLASSES_TOO_FEW where only one class occurs.
 */
export function detCurve(
  yTrue: ArrayLike<Label>,
  yScore: Scores,
  options: CurveOptions = {},
): [fpr: number[], fnr: number[], thresholds: number[]] {
  const read = readOptions('detCurve', curveSpec, options);
  const ranked = readRanked(yTrue, yScore, read.posLabel, read.sampleWeight);
  const found = readLabels(yTrue, 'yTrue').classes.length;
  if (found !== 2) {
    refuse('E_CLASSES_TOO_FEW', `the trade-off is between two classes, yTrue has ${found}`, {
      actual: found,
      limit: 2,
    });
  }
  const whole = withOrigin(countThresholds(ranked));
  const points = read.dropIntermediate ? thin(whole, (k) => moves(whole.truePositive, k)) : whole;
  const { falsePositive: fp, truePositive: tp, threshold } = points;
  const from = fp.lastIndexOf(0);
  const to = tp.indexOf(last(tp)) + 1;
  const range = (values: Float64Array, of: (value: number) => number) =>
    Array.from(values.slice(from, to), of).reverse();
  return [
    range(fp, (wrong) => share(wrong, last(fp))),
    range(tp, (right) => share(last(tp) - right, last(tp))),
    range(threshold, (value) => value),
  ];
}

/** The area under a curve by trapezoids, Σ (xₖ₊₁ − xₖ)(yₖ + yₖ₊₁) / 2; x rises or falls all the way. */
export function auc(x: ArrayLike<number>, y: ArrayLike<number>): number {
  const [xs, ys] = [readColumn(x, 'x'), readColumn(y, 'y')];
  requireLength('y', ys.length, xs.length);
  if (xs.length < 2) refuse('E_SHAPE', `an area needs two points, got ${xs.length}`, { actual: xs.length, limit: 2 });
  const steps = xs.subarray(1).map((value, k) => value - xs[k]);
  const falls = steps.some((step) => step < 0);
  if (falls && steps.some((step) => step > 0)) refuse('E_PARAM', 'x is not monotonic', { name: 'x' });
  return (falls ? -1 : 1) * areaUnder(xs, ys);
}

/** The trapezoids of points whose x rises. */
export function areaUnder(x: ArrayLike<number>, y: ArrayLike<number>): number {
  let area = 0;
  for (let k = 1; k < x.length; k++) area += ((x[k] - x[k - 1]) * (y[k] + y[k - 1])) / 2;
  return area;
}

/**
 * Cumulative gains: taking the rows of highest score first, [share of rows taken, share of positives found, thresholds],
 * from (0, 0). The diagonal is chance.
 */
export function cumulativeGainCurve(
  yTrue: ArrayLike<Label>,
  yScore: Scores,
  options: GainOptions = {},
): [taken: number[], found: number[], thresholds: number[]] {
  const read = readOptions('cumulativeGainCurve', gainSpec, options);
  const ranked = readRanked(yTrue, yScore, read.posLabel, read.sampleWeight);
  const { falsePositive, truePositive, threshold } = withOrigin(countThresholds(ranked));
  const all = last(falsePositive) + last(truePositive);
  return [
    Array.from(truePositive, (right, k) => (right + falsePositive[k]) / all),
    Array.from(truePositive, (right) => share(right, last(truePositive))),
    Array.from(threshold),
  ];
}

/** Lift: how many times more positives the rows taken hold than a random choice of as many, [taken, lift, thresholds]. */
export function liftCurve(
  yTrue: ArrayLike<Label>,
  yScore: Scores,
  options: GainOptions = {},
): [taken: number[], lift: number[], thresholds: number[]] {
  const [taken, found, thresholds] = cumulativeGainCurve(yTrue, yScore, options);
  return [taken.slice(1), found.slice(1).map((gain, k) => gain / taken[k + 1]), thresholds.slice(1)];
}
