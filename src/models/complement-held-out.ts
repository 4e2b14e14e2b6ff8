import { pseudoAt, pseudoCount } from '../core/prior.ts';
import { type Batch, toSparse } from '../data/batch.ts';
import { remainder, sum } from '../math/arrays.ts';
import type { Sums } from '../stats/sums.ts';
import { type ComplementCounts, type ComplementOptions, complementCounts, complementWeight } from './complement.ts';

/** Scores every row without itself: its words are rarer in the complement of every class but its own. */
export function complementLeaveOneOut(
  stats: Sums,
  { prior, norm = false }: ComplementOptions,
  batch: Batch,
  out: Float64Array,
): void {
  const counts = complementCounts(stats, pseudoCount(prior));
  if (norm) holdOutShares(counts, batch, out);
  else holdOutScores(counts, batch, out);
}

/** Scores of rows by counts that they have left: Σ x w = Σ x ln total − Σ x ln count. */
function holdOutScores(counts: ComplementCounts, batch: Batch, out: Float64Array): void {
  const { classes, features, k, words, others, totals } = counts;
  const { indptr, indices, values } = toSparse(batch);
  const { rows, y, w } = batch;
  const spoken = new Float64Array(classes);
  for (let i = 0; i < rows; i++) {
    const logs = out.subarray(i * classes, (i + 1) * classes).fill(0);
    spoken.fill(0);
    for (let f = indptr[i]; f < indptr[i + 1]; f++) {
      const [j, x] = [indices[f], values[f]];
      const known = remainder(words[j], w[i] * x) > 0;
      for (let c = 0; c < classes; c++) {
        const count = remainder(others[j * classes + c], c === y[i] ? 0 : w[i] * x) + pseudoAt(k, features, c, j);
        if (!known && count === 0) continue;
        spoken[c] += x;
        logs[c] += x * Math.log(count);
      }
    }
    const length = sum(values, indptr[i], indptr[i + 1] - indptr[i]);
    for (let c = 0; c < classes; c++) {
      const total = c === y[i] ? totals[c] : remainder(totals[c], w[i] * length);
      logs[c] = total > 0 ? spoken[c] * Math.log(total) - logs[c] : length * Math.log(features);
    }
  }
}

/** The same for normalised weights: their sum over all words changes along with the words of the row. */
function holdOutShares(counts: ComplementCounts, batch: Batch, out: Float64Array): void {
  const { classes, features, k, others, totals } = counts;
  const { indptr, indices, values } = toSparse(batch);
  const { rows, y, w } = batch;
  const scales = Array.from({ length: classes }, (_, c) => scaleOf(counts, c));
  for (let i = 0; i < rows; i++) {
    const length = sum(values, indptr[i], indptr[i + 1] - indptr[i]);
    for (let c = 0; c < classes; c++) {
      const leaving = c === y[i] ? 0 : w[i];
      const total = remainder(totals[c], leaving * length);
      let { logs, zeros } = scales[c];
      let score = 0;
      let infinite = 0;
      for (let f = indptr[i]; f < indptr[i + 1]; f++) {
        const pseudo = pseudoAt(k, features, c, indices[f]);
        const before = others[indices[f] * classes + c];
        const count = remainder(before, leaving * values[f]) + pseudo;
        zeros += Number(count === 0) - Number(before + pseudo === 0);
        logs += logOrZero(count) - logOrZero(before + pseudo);
        if (count > 0) score += values[f] * complementWeight(count, total, features);
        else infinite += values[f];
      }
      // By Jensen's inequality the sum of weights is at least V ln V, so that it is zero for a single feature alone.
      const share = features === 1 ? length : score / (features * Math.log(total) - logs);
      out[i * classes + c] = zeros > 0 ? infinite / zeros : share;
    }
  }
}

const logOrZero = (count: number) => (count > 0 ? Math.log(count) : 0);

/** Σⱼ ln(others + k) over the cells that are not zero, and how many are. */
function scaleOf({ classes, features, k, others }: ComplementCounts, c: number): { logs: number; zeros: number } {
  const cells = Float64Array.from(
    { length: features },
    (_, j) => others[j * classes + c] + pseudoAt(k, features, c, j),
  );
  const zeros = cells.reduce((number, count) => number + Number(count === 0), 0);
  return { logs: sum(cells.map(logOrZero)), zeros };
}
