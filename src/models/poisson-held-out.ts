import { holdOut, perClassAndWeight } from '../core/held-out.ts';
import { type Batch, toSparse } from '../data/batch.ts';
import { remainder, sum } from '../math/arrays.ts';
import type { Sums } from '../stats/sums.ts';
import { type PoissonOptions, poisson } from './poisson.ts';
import { counted, logEvents, logFactorial, logRate, logZero, type RatePrior, readPrior } from './poisson-cells.ts';

/** Scores every row without itself. */
export function ratesLeaveOneOut(
  stats: Sums,
  { prior, classPrior }: PoissonOptions,
  batch: Batch,
  out: Float64Array,
): void {
  const rates = poisson.estimate(stats, { prior });
  poisson.score({ ...rates, logPrior: new Float64Array(stats.classes) }, batch, out);
  holdOut(stats.n, classPrior, batch, out, ownLikelihood(stats, prior, batch));
}

/**
 * ln p(xᵢ | yᵢ) without row i. Every rate of the class then comes from one row less: what a row of zeros scores is worked out
 * once per class and weight, and each row corrects it where it has events or gaps.
 */
function ownLikelihood(stats: Sums, prior: RatePrior, batch: Batch): (i: number) => number {
  const { features } = stats;
  const { predictive, ...added } = readPrior(prior);
  const { indptr, indices, values } = toSparse(batch);
  const { y, w } = batch;
  const zeroWithout = (c: number, j: number, weight: number) => {
    const [count, exposure] = counted(stats, added, c, j);
    return logZero(count, remainder(exposure, weight), predictive);
  };
  const allZeros = perClassAndWeight((c, weight) =>
    sum(Float64Array.from({ length: features }, (_, j) => zeroWithout(c, j, weight))),
  );
  return (i) => {
    let own = allZeros(y[i], w[i]);
    for (let f = indptr[i]; f < indptr[i + 1]; f++) {
      const [j, x] = [indices[f], values[f]];
      own -= zeroWithout(y[i], j, w[i]);
      if (Number.isNaN(x)) continue;
      const [all, looked] = counted(stats, added, y[i], j);
      const [count, exposure] = [remainder(all, w[i] * x), remainder(looked, w[i])];
      const events = predictive ? logEvents(count, exposure, x) : x * logRate(count, exposure);
      own += logZero(count, exposure, predictive) + events - logFactorial(x);
    }
    return own;
  };
}
