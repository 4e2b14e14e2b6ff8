import { logPriorWithout } from '../core/held-out.ts';
import type { Background, ClassPrior } from '../core/prior.ts';
import { type Batch, toSparse } from '../data/batch.ts';
import { remainder } from '../math/arrays.ts';
import type { Sums } from '../stats/sums.ts';
import { backgroundShare, discountOf, leanOf, logFace, totalsOf } from './background.ts';

/** Leave-one-out: without its row a word is rarer in the background too, so the faces of its words change in every class. */
export function backgroundLeaveOneOut(
  stats: Sums,
  prior: Background,
  classPrior: ClassPrior | undefined,
  batch: Batch,
  out: Float64Array,
): void {
  const { classes, features, s } = stats;
  const { words, freed, counts, all } = totalsOf(stats, prior);
  const { indptr, indices, values } = toSparse(batch);
  const { rows, y, w } = batch;
  const leans = Array.from(words, (count, c) => leanOf(prior, count, freed[c]));
  const delta = discountOf(prior);
  for (let i = 0; i < rows; i++) {
    let [gone, free] = [0, freed[y[i]]];
    for (let f = indptr[i]; f < indptr[i + 1]; f++) {
      const count = s[y[i] * features + indices[f]];
      gone += w[i] * values[f];
      free -= Math.min(count, delta) - Math.min(remainder(count, w[i] * values[f]), delta);
    }
    const own = leanOf(prior, remainder(words[y[i]], gone), Math.max(0, free));
    const rest = remainder(all, gone);
    out.set(logPriorWithout(stats.n, y[i], w[i], classPrior), i * classes);
    for (let f = indptr[i]; f < indptr[i + 1]; f++) {
      const [j, lost] = [indices[f], w[i] * values[f]];
      const share = backgroundShare(remainder(counts[j], lost), rest, features);
      for (let c = 0; c < classes; c++) {
        const count = s[c * features + j];
        const face = c === y[i] ? logFace(own, remainder(count, lost), share) : logFace(leans[c], count, share);
        out[i * classes + c] += values[f] * face;
      }
    }
  }
}
