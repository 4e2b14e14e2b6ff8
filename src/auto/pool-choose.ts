import { Matrix } from '../data/matrix.ts';
import { type FittedPool, fitPool, type PoolOptions } from './pool.ts';
import type { PoolProblem } from './pool-bend.ts';

/** A pool of some of the members, by their numbers. */
export interface ChosenPool extends FittedPool {
  readonly members: readonly number[];
}

/** How pools are chosen. */
export interface ChoosePoolOptions {
  /** The most members a pool may have. */
  readonly most?: number | undefined;
  /** The rows to choose by; all of them by default. */
  readonly rows?: ArrayLike<number> | undefined;
  /** How much each of all rows counts, one on average. */
  readonly weights?: Float64Array | undefined;
  /** Stops the work. */
  readonly check?: (() => void) | undefined;
}

/** By how many nats, over all rows, a further parameter must lower the loss: as Akaike has it. */
const PRICE = 1;
/** How firmly members are believed to be honest and to share: one that counts twice as much as it should costs ten nats. */
const STRENGTH = 10;
const TOLERANCE = 1e-7;

/** Members whose scores are log-posteriors: their weights are drawn to equal shares of one. */
export const posteriorPool = (members: number): PoolOptions => ({
  prior: { strength: STRENGTH, centre: 1 / members, unit: 'one' },
  tolerance: TOLERANCE,
});

/**
 * Chooses a pool step by step: the best member alone, then whichever lowers the out-of-fold log-loss most, as long as it earns
 * its parameter; biases of the classes at last, if they earn theirs.
 */
export function choosePool(scores: readonly Matrix[], codes: Int32Array, options: ChoosePoolOptions = {}): ChosenPool {
  const { most = 4, rows = codes.map((_, i) => i), weights, check = () => {} } = options;
  const about: Omit<PoolProblem, 'scores'> = { y: codes, classes: scores[0].cols, rows, weights };
  const poolOf = (members: readonly number[], start?: ChosenPool, bias = false): ChosenPool => {
    check();
    const problem = { ...about, scores: members.map((m) => scores[m].data) };
    return { members, ...fitPool(problem, { ...posteriorPool(members.length), bias, start }) };
  };
  const earned = (before: ChosenPool, after: ChosenPool) => (before.loss - after.loss) * rows.length;
  let best = least([...scores.keys()].map((m) => poolOf([m])));
  while (best.members.length < Math.min(most, scores.length)) {
    const others = [...scores.keys()].filter((m) => !best.members.includes(m));
    const next = least(others.map((m) => poolOf([...best.members, m], best)));
    if (earned(best, next) < PRICE) break;
    best = next;
  }
  const biased = poolOf(best.members, best, true);
  return earned(best, biased) > PRICE * (about.classes - 1) ? biased : best;
}

function least(pools: readonly ChosenPool[]): ChosenPool {
  return pools.reduce((best, pool) => (pool.loss < best.loss ? pool : best));
}

/** Some rows of a matrix. */
export function takeRowsOf({ cols, data }: Matrix, rows: ArrayLike<number>): Matrix {
  const out = new Matrix(rows.length, cols);
  for (let i = 0; i < rows.length; i++) out.row(i).set(data.subarray(rows[i] * cols, (rows[i] + 1) * cols));
  return out;
}
