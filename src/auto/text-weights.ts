import { cholesky, solve } from '../math/cholesky.ts';
import { logSoftmaxInto } from '../math/logs.ts';

/** Weights ≥ 0 of the scorers and a bias per class. */
export interface PoolWeights {
  readonly weights: Float64Array;
  readonly bias: Float64Array;
}

/** Scores of the same rows by several scorers, row-major, the class of each row, and the rows to learn from. */
export interface PoolProblem {
  readonly scores: readonly Float64Array[];
  readonly y: Int32Array;
  readonly classes: number;
  readonly rows: Uint32Array;
}

/**
 * What the loss adds per squared bias, and per squared weight of scores of spread 1: it makes the optimum unique. A prior
 * weighs less, the more rows there are.
 */
export const ridgeOf = (rows: number) => ({ bias: Math.max(1e-3, 1 / rows), weight: 1 / rows });

/** Up to so many classes the curvature between biases is kept; beyond, its diagonal alone. */
const MOST_CLASSES = 64;
const MOST_ROUNDS = 60;

/** One over the spread of the scores within rows: a common unit for scorers whose scores differ by orders of magnitude. */
function unitOf(score: Float64Array, { classes, rows }: PoolProblem): number {
  let square = 0;
  for (const i of rows) {
    let mean = 0;
    for (let c = 0; c < classes; c++) mean += score[i * classes + c] / classes;
    for (let c = 0; c < classes; c++) square += (score[i * classes + c] - mean) ** 2;
  }
  return square > 0 ? 1 / Math.sqrt(square / (rows.length * classes)) : 1;
}

/** L[c] = Σ_m w_m S_m[i,c] + b[c] of one row. */
export function poolRow(scores: readonly Float64Array[], at: PoolWeights, i: number, out: Float64Array): void {
  const classes = at.bias.length;
  out.set(at.bias);
  for (let m = 0; m < scores.length; m++) {
    const [weight, score] = [at.weights[m], scores[m]];
    if (weight !== 0) for (let c = 0; c < classes; c++) out[c] += weight * score[i * classes + c];
  }
}

/** The point as one list: weights in units of the spread, then biases. */
interface Search extends PoolProblem {
  readonly units: Float64Array;
}

const split = ({ units, scores }: Search, point: Float64Array): PoolWeights => ({
  weights: units.map((unit, m) => unit * point[m]),
  bias: point.slice(scores.length),
});

interface Bend {
  readonly logLoss: number;
  readonly loss: number; // with the ridge
  readonly slope: Float64Array;
  readonly curve: Float64Array; // the lower triangle is filled
}

/** Adds what one row with probabilities p says about slope and curvature; z are its scores in units, member by member. */
function addRow(
  { slope, curve }: Pick<Bend, 'slope' | 'curve'>,
  p: Float64Array,
  z: Float64Array,
  truth: number,
  members: number,
): void {
  const classes = p.length;
  const size = members + classes;
  const full = classes <= MOST_CLASSES;
  for (let m = 0; m < members; m++) {
    let mean = 0;
    for (let c = 0; c < classes; c++) mean += p[c] * z[m * classes + c];
    slope[m] += mean - z[m * classes + truth];
    for (let c = 0; c < classes; c++) {
      const pull = p[c] * (z[m * classes + c] - mean);
      if (full) curve[(members + c) * size + m] += pull;
      for (let o = 0; o <= m; o++) curve[m * size + o] += pull * z[o * classes + c];
    }
  }
  for (let c = 0; c < classes; c++) {
    const from = (members + c) * size + members;
    slope[members + c] += p[c] - (c === truth ? 1 : 0);
    curve[from + c] += p[c];
    if (full) for (let d = 0; d <= c; d++) curve[from + d] -= p[c] * p[d];
  }
}

