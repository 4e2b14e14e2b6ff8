import { posterior } from '../core/posterior.ts';
import type { Batch, Shape } from '../data/batch.ts';
import { exactSum } from '../math/exact.ts';
import type { FirstChoice } from './learning.ts';
import { chosenAlpha } from './options.ts';

/** Whole decades from 10⁻⁵ to 10², those nearest to 1 first: of equals the first is kept. */
const DECADES = [0, -1, 1, -2, 2, -3, -4, -5];
const GOLDEN = (Math.sqrt(5) - 1) / 2;
const NARROW = Math.log10(1.05);

/**
 * The alpha of least loss: the best of a grid of decades, refined by golden section in log alpha between its neighbours and rounded
 * to two digits, since losses that close together do not distinguish more.
 */
export function leastLoss(loss: (alpha: number) => number): number {
  const grid = DECADES.map((decade) => ({ decade, loss: loss(10 ** decade) }));
  const best = grid.reduce((least, point) => (point.loss < least.loss ? point : least));
  const [lowest, highest] = [Math.min(...DECADES), Math.max(...DECADES)];
  let [low, high] = [Math.max(best.decade - 1, lowest), Math.min(best.decade + 1, highest)];
  const probe = (decade: number) => ({ decade, loss: loss(10 ** decade) });
  let left = probe(high - GOLDEN * (high - low));
  let right = probe(low + GOLDEN * (high - low));
  while (high - low > NARROW) {
    if (left.loss <= right.loss) {
      [high, right] = [right.decade, left];
      left = probe(high - GOLDEN * (high - low));
    } else {
      [low, left] = [left.decade, right];
      right = probe(low + GOLDEN * (high - low));
    }
  }
  const refined = left.loss <= right.loss ? left : right;
  return Number((10 ** (refined.loss < best.loss ? refined.decade : best.decade)).toPrecision(2));
}

/** Scores rows without themselves. */
type HeldOut<S extends Shape, O> = (stats: S, options: O, batch: Batch, out: Float64Array) => void;

/**
 * Chooses alpha by exact leave-one-out: the one with the least sum of −w ln p(yᵢ | xᵢ) where row i is scored by all other rows. A row whose
 * class has no other row is impossible under every alpha and skipped.
 */
function chooseAlpha<S extends Shape, O>(
  heldOut: HeldOut<S, O>,
  stats: S,
  batch: Batch,
  optionsFor: (alpha: number) => O,
): number {
  const { classes, rows, y, w } = batch;
  const scores = new Float64Array(rows * classes);
  const noPrior = new Float64Array(classes);
  return leastLoss((alpha) => {
    heldOut(stats, optionsFor(alpha), batch, scores);
    const { logProba } = posterior(scores, noPrior);
    // An exact sum does not depend on the order of the rows, so neither does the choice.
    return exactSum(
      Array.from({ length: rows }, (_, i) => {
        const own = i * classes + y[i];
        return scores[own] === -Infinity ? 0 : -w[i] * logProba[own];
      }),
    );
  });
}

/** The geometric mean of two chosen numbers, weighted by their rows. */
export function meanChoice([mine, myWeight]: Weighted, [theirs, theirWeight]: Weighted): number {
  if (mine === theirs) return mine;
  const logs = myWeight * Math.log(mine) + theirWeight * Math.log(theirs);
  return Math.exp(logs / (myWeight + theirWeight));
}

type Weighted = readonly [value: number, weight: number];

/** The choice of alpha by the first rows, if requested. */
export function alphaChoice<S extends Shape, O>(
  asked: boolean,
  heldOut: HeldOut<S, O>,
  optionsFor: (alpha: number) => O,
): FirstChoice<S> | undefined {
  if (!asked) return undefined;
  return {
    choose: (counts, batch) => ({ alpha: chooseAlpha(heldOut, counts, batch, optionsFor) }),
    unite: ([mine, n], [theirs, m]) => ({ alpha: meanChoice([chosenAlpha(mine), n], [chosenAlpha(theirs), m]) }),
  };
}
