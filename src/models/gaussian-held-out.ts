import { logPriorWithout } from '../core/held-out.ts';
import { type Batch, toDense } from '../data/batch.ts';
import { remainder } from '../math/arrays.ts';
import type { Moments } from '../stats/moments.ts';
import { bellOf, logFall, logPeak, type Spot } from './bell.ts';
import type { GaussianOptions } from './gaussian.ts';
import { pooledSpot, smoothingOf, spotAt } from './spots.ts';

/** What is left of the squares must be this share of them; below it a difference would be mostly rounding. */
const LEAST_SHARE = 1e-6;

/**
 * out[i,c] = the score of row i by the bells of all other rows. With n, x̄ and S of a cell, and w = wᵢ:
 *
 *   n' = n − w,   x̄' = x̄ − (w / n') (xᵢ − x̄),   S' = S − (n w / n') (xᵢ − x̄)²        (1)
 *
 * for the class of the row and for all rows together, from which ε follows anew. Where (1) cancels — one row makes up almost
 * all of the spread — the other rows are looked at again.
 */
export function bellsLeaveOneOut(
  stats: Moments,
  { rule, classPrior }: GaussianOptions,
  batch: Batch,
  out: Float64Array,
): void {
  const { classes, features } = stats;
  const { x } = toDense(batch);
  const spots = Array.from({ length: classes * features }, (_, cell) =>
    spotAt(stats, Math.floor(cell / features), cell % features),
  );
  const pooled = Array.from({ length: features }, (_, j) => pooledSpot(stats, j));
  for (let i = 0; i < batch.rows; i++) {
    const own = batch.y[i];
    const others = pooled.map((spot, j) => {
      const rest = without(spot, spot.origin, batch, x, i, j);
      return { ...rest, origin: rest.weight > 0 ? spot.origin : 0 };
    });
    const epsilon = smoothingOf(rule, others);
    const scores = out.subarray(i * classes, (i + 1) * classes);
    scores.set(logPriorWithout(stats.n, own, batch.w[i], classPrior));
    for (let c = 0; c < classes; c++) {
      for (let j = 0; j < features; j++) {
        const value = x[i * features + j];
        if (Number.isNaN(value)) continue;
        const spot = spots[c * features + j];
        const bell = bellOf(rule, epsilon, j, c === own ? without(spot, 0, batch, x, i, j, own) : spot, others[j]);
        scores[c] += logPeak(bell) + logFall(value, bell.mean, bell.variance, bell.df);
      }
    }
  }
}

/** A cell without row i, by (1). The mean is told from `origin` on; without a class, all rows are meant. */
function without(spot: Spot, origin: number, batch: Batch, x: Float64Array, i: number, j: number, c?: number): Spot {
  const value = x[i * batch.features + j] - origin;
  if (Number.isNaN(value)) {
    const { weight, mean, squares } = spot;
    return { weight, mean, squares };
  }
  const weight = remainder(spot.weight, batch.w[i]);
  if (weight === 0) return { weight, mean: 0, squares: 0 };
  const distance = value - spot.mean;
  const squares = spot.squares - spot.weight * (batch.w[i] / weight) * distance * distance;
  if (squares < LEAST_SHARE * spot.squares) return lookAgain(origin, batch, x, i, j, c);
  return { weight, mean: spot.mean - (batch.w[i] / weight) * distance, squares };
}

/** Mean and squares of the other rows, in two passes. */
function lookAgain(
  origin: number,
  { rows, features, y, w }: Batch,
  x: Float64Array,
  i: number,
  j: number,
  c?: number,
): Spot {
  let [weight, sum, squares] = [0, 0, 0];
  const each = (visit: (value: number, w: number) => void) => {
    for (let k = 0; k < rows; k++) {
      const value = x[k * features + j] - origin;
      if (k !== i && (c === undefined || y[k] === c) && !Number.isNaN(value)) visit(value, w[k]);
    }
  };
  let first = Number.NaN;
  each((value, w) => {
    if (Number.isNaN(first)) first = value;
    weight += w;
    sum += w * (value - first);
  });
  const mean = first + sum / weight;
  each((value, w) => {
    squares += w * (value - mean) ** 2;
  });
  return { weight, mean, squares };
}
