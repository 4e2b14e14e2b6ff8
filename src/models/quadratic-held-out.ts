import { logPriorWithout } from '../core/held-out.ts';
import type { Model } from '../core/model.ts';
import { type Batch, toDense } from '../data/batch.ts';
import { dot, remainder, sum } from '../math/arrays.ts';
import type { Scatter } from '../stats/scatter.ts';
import { completeScatter, hasGaps } from './complete-scatter.ts';
import { downdate, scoreWithout } from './held-out.ts';
import { divisor, type Ellipsoids, type QuadraticOptions } from './quadratic-discriminant.ts';
import { leastShare, logPeakOf, type Whitening, whiten } from './whitening.ts';

/**
 * out[i,c] = the score of row i by the ellipsoids of all other rows. Without the row the scatter of its class loses
 * (nw/(n − w)) ddᵀ, and that of every other class λ of it: downdates of rank one. Where cells are missing, covariances are
 * drawn towards a target, or a downdate loses too many digits, they are estimated anew.
 */
export function quadraticLeaveOneOut(
  counted: Scatter,
  options: QuadraticOptions,
  batch: Batch,
  out: Float64Array,
  model: Model<Scatter, Ellipsoids, QuadraticOptions>,
): void {
  const stats = completeScatter(counted);
  const ellipsoids = model.estimate(counted, options);
  const { shrinkage, regParam, gamma, diagonal } = options;
  const plain = !hasGaps(counted) && shrinkage === null && regParam === 0 && gamma === 0 && !diagonal;
  for (let i = 0; i < batch.rows; i++) {
    if (plain && fastScores(ellipsoids, stats, options, batch, i, out)) continue;
    scoreWithout(model, counted, options, batch, i, out);
  }
}

/** The scores of row i by downdates; false where one of them does not tell. */
function fastScores(
  { classes, features, means, whitenings }: Ellipsoids,
  stats: Scatter,
  options: QuadraticOptions,
  batch: Batch,
  i: number,
  out: Float64Array,
): boolean {
  const { x } = toDense(batch);
  const [own, w] = [batch.y[i], batch.w[i]];
  const n = stats.n.slice();
  n[own] = remainder(n[own], w);
  if (n[own] === 0) return false;
  const least = leastShare(options.tol);
  const total = sum(stats.n);
  const kappa = (stats.n[own] * w) / n[own];
  const logPrior = logPriorWithout(stats.n, own, w, options.classPrior);
  const image = (whitening: Whitening, origin: number) => {
    const z = new Float64Array(whitening.rank);
    whiten(whitening, x, i * features, means, origin * features, z);
    return z;
  };
  for (let c = 0; c < classes; c++) {
    const whitening = whitenings[c];
    out[i * classes + c] = -Infinity;
    if (!whitening) continue;
    const e = image(whitening, c);
    const d = c === own || options.lambda === 0 ? e : image(whitening, own);
    const share = c === own ? 1 : options.lambda;
    const before = divisor(stats.n[c], total, options);
    const change = downdate(whitening, least, share * kappa, before, divisor(n[c], total - w, options), dot(d, d));
    if (!change) return false;
    // from the moved mean, the row of its own class is n / (n − w) times as far away
    const stretch = c === own ? stats.n[own] / n[own] : 1;
    const square = stretch * stretch * change.distance(dot(e, e), dot(e, d));
    out[i * classes + c] = logPrior[c] + logPeakOf(whitening) - 0.5 * (change.logVolume + square);
  }
  return true;
}
