import { Matrix } from '../data/matrix.ts';
import { argmax } from '../math/arrays.ts';
import { type FittedPool, fitPool } from './pool.ts';

/** A pool of some of the members, by their numbers. */
export interface ChosenPool extends FittedPool {
  readonly members: readonly number[];
}

/** How pools are chosen. */
export interface ChoosePoolOptions {
  /** The most members a pool may have. */
  readonly most?: number | undefined;
  /** Stops the work. */
  readonly check?: (() => void) | undefined;
}

/** By how many nats, over all rows, a further parameter must lower the loss: Akaike's one, and one more for having searched. */
const PRICE = 2;

/**
 * Chooses a pool step by step: the best member alone, then whichever lowers the out-of-fold log-loss most, as long as it earns
 * its parameter; biases of the classes at last, if they earn theirs.
 */
export function choosePool(scores: readonly Matrix[], codes: Int32Array, options: ChoosePoolOptions = {}): ChosenPool {
  const { most = 4, check = () => {} } = options;
  const rows = codes.length;
  const poolOf = (members: readonly number[], bias = false): ChosenPool => {
    check();
    return {
      members,
      ...fitPool(
        members.map((m) => scores[m]),
        codes,
        { bias },
      ),
    };
  };
  let best = least([...scores.keys()].map((m) => poolOf([m])));
  while (best.members.length < Math.min(most, scores.length)) {
    const others = [...scores.keys()].filter((m) => !best.members.includes(m));
    const next = least(others.map((m) => poolOf([...best.members, m])));
    if ((best.logLoss - next.logLoss) * rows < PRICE) break;
    best = next;
  }
  const biased = poolOf(best.members, true);
  const parameters = scores[0].cols - 1;
  return (best.logLoss - biased.logLoss) * rows > PRICE * parameters ? biased : best;
}

function least(pools: readonly ChosenPool[]): ChosenPool {
  return pools.reduce((best, pool) => (pool.logLoss < best.logLoss ? pool : best));
}

/** The share of rows whose most probable class is theirs. */
export function accuracyOf({ rows, cols, data }: Matrix, codes: Int32Array): number {
  let right = 0;
  for (let i = 0; i < rows; i++) if (argmax(data, i * cols, cols) === codes[i]) right++;
  return right / rows;
}

/** The mean of −ln p(y | x), each at most −ln 1e-15. */
export function logLossOf({ rows, cols, data }: Matrix, codes: Int32Array): number {
  let loss = 0;
  for (let i = 0; i < rows; i++) loss -= Math.max(Math.log(1e-15), data[i * cols + codes[i]]);
  return loss / rows;
}

/** Some rows of a matrix. */
export function takeRowsOf({ cols, data }: Matrix, rows: ArrayLike<number>): Matrix {
  const out = new Matrix(rows.length, cols);
  for (let i = 0; i < rows.length; i++) out.row(i).set(data.subarray(rows[i] * cols, (rows[i] + 1) * cols));
  return out;
}
