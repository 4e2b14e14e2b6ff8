import { Matrix } from '../data/matrix.ts';
import { cholesky, solve } from '../math/cholesky.ts';
import { logSoftmaxInto } from '../math/logs.ts';
import { type Belief, type Bend, bendAt, type PoolProblem, spreadOf } from './pool-bend.ts';

/** A log-linear pool: how much each member's opinion counts, and a bias for each class. */
export interface Pool {
  readonly weights: Float64Array;
  readonly bias: Float64Array;
}

/** A fitted pool and its mean log-loss on the rows it was fitted to. */
export interface FittedPool extends Pool {
  readonly logLoss: number;
  /** The same with what the prior adds. */
  readonly loss: number;
}

/** What is believed of weights before any row: the loss of N rows grows by strength · (weight · unit − centre)². */
export interface WeightPrior {
  readonly strength: number;
  readonly centre: number;
  /** In what a weight is measured: as it is, or times the spread of the member's scores. */
  readonly unit: 'one' | 'spread';
}

/** How a pool is fitted. */
export interface PoolOptions {
  readonly prior: WeightPrior;
  /** A bias for each class beside the weights. */
  readonly bias?: boolean | undefined;
  /** Where the search begins, perhaps a pool of the first of the members; the answer does not depend on it. */
  readonly start?: Pool | undefined;
  /** The search ends when a step lowers the loss by no more than this share of it. */
  readonly tolerance?: number | undefined;
}

const MOST_ROUNDS = 60;

/** What the mean loss adds per squared bias; the more rows there are, the less a prior weighs. */
export const biasRidge = (rows: number) => Math.max(1e-3, 1 / rows);

function beliefOf(units: Float64Array, rows: number, classes: number, { prior, bias }: PoolOptions): Belief {
  const one = prior.unit === 'one';
  const biases = new Array<number>(bias ? classes : 0);
  return {
    centre: Float64Array.of(...units.map((unit) => prior.centre * (one ? unit : 1)), ...biases.fill(0)),
    stiffness: Float64Array.of(
      ...units.map((unit) => prior.strength / rows / (one ? unit * unit : 1)),
      ...biases.fill(biasRidge(rows)),
    ),
  };
}

/** The Newton step of the places that are free to move; weights that rest at 0 and would fall below it stay. */
function stepOf({ slope, curve }: Bend, point: Float64Array, members: number): Float64Array {
  const size = point.length;
  const free = [...point.keys()].filter((k) => k >= members || point[k] > 0 || slope[k] < 0);
  const part = new Float64Array(free.length * free.length);
  free.forEach((k, a) => {
    for (let b = 0; b <= a; b++) part[a * free.length + b] = curve[k * size + free[b]];
  });
  const factor = cholesky(part, free.length);
  const pull = Float64Array.from(free, (k) => -slope[k]);
  const solved = factor.ok ? solve(factor, pull) : pull;
  const step = new Float64Array(size);
  free.forEach((k, a) => {
    step[k] = solved[a];
  });
  return step;
}

/** A step of this size, with weights that would fall below 0 put to 0. */
const moved = (point: Float64Array, step: Float64Array, size: number, members: number) =>
  point.map((value, k) => {
    const next = value + size * step[k];
    return k < members && next < 0 ? 0 : next;
  });

/** Newton's steps projected on weights ≥ 0, each halved until it helps. */
function descend(bendOf: (point: Float64Array) => Bend, start: Float64Array, members: number, tolerance: number) {
  let point = start;
  let bend = bendOf(point);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const step = stepOf(bend, point, members);
    let [size, next, there] = [2, point, bend];
    do {
      size /= 2;
      next = moved(point, step, size, members);
      there = bendOf(next);
    } while (!(there.loss <= bend.loss) && size > 1e-6);
    if (!(there.loss <= bend.loss)) break;
    const gain = bend.loss - there.loss;
    [point, bend] = [next, there];
    if (gain <= tolerance * Math.abs(bend.loss)) break;
  }
  return { point, bend };
}

/**
 * The log-linear opinion pool of several classifiers,
 *
 *   L[i,c] = Σₘ wₘ Sₘ[i,c] + b[c],   p(c | xᵢ) = softmax(L[i])                                (1)
 *   minimise −(1/N) Σᵢ ln p(yᵢ | xᵢ) + (s/N) Σₘ (uₘ wₘ − a)² + r ‖b‖²   under w ≥ 0           (2)
 *
 * with scores S of rows that the members have not learned from. It is convex, and strictly so by the prior: there is one
 * answer, and where a weight is not 0 its slope is. One member without bias is temperature scaling. Solved by projected Newton
 * steps (Bertsekas, Projected Newton Methods, SIAM J. Control 20, 1982). Genest & Zidek, Combining Probability Distributions,
 * Statistical Science 1 (1986), §3.
 */
export function fitPool(problem: PoolProblem, options: PoolOptions): FittedPool {
  const { scores, classes, rows } = problem;
  const { bias = false, start, tolerance = 1e-14 } = options;
  const members = scores.length;
  const units = Float64Array.from(scores, (score) => spreadOf(score, problem));
  const belief = beliefOf(units, rows.length, classes, options);
  const first = new Float64Array(members + (bias ? classes : 0)).fill(1 / members, 0, members);
  if (start) {
    first.fill(0, 0, members);
    first.set(start.weights.map((weight, m) => weight * units[m]));
    if (bias) first.set(start.bias, members);
  }
  const { point, bend } = descend((at) => bendAt(problem, units, belief, at), first, members, tolerance);
  const own = new Float64Array(classes);
  if (bias) own.set(point.subarray(members));
  const weights = units.map((unit, m) => point[m] / unit);
  return { weights, bias: own, logLoss: bend.logLoss, loss: bend.loss };
}

/** L[c] = Σₘ wₘ Sₘ[i,c] + b[c] of one row. */
export function poolRow(scores: readonly Float64Array[], { weights, bias }: Pool, i: number, out: Float64Array): void {
  const classes = bias.length;
  out.set(bias);
  for (let m = 0; m < scores.length; m++) {
    const [weight, score] = [weights[m], scores[m]];
    if (weight !== 0) for (let c = 0; c < classes; c++) out[c] += weight * score[i * classes + c];
  }
}

/** ln p(c | x) of the pool, or of the pool of each row, from the scores of its members. */
export function applyPool(pool: Pool | ((i: number) => Pool), scores: readonly Matrix[]): Matrix {
  const { rows, cols } = scores[0];
  const out = new Matrix(rows, cols);
  const data = scores.map((own) => own.data);
  for (let i = 0; i < rows; i++) {
    poolRow(data, typeof pool === 'function' ? pool(i) : pool, i, out.row(i));
    logSoftmaxInto(out.data, i * cols, cols, out.data);
  }
  return out;
}
