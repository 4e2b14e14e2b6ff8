import { choice, type GivenOptions, integer, type OptionSpec, readOptions, weightOption } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import { assignBins, summariseBins, weightedMean } from './calibration-error.ts';
import { columnOf, readProbabilities, readScores, requireProbabilities, type Scores } from './scores.ts';
import { labelsOption, positiveOption } from './targets.ts';
import { type Ranked, readRanked } from './thresholds.ts';

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

const spec = {
  /** The number of bins. Default: 10. */
  nBins: integer({ default: 10, min: 1 }),
  /** Bins of equal width, of equal weight, or one for every distinct forecast. Default: 'uniform'. */
  strategy: choice(['uniform', 'quantile', 'distinct'], { default: 'uniform' }),
  ...labelsOption,
  ...positiveOption,
  ...weightOption,
} satisfies OptionSpec;

/** Options of `brierDecomposition`. */
export type BrierDecompositionOptions = GivenOptions<typeof spec>;

type Read = ReturnType<typeof readOptions<typeof spec>>;

/** One bin for every distinct value. */
function distinctBins(p: Float64Array): Int32Array {
  const place = new Map<number, number>();
  for (const value of p) if (!place.has(value)) place.set(value, place.size);
  return Int32Array.from(p, (value) => place.get(value) ?? 0);
}

function decompose(ranked: Ranked, { nBins, strategy }: Read): BrierDecomposition {
  const { positive, score, weights } = ranked;
  const bins = strategy === 'distinct' ? distinctBins(score) : assignBins(score, weights, nBins, strategy);
  const rate = weightedMean(Float64Array.from(positive), weights);
  const brier = weightedMean(
    score.map((p, i) => (p - positive[i]) ** 2),
    weights,
  );
  let [reliability, resolution, total] = [0, 0, 0];
  for (const { weight, confidence, accuracy } of summariseBins(ranked, bins)) {
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
  const read = readOptions('brierDecomposition', spec, options);
  const table = readScores(yProba, 'yProba');
  if (table.cols === 1) {
    requireProbabilities(table);
    return decompose(readRanked(yTrue, table.data, read.posLabel, read.sampleWeight), read);
  }
  const labelled = readProbabilities(yTrue, yProba, read.labels, read.sampleWeight);
  const parts = labelled.classes.map((_, c) => {
    const positive = Uint8Array.from(labelled.codes, (code) => (code === c ? 1 : 0));
    return decompose({ positive, score: columnOf(labelled.table, c), weights: labelled.weights }, read);
  });
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
