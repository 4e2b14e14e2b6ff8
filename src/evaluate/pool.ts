import { Matrix } from '../data/matrix.ts';
import { argmax } from '../math/arrays.ts';
import { cholesky, solve } from '../math/cholesky.ts';
import { logSoftmaxInto } from '../math/logs.ts';

/**
 * The weight of layers that are fitted on top of models: unnormalised weights, biases, heavy tails, calibration curves. These are fitted to
 * rows with most of their cells present, whereas the models integrate missing cells out. With r the share of the usual number of cells that
 * a row has, each layer gives
 *
 *   ln p = r ln p_fitted + (1 − r) ln p_before + const                                           (1)
 *
 * so that a complete row gets exactly the fitted value, and a row without any cell the class prior.
 */
const observedShare = (count: number, ordinary: number): number => (count === 0 ? 0 : Math.min(1, count / ordinary));

/** The usual number of cells of a row: 95 % of the rows have at least as many. */
export function ordinaryCount(counts: ArrayLike<number>): number {
  const sorted = Float64Array.from(counts).sort();
  return sorted[Math.floor(0.05 * sorted.length)] ?? 0;
}

/** The share of each of some rows, of which `present` counts the cells; 1 where it is not known how many are usual. */
export function observedShares(rows: number, present: () => Float64Array, ordinary: number | undefined): Float64Array {
  if (ordinary === undefined) return new Float64Array(rows).fill(1);
  return present().map((count) => observedShare(count, ordinary));
}

/** Puts the class prior, where it is known, in the place of what is said of rows without any cell. */
export function withPrior(logProba: Matrix, shares: ArrayLike<number>, logPrior: Float64Array | undefined): Matrix {
  for (let i = 0; logPrior && i < logProba.rows; i++) if (shares[i] === 0) logProba.row(i).set(logPrior);
  return logProba;
}

/** Interpolates between the fitted value and the one before by (1); both may be infinite. */
export const between = (share: number, fitted: number, before: number): number =>
  share >= 1 ? fitted : share * fitted + (1 - share) * before;

/** Interpolates between two pools by (1). */
export function poolBetween(share: number, fitted: Pool, before: Pool): Pool {
  if (share >= 1) return fitted;
  return {
    weights: fitted.weights.map((weight, m) => between(share, weight, before.weights[m])),
    bias: fitted.bias.map((value, c) => between(share, value, before.bias[c])),
  };
}

/** Log-probabilities on a curve, by (1). */
export function curveBetween(shares: ArrayLike<number>, fitted: Matrix, before: Matrix): Matrix {
  const { rows, cols } = fitted;
  const out = new Matrix(rows, cols, fitted.data.slice());
  for (let i = 0; i < rows; i++) {
    if (shares[i] >= 1) continue;
    const row = out.row(i);
    if (shares[i] === 0) row.set(before.row(i));
    else for (let c = 0; c < cols; c++) row[c] = between(shares[i], row[c], before.at(i, c));
    logSoftmaxInto(out.data, i * cols, cols, out.data);
  }
  return out;
}

/** Scores of the same rows by several members, row-major, the class of each row, and the rows to learn from. */
export interface PoolProblem {
  readonly scores: readonly Float64Array[];
  readonly y: Int32Array;
  readonly classes: number;
  readonly rows: ArrayLike<number>;
  /** The weight of each row, one on average; one by default. */
  readonly weights?: Float64Array | undefined;
}

/** A Gaussian prior on every coordinate: it adds stiffness · (coordinate − centre)² to the loss. */
export interface Belief {
  readonly centre: Float64Array;
  readonly stiffness: Float64Array;
}

/** The loss at a point, its slope and its curvature. */
export interface Bend {
  /** The mean of −ln p(yᵢ | xᵢ). */
  readonly logLoss: number;
  /** The mean loss including the prior. */
  readonly loss: number;
  readonly slope: Float64Array;
  readonly curve: Float64Array; // the lower triangle is filled
}

/** Up to this many classes the full Hessian of the biases is used; beyond, only its diagonal. */
const MOST_CLASSES = 64;

/** The spread of the scores within rows: a common unit for members whose scores differ by orders of magnitude. */
export function spreadOf(score: Float64Array, { classes, rows }: PoolProblem): number {
  let square = 0;
  for (let at = 0; at < rows.length; at++) {
    const from = rows[at] * classes;
    let mean = 0;
    for (let c = 0; c < classes; c++) mean += score[from + c] / classes;
    for (let c = 0; c < classes; c++) square += (score[from + c] - mean) ** 2;
  }
  return square > 0 ? Math.sqrt(square / (rows.length * classes)) : 1;
}

/** Adds the contribution of one row to gradient and Hessian, from the class probabilities p and the scaled scores z of the members. */
function addRow(
  { slope, curve }: Pick<Bend, 'slope' | 'curve'>,
  p: Float64Array,
  z: Float64Array,
  truth: number,
  weight: number,
): void {
  const classes = p.length;
  const [size, members] = [slope.length, z.length / classes];
  const full = size > members && classes <= MOST_CLASSES;
  for (let m = 0; m < members; m++) {
    const from = m * classes;
    let mean = 0;
    for (let c = 0; c < classes; c++) mean += p[c] * z[from + c];
    slope[m] += weight * (mean - z[from + truth]);
    for (let c = 0; c < classes; c++) {
      const pull = weight * p[c] * (z[from + c] - mean);
      if (full) curve[(members + c) * size + m] += pull;
      for (let o = 0; o <= m; o++) curve[m * size + o] += pull * z[o * classes + c];
    }
  }
  for (let c = 0; c < size - members; c++) {
    const from = (members + c) * size + members;
    slope[members + c] += weight * (p[c] - (c === truth ? 1 : 0));
    curve[from + c] += weight * p[c];
    if (full) for (let d = 0; d <= c; d++) curve[from + d] -= weight * p[c] * p[d];
  }
}

