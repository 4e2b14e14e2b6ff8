import { type Batch, toDense } from '../data/batch.ts';
import { remainder, sum } from '../math/arrays.ts';
import { logRatio } from '../math/logs.ts';
import { levelOffsets } from '../stats/layout.ts';
import type { Pairs } from '../stats/pairs.ts';
import type { AodeOptions } from './aode.ts';
import { type Faces, logRow } from './aode-row.ts';
import { classInformation, classWeightsOfLevels } from './dependence.ts';

/** The sums of the table of pairs that do not depend on the row that is left out. */
interface Totals {
  readonly offsets: Int32Array;
  readonly histogram: Float64Array; // n[c,u]: c * L + u
  readonly given: Float64Array; // Σᵥ n[c,u,v] over the levels of j: (c * L + u) * features + j
  readonly alone: Float64Array; // Σᵥ n[c,v] over the levels of j: c * features + j
}

/**
 * Scores every row without itself: each count that its score reads is a count of its own levels, so that taking the row out
 * lowers every count of its class by its weight. The lists of levels stay as they are.
 */
export function aodeLeaveOneOut(stats: Pairs, options: AodeOptions, batch: Batch, out: Float64Array): void {
  const { classes, features, levels, n } = stats;
  const totals = totalsOf(stats);
  const { offsets, histogram } = totals;
  const all = sumOverClasses(histogram, classes);
  const { x } = toDense(batch);
  const { alpha, minimumFrequency } = options;
  for (let i = 0; i < batch.rows; i++) {
    const [own, weight] = [batch.y[i], batch.w[i]];
    const row = x.subarray(i * features, (i + 1) * features);
    const left = n.with(own, remainder(n[own], weight));
    const total = sum(left) + alpha * classes;
    const logPrior = left.map((count) => logRatio(count + alpha, total));
    const mine = Array.from(row, (level, j) => offsets[j] + level).filter((u) => !Number.isNaN(u));
    const frequency = all.slice();
    for (const u of mine) frequency[u] = remainder(all[u], weight);
    const weights = options.weighted ? informationWithout(stats, histogram, own, mine, weight) : uniform(features);
    const parents = { classes, features, levels, offsets, logPrior, frequency, weights, minimumFrequency };
    logRow(
      parents,
      facesWithout(stats, totals, all, alpha, { own, weight, shown: new Set(mine) }),
      row,
      out,
      i * classes,
    );
  }
}

const uniform = (features: number) => new Float64Array(features).fill(1);

/** A row that is left out: its class, its weight and the levels it shows. */
interface LeftOut {
  readonly own: number;
  readonly weight: number;
  readonly shown: ReadonlySet<number>;
}

/** The faces of the dice when a row is left out. Counts with a parent u that the row does not show, as its cell is missing, stay. */
function facesWithout(
  { classes, features, levels, p }: Pairs,
  { offsets, histogram, given, alone }: Totals,
  all: Float64Array,
  alpha: number,
  { own, weight, shown }: LeftOut,
): Faces {
  const width = offsets[features];
  const featureOf = (u: number) => offsets.findLastIndex((start) => start <= u);
  const presence = Float64Array.from(levels, (size, j) => sum(all, offsets[j], size));
  const less = (count: number, c: number, u: number) => (c === own && shown.has(u) ? remainder(count, weight) : count);
  return {
    joint(c, u) {
      const j = featureOf(u);
      return logRatio(
        less(histogram[c * width + u], c, u) + alpha,
        (shown.has(u) ? remainder(presence[j], weight) : presence[j]) + alpha * classes * levels[j],
      );
    },
    given: (c, u, row, start) =>
      row.levels.reduce((total, v, j) => {
        if (v === u || v < 0) return total;
        const count = less(p[(c * width + u) * width + v], c, u) + alpha;
        return total + logRatio(count, less(given[(c * width + u) * features + j], c, u) + alpha * levels[j]);
      }, start),
    alone: (c, j, v) =>
      logRatio(less(histogram[c * width + v], c, v) + alpha, less(alone[c * features + j], c, v) + alpha * levels[j]),
  };
}

function totalsOf(stats: Pairs): Totals {
  const { classes, features, levels, p } = stats;
  const offsets = levelOffsets(levels);
  const width = offsets[features];
  const histogram = classWeightsOfLevels(stats);
  const given = new Float64Array(classes * width * features);
  for (let row = 0; row < classes * width; row++) {
    for (let j = 0; j < features; j++) given[row * features + j] = sum(p, row * width + offsets[j], levels[j]);
  }
  const alone = new Float64Array(classes * features);
  for (let cell = 0; cell < alone.length; cell++) {
    const [c, j] = [Math.floor(cell / features), cell % features];
    alone[cell] = sum(histogram, c * width + offsets[j], levels[j]);
  }
  return { offsets, histogram, given, alone };
}

function sumOverClasses(histogram: Float64Array, classes: number): Float64Array {
  const width = histogram.length / classes;
  const all = new Float64Array(width);
  for (let cell = 0; cell < histogram.length; cell++) all[cell % width] += histogram[cell];
  return all;
}

/** I(Xⱼ; C) when a row of class `own` with the levels `mine` is taken away. */
function informationWithout(
  stats: Pairs,
  histogram: Float64Array,
  own: number,
  mine: readonly number[],
  weight: number,
): Float64Array {
  const width = histogram.length / stats.classes;
  const left = histogram.slice();
  for (const u of mine) left[own * width + u] = remainder(left[own * width + u], weight);
  return classInformation(stats, left);
}
