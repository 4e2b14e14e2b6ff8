import type { Matrix } from '../data/matrix.ts';
import { wilsonInterval } from '../evaluate/intervals.ts';
import { argmax, sum } from '../math/arrays.ts';

/** How good a classifier is on rows that it had not learned. */
export interface Evaluation {
  readonly on: string;
  readonly rows: number;
  readonly accuracy: number;
  readonly interval: readonly [low: number, high: number];
  readonly logLoss: number;
}

/** Labelled rows with what they weigh; without weights all weigh 1. */
export interface Truth {
  readonly codes: Int32Array;
  readonly weights?: Float64Array | undefined;
}

/** Some of the labelled rows. */
export function takeTruth({ codes, weights }: Truth, rows: Int32Array): Truth {
  return {
    codes: Int32Array.from(rows, (i) => codes[i]),
    weights: weights && Float64Array.from(rows, (i) => weights[i]),
  };
}

/** The same rows with class weights as further weights. */
export function weighClasses({ codes, weights }: Truth, factors: Float64Array | undefined): Truth {
  if (!factors) return { codes, weights };
  return { codes, weights: Float64Array.from(codes, (c, i) => (weights?.[i] ?? 1) * factors[c]) };
}

/** −ln 1e-15: no row costs more. */
const MOST_LOSS = -Math.log(1e-15);

/** The weighted mean of −ln p(y | x). */
export function meanLogLoss({ cols, data }: Matrix, { codes, weights }: Truth): number {
  let loss = 0;
  for (let i = 0; i < codes.length; i++) {
    loss += (weights ? weights[i] : 1) * Math.min(MOST_LOSS, -data[i * cols + codes[i]]);
  }
  return loss / (weights ? sum(weights) : codes.length);
}

/** Judges answers by labels; the interval is Wilson's, for as many rows as there are. */
export function evaluate(logProba: Matrix, { codes, weights }: Truth, on: string): Evaluation {
  const { cols, data } = logProba;
  let right = 0;
  for (let i = 0; i < codes.length; i++) {
    if (argmax(data, i * cols, cols) === codes[i]) right += weights ? weights[i] : 1;
  }
  const accuracy = right / (weights ? sum(weights) : codes.length);
  const { low, high } = wilsonInterval(Math.round(accuracy * codes.length), codes.length);
  const logLoss = meanLogLoss(logProba, { codes, weights });
  return { on, rows: codes.length, accuracy, interval: [low, high], logLoss };
}

/** The sentence that tells how rows were judged. */
export const byFolds = (chosen: boolean): string =>
  `five folds of the training rows, each judged by what the others taught${
    chosen ? '; models were chosen by the same folds' : ''
  }`;
