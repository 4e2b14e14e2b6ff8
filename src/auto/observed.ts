import { Matrix } from '../data/matrix.ts';
import { logSoftmaxInto } from '../math/logs.ts';

/**
 * How many cells a row ordinarily has: all but one row in twenty have as many. What is fitted to these rows holds in full for rows that
 * are as complete.
 */
export function ordinaryCount(counts: ArrayLike<number>): number {
  const sorted = Float64Array.from(counts).sort();
  return sorted[Math.floor(0.05 * sorted.length)] ?? 0;
}

/** The share of what a row ordinarily has that it does have, at most 1; 0 where it has nothing. */
export const observedShare = (count: number, ordinary: number): number =>
  count === 0 ? 0 : Math.min(1, count / ordinary);

/** What is said of rows, by how much of them is observed. */
export interface Blend {
  /** ln p(c | x) as fitted. */
  readonly full: Matrix;
  /** The share of its cells that each row has. */
  readonly shares: ArrayLike<number>;
  /** ln p(c), for rows without any cell; where it is not known, `bare` answers for them. */
  readonly logPrior: Float64Array | undefined;
  /** ln p(c | x) of some rows by the models alone. */
  bare(rows: Int32Array): Matrix;
}

/**
 * What is fitted on top of models (weights that do not add up to one, biases, heavy tails, calibration curves) is fitted to rows with
 * most of their cells. Of a row that has the share r of them,
 *
 *   ln p = r ln p_full + (1 − r) ln p_bare + const                                           (1)
 *
 * with `full` as fitted and `bare` from the models alone, which integrate missing cells out. A row without any cell gets the prior,
 * and a complete one `full` to the bit.
 */
export function blendRows({ full, shares, logPrior, bare }: Blend): Matrix {
  const { rows, cols } = full;
  const partial = Int32Array.from({ length: rows }, (_, i) => i).filter((i) => !(shares[i] >= 1));
  if (partial.length === 0) return full;
  const out = new Matrix(rows, cols, full.data.slice());
  const own = bare(partial);
  partial.forEach((i, k) => {
    const share = shares[i];
    const row = out.row(i);
    if (share === 0) {
      row.set(logPrior ?? own.row(k));
      return;
    }
    for (let c = 0; c < cols; c++) row[c] = share * row[c] + (1 - share) * own.at(k, c);
    logSoftmaxInto(out.data, i * cols, cols, out.data);
  });
  return out;
}