/** Mean of −ln p(yᵢ | xᵢ) plus the ridge, its slope and its curvature at a point. */
function bendAt(search: Search, point: Float64Array): Bend {
  const { scores, y, classes, rows, units } = search;
  const size = point.length;
  const bend = { slope: new Float64Array(size), curve: new Float64Array(size * size) };
  const [p, z] = [new Float64Array(classes), new Float64Array(scores.length * classes)];
  const at = split(search, point);
  let loss = 0;
  for (const i of rows) {
    poolRow(scores, at, i, p);
    logSoftmaxInto(p, 0, classes, p);
    loss -= p[y[i]];
    for (let c = 0; c < classes; c++) p[c] = Math.exp(p[c]);
    scores.forEach((score, m) => {
      for (let c = 0; c < classes; c++) z[m * classes + c] = units[m] * score[i * classes + c];
    });
    addRow(bend, p, z, y[i], scores.length);
  }
  loss /= rows.length;
  const logLoss = loss;
  const prior = ridgeOf(rows.length);
  for (let place = 0; place < size; place++) {
    const ridge = 2 * (place < scores.length ? prior.weight : prior.bias);
    loss += (ridge / 2) * point[place] ** 2;
    bend.slope[place] = bend.slope[place] / rows.length + ridge * point[place];
    for (let other = 0; other <= place; other++) bend.curve[place * size + other] /= rows.length;
    bend.curve[place * size + place] += ridge;
  }
  return { logLoss, loss, ...bend };
}

/** The Newton step of the places that are free to move; weights that rest at 0 and would fall below it stay. */
function stepOf({ slope, curve }: Bend, point: Float64Array, members: number): Float64Array {
  const size = point.length;
  const free = [...point.keys()].filter((place) => place >= members || point[place] > 0 || slope[place] < 0);
  const part = new Float64Array(free.length * free.length);
  free.forEach((place, a) => {
    for (let b = 0; b <= a; b++) part[a * free.length + b] = curve[place * size + free[b]];
  });
  const factor = cholesky(part, free.length);
  const pull = Float64Array.from(free, (place) => -slope[place]);
  const solved = factor.ok ? solve(factor, pull) : pull;
  const step = new Float64Array(size);
  free.forEach((place, a) => {
    step[place] = solved[a];
  });
  return step;
}

/** A step of this size, with weights that would fall below 0 put to 0. */
const moved = (point: Float64Array, step: Float64Array, size: number, members: number) =>
  point.map((value, place) => {
    const next = value + size * step[place];
    return place < members && next < 0 ? 0 : next;
  });

/**
 * The log-linear pool: the weights w ≥ 0 and biases b that minimise the mean of −ln softmax(Σ_m w_m S_m + b)[y] and a small
 * ridge, by Newton's steps projected on w ≥ 0 (Bertsekas, Projected Newton Methods, SIAM J. Control 20 (1982)). The loss is
 * convex and the ridge makes it strictly so: there is one answer, and where a weight is not 0 its slope is.
 * Genest & Zidek, Combining Probability Distributions (1986), §3.
 */
export function fitPool(
  problem: PoolProblem,
  { start, tolerance = 1e-14 }: { readonly start?: PoolWeights; readonly tolerance?: number } = {},
): PoolWeights & { readonly logLoss: number } {
  const members = problem.scores.length;
  const search: Search = { ...problem, units: Float64Array.from(problem.scores, (score) => unitOf(score, problem)) };
  let point: Float64Array = new Float64Array(members + problem.classes).fill(1 / members, 0, members);
  if (start) {
    point.set(start.weights.map((weight, m) => weight / search.units[m]));
    point.set(start.bias, members);
  }
  let bend = bendAt(search, point);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const step = stepOf(bend, point, members);
    let [size, next, there] = [2, point, bend];
    do {
      size /= 2;
      next = moved(point, step, size, members);
      there = bendAt(search, next);
    } while (!(there.loss <= bend.loss) && size > 1e-6);
    if (!(there.loss <= bend.loss)) break;
    const gain = bend.loss - there.loss;
    [point, bend] = [next, there];
    if (gain <= tolerance * Math.abs(bend.loss)) break;
  }
  return { ...split(search, point), logLoss: bend.logLoss };
}
