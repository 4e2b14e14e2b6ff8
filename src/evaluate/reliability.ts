import { choice, type GivenOptions, integer, type OptionSpec, readOptions } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import { firstFrom } from '../math/search.ts';
import { type Interval, wilsonInterval } from './intervals.ts';
import { quantiles, unitSteps } from './numpy.ts';
import { readColumn, requireProbabilities, type Scores } from './scores.ts';
import { positiveOption } from './targets.ts';
import { readRanked } from './thresholds.ts';

const curveSpec = {
  ...positiveOption,
  /** The number of bins. Default: 5. */
  nBins: integer({ default: 5, min: 1 }),
  /** Bins of equal width or of equal weight. Default: 'uniform'. */
  strategy: choice(['uniform', 'quantile'], { default: 'uniform' }),
} satisfies OptionSpec;

/** Options of `calibrationCurve`. */
export type CalibrationCurveOptions = GivenOptions<typeof curveSpec>;

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
  const { positive } = readRanked(yTrue, yProb, read.posLabel, null);
  const steps = unitSteps(read.nBins);
  const edges = read.strategy === 'uniform' ? steps : quantiles(p.slice().sort(), steps);
  const inner = edges.subarray(1, -1);
  const [total, right, predicted] = Array.from({ length: 3 }, () => new Float64Array(read.nBins));
  for (let i = 0; i < p.length; i++) {
    const bin = firstFrom(inner, p[i]);
    total[bin]++;
    predicted[bin] += p[i];
    right[bin] += positive[i];
  }
  const filled = [...total.keys()].filter((bin) => total[bin] > 0);
  return filled.map((bin) => ({
    from: edges[bin],
    to: edges[bin + 1],
    rows: total[bin],
    predicted: predicted[bin] / total[bin],
    observed: wilsonInterval(right[bin], total[bin]),
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