/** Divides the sums over rows by their weight and adds the prior. */
function settle(total: Omit<Bend, 'loss'>, rows: number, point: Float64Array, belief: Belief): Bend {
  const { slope, curve } = total;
  const size = slope.length;
  const logLoss = total.logLoss / rows;
  let loss = logLoss;
  for (let k = 0; k < size; k++) {
    const [stiffness, away] = [belief.stiffness[k], point[k] - belief.centre[k]];
    loss += stiffness * away * away;
    slope[k] = slope[k] / rows + 2 * stiffness * away;
    for (let l = 0; l <= k; l++) curve[k * size + l] /= rows;
    curve[k * size + k] += 2 * stiffness;
  }
  return { logLoss, loss, slope, curve };
}

/** Converts scores to probabilities in place; returns −ln p of the true class. The maximum is left out of the sum to keep its digits. */
function toShares(p: Float64Array, truth: number): number {
  const best = argmax(p);
  const [top, away] = [p[best], p[best] - p[truth]];
  let rest = 0;
  for (let c = 0; c < p.length; c++) {
    p[c] = c === best ? 1 : Math.exp(p[c] - top);
    if (c !== best) rest += p[c];
  }
  for (let c = 0; c < p.length; c++) p[c] /= 1 + rest;
  return away + Math.log1p(rest);
}

/**
 * The mean of −ln softmax(Σ_m v_m S_m / u_m + b)[y] plus beliefs, with slope and curvature, at the point (v, b); a point
 * without b has no biases. `units` are the u.
 */
export function bendAt(problem: PoolProblem, units: Float64Array, belief: Belief, point: Float64Array): Bend {
  const { scores, y, classes, rows, weights } = problem;
  const [members, size] = [scores.length, point.length];
  const sums = { slope: new Float64Array(size), curve: new Float64Array(size * size) };
  const [p, z] = [new Float64Array(classes), new Float64Array(members * classes)];
  const scales = units.map((unit) => 1 / unit);
  let logLoss = 0;
  for (let at = 0; at < rows.length; at++) {
    const i = rows[at];
    for (let c = 0; c < classes; c++) p[c] = size > members ? point[members + c] : 0;
    for (let m = 0; m < members; m++) {
      const [score, scale, weight] = [scores[m], scales[m], point[m]];
      for (let c = 0; c < classes; c++) {
        const own = score[i * classes + c] * scale;
        z[m * classes + c] = own;
        p[c] += weight * own;
      }
    }
    const weight = weights ? weights[i] : 1;
    logLoss += weight * toShares(p, y[i]);
    addRow(sums, p, z, y[i], weight);
  }
  return settle({ logLoss, ...sums }, rows.length, point, belief);
}

/** A log-linear pool: a weight for each member, and a bias for each class. */
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

/** The prior on the weights: it adds strength · (weight · unit − centre)² to the total loss. */
export interface WeightPrior {
  readonly strength: number;
  readonly centre: number;
  /** The unit of a weight: none, or the spread of the member's scores. */
  readonly unit: 'one' | 'spread';
}

/** How a pool is fitted. */
export interface PoolOptions {
  readonly prior: WeightPrior;
  /** A bias for each class beside the weights. */
  readonly bias?: boolean | undefined;
  /** The starting point, which may be a pool of the first members; the result does not depend on it. */
  readonly start?: Pool | undefined;
  /** The search ends when a step lowers the loss by no more than this share of it. */
  readonly tolerance?: number | undefined;
}

const MOST_ROUNDS = 60;

/** The penalty per squared bias in the mean loss. */
export const biasRidge = (rows: number) => Math.max(1e-3, 1 / rows);

function beliefOf(members: number, rows: number, classes: number, { prior, bias }: PoolOptions): Belief {
  const size = members + (bias ? classes : 0);
  return {
    centre: new Float64Array(size).fill(prior.centre, 0, members),
    stiffness: new Float64Array(size).fill(prior.strength / rows, 0, members).fill(biasRidge(rows), members),
  };
}

/** The Newton step of the free coordinates; weights at 0 that would become negative are fixed. */
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

/** Takes a step of this size and clips weights at 0. */
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
 * The log-linear pool of several classifiers,
 *
 *   L[i,c] = Σₘ wₘ Sₘ[i,c] + b[c],   p(c | xᵢ) = softmax(L[i])                                (1)
 *   minimise −(1/N) Σᵢ ln p(yᵢ | xᵢ) + (s/N) Σₘ (uₘ wₘ − a)² + r ‖b‖²   under w ≥ 0           (2)
 *
 * with scores S of rows that the members have not learned from. It is convex, strictly so with the prior, so the minimum is unique. One
 * member without bias is temperature scaling. Solved by projected Newton steps (Bertsekas, Projected Newton Methods, SIAM J. Control 20,
 * 1982). Genest & Zidek, Combining Probability Distributions, Statistical Science 1 (1986), §3.
 */
export function fitPool(problem: PoolProblem, options: PoolOptions): FittedPool {
  const { scores, classes, rows } = problem;
  const { bias = false, start, tolerance = 1e-14 } = options;
  const members = scores.length;
  const units = Float64Array.from(scores, (score) => (options.prior.unit === 'one' ? 1 : spreadOf(score, problem)));
  const belief = beliefOf(members, rows.length, classes, options);
  const first = belief.centre.slice();
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
