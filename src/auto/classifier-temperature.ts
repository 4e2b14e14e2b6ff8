import type { Matrix } from '../data/matrix.ts';
import { logSoftmaxInto } from '../math/logs.ts';

const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** ln β lies within this, and is told to this. */
const WIDEST = 7;
const NARROW = 1e-5;

/**
 * Temperature scaling under a prior: the β of the most probable softmax(β L),
 *
 *   minimise −Σᵢ wᵢ ln softmax(β Lᵢ)[yᵢ] + ½ (ln β)²                                          (1)
 *
 * found by golden section in ln β. Where classes part without error, likelihood alone would make answers ever surer; ln β ~
 * N(0, 1) is worth about one row, and keeps them as sure as the model is. Guo, Pleiss, Sun & Weinberger (2017), §4.2.
 */
export function likelyTemperature({ cols, data }: Matrix, codes: Int32Array, weights?: Float64Array): number {
  const row = new Float64Array(cols);
  const cost = (t: number): number => {
    const beta = Math.exp(t);
    let loss = 0;
    for (let i = 0; i < codes.length; i++) {
      for (let c = 0; c < cols; c++) row[c] = beta * data[i * cols + c];
      logSoftmaxInto(row, 0, cols, row);
      loss -= (weights ? weights[i] : 1) * row[codes[i]];
    }
    return loss + (t * t) / 2;
  };
  let [low, high] = [-WIDEST, WIDEST];
  let [left, right] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
  let [atLeft, atRight] = [cost(left), cost(right)];
  while (high - low > NARROW) {
    if (atLeft <= atRight) {
      [high, right, atRight] = [right, left, atLeft];
      left = high - GOLDEN * (high - low);
      atLeft = cost(left);
    } else {
      [low, left, atLeft] = [left, right, atRight];
      right = low + GOLDEN * (high - low);
      atRight = cost(right);
    }
  }
  return Math.exp((low + high) / 2);
}
