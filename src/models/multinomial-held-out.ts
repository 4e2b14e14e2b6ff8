import { holdOut } from '../core/held-out.ts';
import { scoreLinear } from '../core/linear.ts';
import { type ClassPrior, type Prior, type Pseudo, pseudoAt, pseudoCount, pseudoSum } from '../core/prior.ts';
import { type Batch, toSparse } from '../data/batch.ts';
import { remainder } from '../math/arrays.ts';
import { logRatio } from '../math/logs.ts';
import type { Sums } from '../stats/sums.ts';
import { dice, rolls } from './dice.ts';

/** Scores every row without itself, under pseudo-counts. */
export function diceLeaveOneOut(
  stats: Sums,
  { prior, classPrior }: { readonly prior: Prior; readonly classPrior?: ClassPrior },
  batch: Batch,
  out: Float64Array,
): void {
  const { classes, n } = stats;
  const k = pseudoCount(prior);
  scoreLinear({ classes, logPrior: new Float64Array(classes), weights: dice(stats, k) }, batch, out);
  holdOut(n, classPrior, batch, out, ownLikelihood(stats, k, batch));
}

/** ln p(xᵢ | yᵢ) without row i: its own words and their number go. */
function ownLikelihood({ classes, features, s }: Sums, k: Pseudo, batch: Batch): (i: number) => number {
  const { indptr, indices, values } = toSparse(batch);
  const { y, w } = batch;
  const totals = Float64Array.from({ length: classes }, (_, c) => rolls(s, features, c));
  const pseudo = totals.map((_, c) => pseudoSum(k, features, c));
  return (i) => {
    let words = 0;
    for (let f = indptr[i]; f < indptr[i + 1]; f++) words += values[f];
    const total = remainder(totals[y[i]], w[i] * words) + pseudo[y[i]];
    let own = 0;
    for (let f = indptr[i]; f < indptr[i + 1]; f++) {
      const left = remainder(s[y[i] * features + indices[f]], w[i] * values[f]);
      own += values[f] * logRatio(left + pseudoAt(k, features, y[i], indices[f]), total);
    }
    return own;
  };
}
