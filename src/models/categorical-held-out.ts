import { holdOut } from '../core/held-out.ts';
import { type Batch, toDense } from '../data/batch.ts';
import { remainder } from '../math/arrays.ts';
import { logRatio } from '../math/logs.ts';
import type { Histogram } from '../stats/histogram.ts';
import { levelOffsets } from '../stats/layout.ts';
import { type CategoricalOptions, categorical, rolls } from './categorical.ts';

/** Scores every row without itself. The levels stay known: leaving out the only row that has one leaves an empty face. */
export function levelsLeaveOneOut(
  stats: Histogram,
  { alpha, classPrior }: CategoricalOptions,
  batch: Batch,
  out: Float64Array,
): void {
  const dice = categorical.estimate(stats, { alpha });
  categorical.score({ ...dice, logPrior: new Float64Array(stats.classes) }, batch, out);
  holdOut(stats.n, classPrior, batch, out, ownLikelihood(stats, alpha, batch));
}

/** ln p(xᵢ | yᵢ) without row i: one roll less of each die, and of the face that it showed. */
function ownLikelihood({ features, levels, h }: Histogram, alpha: number, batch: Batch): (i: number) => number {
  const { y, w } = batch;
  const { x } = toDense(batch);
  const offsets = levelOffsets(levels);
  return (i) => {
    let own = 0;
    for (let j = 0; j < features; j++) {
      const level = x[i * features + j];
      if (Number.isNaN(level)) continue;
      const from = y[i] * offsets[features] + offsets[j];
      const total = remainder(rolls(h, from, levels[j]), w[i]) + alpha * levels[j];
      own += logRatio(remainder(h[from + level], w[i]) + alpha, total);
    }
    return own;
  };
}
