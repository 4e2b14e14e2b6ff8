import { Matrix } from '../data/matrix.ts';
import { logSoftmaxInto } from '../math/logs.ts';
import { Problem } from './pool-problem.ts';

/** A log-linear pool: how much each member's opinion counts, and a bias for each class. */
export interface Pool {
  readonly weights: Float64Array;
  readonly bias: Float64Array;
}

/** How a pool is fitted. */
export interface PoolOptions {
  /** A bias for each class beside the weights. */
  readonly bias?: boolean | undefined;
  /** Strength of the penalty r ‖b‖² on the biases, per row. */
  readonly ridge?: number | undefined;
}

/** A fitted pool and its mean log-loss on the rows it was fitted to. */
export interface FittedPool extends Pool {
  readonly logLoss: number;
}

const MOST_STEPS = 60;
const ENOUGH = 1e-9;

/**
 * The log-linear opinion pool of several classifiers,
 *
 *   L[i,c] = Σₘ wₘ Sₘ[i,c] + b[c],   p(c | xᵢ) = softmax(L[i])                                (1)
 *   minimise −(1/N) Σᵢ ln p(yᵢ | xᵢ) + r ‖b‖² + (0.1/N) Σₘ wₘ²   under w ≥ 0                (2)
 *
 * with scores Sₘ = ln pₘ(c | x) of rows that the members have not learned from; the last term keeps weights finite where the
 * classes part without error. It is convex; one member and no bias is
 * temperature scaling. Solved by projected Newton steps (Bertsekas, Projected Newton Methods, SIAM J. Control 20, 1982) with
 * halving. Genest & Zidek, Combining Probability Distributions, Statistical Science 1 (1986), §3.
 */
export function fitPool(scores: readonly Matrix[], codes: Int32Array, options: PoolOptions = {}): FittedPool {
  const problem = new Problem(scores, codes, options);
  let at = problem.start();
  let now = problem.evaluate(at);
  for (let step = 0; step < MOST_STEPS; step++) {
    const direction = problem.direction(at, now);
    const next = descend(problem, at, now.value, direction);
    if (!next) break;
    const gain = now.value - next.value;
    at = next.at;
    if (gain < ENOUGH) break;
    now = problem.evaluate(at);
  }
  return { ...problem.unscale(at), logLoss: problem.value(at, false) };
}

/** The first point along a direction, kept within w ≥ 0, that is lower; halving the step. */
function descend(problem: Problem, at: Float64Array, value: number, direction: Float64Array) {
  for (let size = 1; size > 1e-10; size /= 2) {
    const next = at.map((x, k) =>
      problem.isWeight(k) ? Math.max(0, x - size * direction[k]) : x - size * direction[k],
    );
    const reached = problem.value(next);
    if (reached < value) return { at: next, value: reached };
  }
  return undefined;
}

/** ln p(c | x) of the pool, from the scores of its members. */
export function applyPool({ weights, bias }: Pool, scores: readonly Matrix[]): Matrix {
  const { rows, cols } = scores[0];
  const out = new Matrix(rows, cols);
  for (let i = 0; i < rows; i++) {
    const row = out.row(i);
    row.set(bias);
    scores.forEach(({ data }, m) => {
      if (weights[m] !== 0) for (let c = 0; c < cols; c++) row[c] += weights[m] * data[i * cols + c];
    });
    logSoftmaxInto(out.data, i * cols, cols, out.data);
  }
  return out;
}
