import type { Matrix } from '../data/matrix.ts';
import { wilsonInterval } from '../evaluate/intervals.ts';
import { meanAccuracy, meanLogLoss, type Truth } from '../evaluate/log-proba.ts';

/** How good a classifier is on rows that it had not learned. */
export interface Evaluation {
  readonly on: string;
  readonly rows: number;
  readonly accuracy: number;
  readonly interval: readonly [low: number, high: number];
  readonly logLoss: number;
}

/** Evaluates log-posteriors of labelled rows; the interval is Wilson's, for as many rows as there are. */
export function evaluate(logProba: Matrix, truth: Truth, on: string): Evaluation {
  const rows = truth.codes.length;
  const accuracy = meanAccuracy(logProba, truth);
  const { low, high } = wilsonInterval(Math.round(accuracy * rows), rows);
  return { on, rows, accuracy, interval: [low, high], logLoss: meanLogLoss(logProba, truth) };
}

/** The sentence that tells how rows were judged. */
export const byFolds = (chosen: boolean): string =>
  `five folds of the training rows, each judged by what the others taught${
    chosen ? '; models were chosen by the same folds' : ''
  }`;
