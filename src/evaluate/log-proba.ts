import type { Matrix } from '../data/matrix.ts';
import { argmax, sum } from '../math/arrays.ts';
import { selectRows } from './rows.ts';

/** The class of each row as a number, and the weight of each row; without weights every row counts once. */
export interface Truth {
  readonly codes: Int32Array;
  readonly weights?: Float64Array | undefined;
}

/** Some of the labelled rows. */
export function takeTruth({ codes, weights }: Truth, rows: ArrayLike<number>): Truth {
  return { codes: selectRows(codes, rows), weights: weights && selectRows(weights, rows) };
}

/** The same rows with class weights as further weights. */
export function weighClasses({ codes, weights }: Truth, factors: Float64Array | undefined): Truth {
  if (!factors) return { codes, weights };
  return { codes, weights: Float64Array.from(codes, (c, i) => (weights?.[i] ?? 1) * factors[c]) };
}

/** −ln 1e-15, the largest loss of a row. */
const MAX_LOSS = -Math.log(1e-15);

/** The weighted mean of −ln p(y | x). */
export function meanLogLoss({ cols, data }: Matrix, { codes, weights }: Truth): number {
  let loss = 0;
  for (let i = 0; i < codes.length; i++) {
    loss += (weights ? weights[i] : 1) * Math.min(MAX_LOSS, -data[i * cols + codes[i]]);
  }
  return loss / (weights ? sum(weights) : codes.length);
}

/** The weighted share of rows whose most probable class is their own. */
export function meanAccuracy({ cols, data }: Matrix, { codes, weights }: Truth): number {
  let right = 0;
  for (let i = 0; i < codes.length; i++) {
    if (argmax(data, i * cols, cols) === codes[i]) right += weights ? weights[i] : 1;
  }
  return right / (weights ? sum(weights) : codes.length);
}
