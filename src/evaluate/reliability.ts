import { choice, integer, type OptionSpec, readOptions } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import { insertionPlace, quantiles, unitSteps } from './numpy.ts';
import { readColumn, requireProbabilities, type Scores } from './scores.ts';
import { posLabel } from './targets.ts';
import { readRanked } from './thresholds.ts';

/** Which class is positive, and the bins of the curve. */
export interface CalibrationCurveOptions {
  readonly posLabel?: Label | null | undefined;
  readonly nBins?: number | undefined;
  readonly strategy?: 'uniform' | 'quantile' | undefined;
}

const curveSpec = {
  posLabel,
  /** How many bins. */
  nBins: integer({ default: 5, min: 1 }),
  /** Bins of equal width or of equal size. */
  strategy: choice(['uniform', 'quantile'], { default: 'uniform' }),
} satisfies OptionSpec;

/**
 * The calibration curve: in each bin of predicted probability, [share of positives, mean prediction]; empty bins are left
 * out. Bins are of equal width, or lie between quantiles of the predictions; an edge belongs to the bin below it.
 */
export function calibrationCurve(
  yTrue: ArrayLike<Label>,
  yProb: Scores,
  options: CalibrationCurveOptions = {},
): [probTrue: number[], probPred: number[]] {
  const read = readOptions('calibrationCurve', curveSpec, options);
  const p = readColumn(yProb, 'yProb');
  requireProbabilities({ rows: p.length, cols: 1, data: p, flat: true }, 'yProb');
  const { positive } = readRanked(yTrue, yProb, read.posLabel, null);
  const steps = unitSteps(read.nBins);
  const edges = read.strategy === 'uniform' ? steps : quantiles(p.slice().sort(), steps);
  const inner = edges.subarray(1, -1);
  const [total, right, predicted] = Array.from({ length: 3 }, () => new Float64Array(read.nBins));
  for (let i = 0; i < p.length; i++) {
    const bin = insertionPlace(inner, p[i]);
    total[bin]++;
    predicted[bin] += p[i];
    right[bin] += positive[i];
  }
  const filled = [...total.keys()].filter((bin) => total[bin] > 0);
  return [filled.map((bin) => right[bin] / total[bin]), filled.map((bin) => predicted[bin] / total[bin])];
}
