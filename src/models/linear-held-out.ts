import { logPriorWithout } from '../core/held-out.ts';
import type { Model } from '../core/model.ts';
import { type Batch, toDense } from '../data/batch.ts';
import { dot, remainder, sum } from '../math/arrays.ts';
import type { Scatter } from '../stats/scatter.ts';
import { completeScatter, hasGaps } from './complete-scatter.ts';
import { type Downdate, downdate, scoreWithout } from './held-out.ts';
import type { LinearOptions, Planes } from './linear-discriminant.ts';
import { leastShare, logPeakOf, whiten } from './whitening.ts';

/**
 * out[i,c] = the score of row i by the planes of all other rows. Row i leaves its class, whose mean moves away from it by
 * w/(n − w) of their distance d, and the scatter W of all classes by (nw/(n − w)) ddᵀ: a downdate of rank one.
 * Where that does not suffice (shrunk covariances, missing cells, a class that vanishes, a row without which Σ is singular), Σ is
 * estimated anew.
 */
export function linearLeaveOneOut(
  counted: Scatter,
  options: LinearOptions,
  batch: Batch,
  out: Float64Array,
  model: Model<Scatter, Planes, LinearOptions>,
): void {
  const stats = completeScatter(counted);
  const planes = model.estimate(counted, options);
  const { classes, features, whitening, means } = planes;
  const { x } = toDense(batch);
  const total = sum(stats.n);
  const seen = stats.n.reduce((count, weight) => count + (weight > 0 ? 1 : 0), 0);
  const lost = options.denominator === 'n' ? 0 : seen;
  const plain =
    !hasGaps(counted) && options.shrinkage === null && (options.solver === 'svd' || options.classPrior === undefined);
  const least = leastShare(options.solver === 'svd' ? options.tol : 0);
  const images = Array.from({ length: classes }, () => new Float64Array(whitening.rank));
  for (let i = 0; i < batch.rows; i++) {
    const [own, w] = [batch.y[i], batch.w[i]];
    const n = stats.n[own];
    for (let c = 0; c < classes; c++) whiten(whitening, x, i * features, means, c * features, images[c]);
    const d = images[own];
    const change =
      plain && whitening.complete && remainder(n, w) > 0
        ? downdate(whitening, least, (n * w) / (n - w), total - lost, total - w - lost, dot(d, d))
        : undefined;
    if (change) fastScores(planes, stats, options, batch, i, images, change, out);
    else scoreWithout(model, counted, options, batch, i, out);
  }
}

function fastScores(
  { classes, whitening }: Planes,
  stats: Scatter,
  { classPrior }: LinearOptions,
  { y, w }: Batch,
  i: number,
  images: readonly Float64Array[],
  { distance, logVolume }: Downdate,
  out: Float64Array,
): void {
  const own = y[i];
  const logPrior = logPriorWithout(stats.n, own, w[i], classPrior);
  const peak = logPeakOf(whitening) - 0.5 * logVolume;
  const d = images[own];
  for (let c = 0; c < classes; c++) {
    // from the moved mean, the row of its own class is n / (n − w) times as far away
    const stretch = c === own ? stats.n[own] / (stats.n[own] - w[i]) : 1;
    const square = dot(images[c], images[c]);
    const product = dot(images[c], d);
    out[i * classes + c] = logPrior[c] + peak - 0.5 * stretch * stretch * distance(square, product);
  }
}
