import { choice, type GivenOptions, integer, type OptionSpec, readOptions, weightOption } from '../core/options.ts';
import { requireLike } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import { sum } from '../math/arrays.ts';
import { firstFrom } from '../math/search.ts';
import { isotonicRegression } from './isotonic.ts';
import { readColumn, type Scores } from './scores.ts';
import { increasingOption } from './sigmoid.ts';
import { positiveOption } from './targets.ts';
import { type Ranked, readRanked } from './thresholds.ts';

/** Bins of scores with the share of positives in each; an edge belongs to the bin below it. */
export interface Binning {
  readonly edges: Float64Array; // one fewer than bins
  readonly rates: Float64Array;
}

const spec = {
  /** The number of bins. Default: 10. */
  nBins: integer({ default: 10, min: 1 }),
  /** Bins of equal width or of equal weight. Default: 'quantile'. */
  strategy: choice(['quantile', 'uniform'], { default: 'quantile' }),
  ...increasingOption,
  ...positiveOption,
  ...weightOption,
} satisfies OptionSpec;

/** Options of `fitBinning`. */
export type BinningOptions = GivenOptions<typeof spec>;

/**
 * The bin of each score when bins hold about equal weight: ⌊nBins · m⌋, where m is the share of weight below the score plus
 * half of that at it. Equal scores share a bin, and neither the order of rows nor a row in two halves makes a difference.
 */
export function equalMassBins(score: Float64Array, weights: Float64Array, nBins: number): Int32Array {
  const order = Uint32Array.from(score.keys()).sort((a, b) => score[a] - score[b]);
  const total = sum(weights);
  const bins = new Int32Array(score.length);
  let below = 0;
  for (let from = 0, to = 0; from < order.length; from = to) {
    let mass = 0;
    for (; to < order.length && score[order[to]] === score[order[from]]; to++) mass += weights[order[to]];
    const bin = Math.min(nBins - 1, Math.floor((nBins * (below + mass / 2)) / total));
    for (let k = from; k < to; k++) bins[order[k]] = bin;
    below += mass;
  }
  return bins;
}

/**
 * Histogram binning: a probability is the share of positives among the scores of its bin. Ten bins of equal size by default; bins
 * that stay empty are left out. With `increasing`, neighbouring bins whose shares fall are pooled. Zadrozny & Elkan, ICML 2001.
 */
export function fitBinning(scores: Scores, y: ArrayLike<Label>, options: BinningOptions = {}): Binning {
  const read = readOptions('fitBinning', spec, options);
  return fitBinningTo(readRanked(y, scores, read.posLabel, read.sampleWeight), read);
}

/** Histogram binning of checked rows. */
export function fitBinningTo(
  { positive, score, weights }: Ranked,
  options: BinningOptions & { nBins: number },
): Binning {
  const { nBins, strategy = 'quantile', increasing = false } = options;
  const [least, most] = [score.reduce((a, b) => Math.min(a, b)), score.reduce((a, b) => Math.max(a, b))];
  const width = (most - least) / nBins || 1;
  const bins =
    strategy === 'quantile'
      ? equalMassBins(score, weights, nBins)
      : Int32Array.from(score, (value) => Math.min(nBins - 1, Math.floor((value - least) / width)));
  const order = Uint32Array.from(score.keys()).filter((i) => weights[i] > 0);
  order.sort((a, b) => score[a] - score[b]);
  const [edges, right, mass]: number[][] = [[], [], []];
  for (let k = 0; k < order.length; k++) {
    const i = order[k];
    if (k === 0 || bins[i] !== bins[order[k - 1]]) {
      if (k > 0) edges.push((score[order[k - 1]] + score[i]) / 2);
      right.push(0);
      mass.push(0);
    }
    right[right.length - 1] += positive[i] * weights[i];
    mass[mass.length - 1] += weights[i];
  }
  const rates = Float64Array.from(right, (r, bin) => r / mass[bin]);
  return {
    edges: Float64Array.from(edges),
    rates: increasing ? isotonicRegression(rates, { sampleWeight: mass }) : rates,
  };
}

/** The share of positives in the bin of each score. */
export function predictBinning(binning: Binning, scores: Scores): Float64Array {
  const { edges, rates } = requireLike(binning, 'what fitBinning returns', { edges: 'list', rates: 'list' });
  return readColumn(scores, 'scores').map((score) => rates[firstFrom(edges, score)]);
}
