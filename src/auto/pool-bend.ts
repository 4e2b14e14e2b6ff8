import { argmax } from '../math/arrays.ts';

/** Scores of the same rows by several members, row-major, the class of each row, and the rows to learn from. */
export interface PoolProblem {
  readonly scores: readonly Float64Array[];
  readonly y: Int32Array;
  readonly classes: number;
  readonly rows: ArrayLike<number>;
  /** How much each of all rows counts; one without it, and one on average with it. */
  readonly weights?: Float64Array | undefined;
}

/** A Gaussian belief about every coordinate: the loss grows by stiffness · (coordinate − centre)². */
export interface Belief {
  readonly centre: Float64Array;
  readonly stiffness: Float64Array;
}

/** The loss at a point, its slope and its curvature. */
export interface Bend {
  /** The mean of −ln p(yᵢ | xᵢ). */
  readonly logLoss: number;
  /** The same with what beliefs add. */
  readonly loss: number;
  readonly slope: Float64Array;
  readonly curve: Float64Array; // the lower triangle is filled
}

/** Up to so many classes the curvature between biases is kept; beyond, its diagonal alone. */
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

/** One row: its class, its weight, the probabilities of classes, and the scores in units, member by member. */
interface Row {
  truth: number;
  weight: number;
  readonly p: Float64Array;
  readonly z: Float64Array;
}

/** Adds what one row says about slope and curvature. */
function addRow({ slope, curve }: Bend, { truth, weight, p, z }: Row, members: number): void {
  const classes = p.length;
  const size = slope.length;
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

/** Adds the beliefs to sums over rows, which become means. */
function settle({ slope, curve, ...sums }: Bend, rows: number, point: Float64Array, belief: Belief): Bend {
  const size = slope.length;
  const logLoss = sums.logLoss / rows;
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

/** Scores to probabilities, in place; answers −ln p of the true class. The greatest stays out of the sum, for its digits. */
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
  const bend = { logLoss: 0, loss: 0, slope: new Float64Array(size), curve: new Float64Array(size * size) };
  const [p, z] = [new Float64Array(classes), new Float64Array(members * classes)];
  const scales = units.map((unit) => 1 / unit);
  const row: Row = { truth: 0, weight: 1, p, z };
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
    row.truth = y[i];
    if (weights) row.weight = weights[i];
    bend.logLoss += row.weight * toShares(p, y[i]);
    addRow(bend, row, members);
  }
  return settle(bend, rows.length, point, belief);
}
