import {
  flag,
  type GivenOptions,
  integer,
  type OptionSpec,
  optional,
  readOptions,
  real,
  weightOption,
} from '../core/options.ts';
import { type Label, moves } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import { type BrierScoreLossOptions, brierScoreLoss, logLoss } from './probability-metrics.ts';
import { readScores, rowOf, type Scores, weightedMean } from './scores.ts';
import { labelsOption, positiveOption, readClassList, readLabels, readRowWeights, requireLength } from './targets.ts';

const lossSpec = { ...labelsOption, ...weightOption } satisfies OptionSpec;

/** Options: the class of each column, and row weights. */
export type D2Options = GivenOptions<typeof lossSpec>;

/** The class shares as the prediction of every row, which is the best constant prediction, with the labels of the columns. */
function sharesOf(yTrue: ArrayLike<Label>, given: ArrayLike<Label> | null, weights: Weights | null): [Matrix, Label[]] {
  const { classes, codes } = readLabels(yTrue, 'yTrue');
  const all = given === null ? [...classes] : readClassList(given);
  const w = readRowWeights(weights, codes.length);
  const place = moves(classes, all);
  const shares = new Float64Array(all.length);
  for (let i = 0; i < codes.length; i++) shares[place[codes[i]]] += w[i] / sum(w);
  const table = new Matrix(codes.length, all.length);
  for (let i = 0; i < codes.length; i++) table.row(i).set(shares);
  return [table, all];
}

/** The share of the log-loss of class shares that a model explains: 1 − loss / loss of the shares. 1 is perfect, 0 is no better. */
export function d2LogLossScore(yTrue: ArrayLike<Label>, yProba: Scores, options: D2Options = {}): number {
  const read = readOptions('d2LogLossScore', lossSpec, options);
  const [shares, known] = sharesOf(yTrue, read.labels, read.sampleWeight);
  if (shares.rows < 2) return Number.NaN; // one row has no spread to explain
  return 1 - logLoss(yTrue, yProba, read) / logLoss(yTrue, shares, { ...read, labels: known });
}

/** The share of the Brier score of class shares that a model explains, in the manner of `d2LogLossScore`. */
export function d2BrierScore(
  yTrue: ArrayLike<Label>,
  yProba: Scores,
  options: Omit<BrierScoreLossOptions, 'scaleByHalf'> = {},
): number {
  const read = readOptions('d2BrierScore', { ...lossSpec, ...positiveOption }, options);
  const [shares, known] = sharesOf(yTrue, read.labels, read.sampleWeight);
  if (shares.rows < 2) return Number.NaN;
  const loss = brierScoreLoss(yTrue, yProba, { ...read, scaleByHalf: false });
  const { sampleWeight: weights } = read;
  return 1 - loss / brierScoreLoss(yTrue, shares, { labels: known, sampleWeight: weights, scaleByHalf: false });
}

/**
 * Mean hinge loss max(0, 1 − margin): of two classes the signed score, of more the score of the class less the best other. A class that is
 * alone is the negative one.
 */
export function hingeLoss(yTrue: ArrayLike<Label>, decision: Scores, options: D2Options = {}): number {
  const read = readOptions('hingeLoss', lossSpec, options);
  const { classes, codes } = readLabels(yTrue, 'yTrue');
  const all = read.labels === null ? classes : readClassList(read.labels);
  const scores = readScores(decision, 'decision');
  requireLength('decision', scores.rows, codes.length);
  const { cols, data } = scores;
  if (cols !== (all.length > 2 ? all.length : 1) && cols !== all.length) {
    refuse('E_SHAPE', `decision has ${cols} columns for ${all.length} classes`, { expected: all.length, actual: cols });
  }
  const place = moves(classes, all);
  const losses = Float64Array.from(codes, (code, i) => {
    const truth = place[code];
    if (cols === 1) return Math.max(0, 1 - (truth === 1 ? 1 : -1) * data[i]);
    const own = rowOf(scores, i);
    const best = own.reduce((most, score, c) => (c === truth ? most : Math.max(most, score)), -Infinity);
    return Math.max(0, 1 - (own[truth] - best));
  });
  return weightedMean(losses, readRowWeights(read.sampleWeight, codes.length));
}

const dcgSpec = {
  /** The number of top positions that count. Default: null, all positions. */
  k: optional(integer({ default: 1, min: 1 })),
  /** The base of the logarithm of the discount. Default: 2. */
  logBase: real({ default: 2, min: 1 }),
  ...weightOption,
  /** Keep the order of equal scores instead of averaging over their positions. Default: false. */
  ignoreTies: flag({ default: false }),
} satisfies OptionSpec;

/** Options of `dcgScore`. */
export type DcgOptions = GivenOptions<typeof dcgSpec>;

/**
 * Discounted cumulative gain, the mean over rows of Σ relevance / log₂(place + 1), items ordered by score; items of equal score share
 * the worth of their places. Järvelin & Kekäläinen (2002); McSherry & Najork (2008) for ties.
 */
export function dcgScore(yTrue: Scores, yScore: Scores, options: DcgOptions = {}): number {
  const read = readOptions('dcgScore', dcgSpec, options);
  return gains(yTrue, yScore, read, (own) => own);
}

/** `dcgScore` over that of the perfect order, from 0 to 1; a row without any relevance counts as 0. */
export function ndcgScore(yTrue: Scores, yScore: Scores, options: Omit<DcgOptions, 'logBase'> = {}): number {
  const { logBase: _, ...spec } = dcgSpec;
  const read = { ...readOptions('ndcgScore', spec, options), logBase: 2 };
  if (readScores(yTrue, 'yTrue').data.some((value) => value < 0)) {
    refuse('E_NEGATIVE', 'the relevance of ndcgScore is not negative', {});
  }
  return gains(yTrue, yScore, read, (own, best) => (best === 0 ? 0 : own / best));
}

function gains(
  yTrue: Scores,
  yScore: Scores,
  read: ReturnType<typeof readOptions<typeof dcgSpec>>,
  rate: (own: number, best: number) => number,
): number {
  const [truth, scores] = [readScores(yTrue, 'yTrue'), readScores(yScore)];
  const { rows, cols } = truth;
  if (scores.rows !== rows || scores.cols !== cols || cols < 2) {
    refuse('E_SHAPE', 'relevance and scores are two tables of the same size, with at least two items to a row', {});
  }
  const discount = Float64Array.from({ length: cols }, (_, place) =>
    place < (read.k ?? cols) ? Math.log(read.logBase) / Math.log(place + 2) : 0,
  );
  const values = Float64Array.from({ length: rows }, (_, i) => {
    const relevance = rowOf(truth, i);
    const gain = (by: Float64Array, ties: boolean) => dcgOf(relevance, by, discount, ties);
    return rate(gain(rowOf(scores, i), !read.ignoreTies), gain(relevance, false));
  });
  return weightedMean(values, readRowWeights(read.sampleWeight, rows));
}

function dcgOf(relevance: Float64Array, scores: Float64Array, discount: Float64Array, ties: boolean): number {
  const order = Array.from(scores.keys()).sort((a, b) => scores[b] - scores[a]);
  let total = 0;
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (ties && to < order.length && scores[order[to]] === scores[order[from]]) to++;
    const mean = order.slice(from, to).reduce((all, j) => all + relevance[j], 0) / (to - from);
    total += mean * sum(discount.subarray(from, to));
    from = to;
  }
  return total;
}
