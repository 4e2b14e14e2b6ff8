import type { Statistic } from '../core/model.ts';
import { type Batch, type Shape, toDense } from '../data/batch.ts';
import { addInto, scaleInto } from '../math/arrays.ts';
import { emptyArrays, isRounding, requireEnough, requireSquares, reshapeArrays, takeAway } from './additive.ts';
import { exactly } from './exact.ts';
import { powers, roundPowers } from './powers.ts';
import { addRows, countRows } from './row-sums.ts';

/**
 * Moments by class and feature, as sums of distances from a shift a[c,j] near the mean:
 *
 *   n[c] = Σᵢ wᵢ,   s1[c,j] = Σᵢ wᵢ (xᵢⱼ − a),   s2[c,j] = Σᵢ wᵢ (xᵢⱼ − a)²      over rows of class c        (1)
 *
 * The first value is the initial shift, and the shift is moved to the mean when the two are far apart, so that mean and
 * variance are never a difference of large numbers: sums of squares lose every digit once offset² / spread² exceeds
 * 2⁵³. m[c,j] is the weight of missing cells, if cells may be missing.
 */
export interface Moments extends Shape {
  readonly n: Float64Array;
  readonly m: Float64Array;
  readonly shift: Float64Array;
  readonly s1: Float64Array;
  readonly s2: Float64Array;
}

/** The weight of the present cells of class c and feature j. */
export function presentWeight({ n, m, features }: Moments, c: number, j: number): number {
  return m.length === 0 ? n[c] : Math.max(0, n[c] - m[c * features + j]);
}

/** The mean of class c and feature j; zero if nothing was counted. */
export function meanAt(stats: Moments, c: number, j: number): number {
  const weight = presentWeight(stats, c, j);
  const cell = c * stats.features + j;
  return weight === 0 ? 0 : stats.shift[cell] + stats.s1[cell] / weight;
}

/** The population variance of class c and feature j: s2/n − (s1/n)², never negative. */
export function varianceAt(stats: Moments, c: number, j: number): number {
  const weight = presentWeight(stats, c, j);
  const cell = c * stats.features + j;
  return weight === 0 ? 0 : Math.max(0, stats.s2[cell] / weight - (stats.s1[cell] / weight) ** 2);
}

/** The shift is moved when the mean is this many standard deviations away, which costs a quarter of a digit. */
const FAR = 4;

/** Moves the shift of one cell to the value `to`; (1) for the new shift follows from (1) for the old one. */
function moveShift({ shift, s1, s2 }: Moments, cell: number, weight: number, to: number): void {
  const step = to - shift[cell];
  s2[cell] += step * (weight * step - 2 * s1[cell]);
  s1[cell] -= weight * step;
  shift[cell] = to;
}

/** Moves shifts that are far from the mean. */
function recentre(stats: Moments): void {
  const { classes, features, shift, s1, s2 } = stats;
  for (let c = 0; c < classes; c++) {
    for (let j = 0; j < features; j++) {
      const cell = c * features + j;
      const weight = presentWeight(stats, c, j);
      const distance = s1[cell] / weight;
      if (weight > 0 && distance * distance > FAR * FAR * (s2[cell] / weight - distance * distance)) {
        moveShift(stats, cell, weight, shift[cell] + distance);
      }
    }
  }
}

function addMoments(stats: Moments, batch: Batch): void {
  const rows = { ...toDense(batch), y: batch.y, w: batch.w };
  countRows(stats, rows);
  addRows('moments', stats, rows);
  recentre(stats);
}

/** s1 and s2 of one statistic, relative to the shifts of another. */
function seenFrom(to: Moments, from: Moments): Moments {
  const moved: Moments = { ...from, shift: from.shift.slice(), s1: from.s1.slice(), s2: from.s2.slice() };
  for (let c = 0; c < from.classes; c++) {
    for (let j = 0; j < from.features; j++) {
      const cell = c * from.features + j;
      if (presentWeight(to, c, j) > 0) moveShift(moved, cell, presentWeight(from, c, j), to.shift[cell]);
    }
  }
  return moved;
}

function mergeMoments(to: Moments, from: Moments): void {
  const moved = seenFrom(to, from);
  for (let c = 0; c < to.classes; c++) {
    for (let j = 0; j < to.features; j++) {
      const cell = c * to.features + j;
      if (presentWeight(to, c, j) === 0) to.shift[cell] = moved.shift[cell];
    }
  }
  for (const name of ['n', 'm', 's1', 's2'] as const) addInto(to[name], moved[name]);
  recentre(to);
}

function subtractMoments(from: Moments, what: Moments): void {
  requireEnough(from.n, what.n, 'n');
  requireEnough(from.m, what.m, 'm');
  const taken = seenFrom(from, what);
  for (let cell = 0; cell < from.s2.length; cell++) requireSquares(from.s2[cell], taken.s2[cell], cell);
  takeAway(from.n, what.n);
  takeAway(from.m, what.m);
  for (let c = 0; c < from.classes; c++) {
    for (let j = 0; j < from.features; j++) {
      const cell = c * from.features + j;
      const weight = presentWeight(from, c, j);
      const before = from.s2[cell];
      from.s1[cell] = weight === 0 ? 0 : from.s1[cell] - taken.s1[cell];
      from.s2[cell] = weight === 0 ? 0 : Math.max(0, before - taken.s2[cell]);
      if (weight === 0) from.shift[cell] = 0;
      else if (before > 0 && isRounding(from.s2[cell] - (from.s1[cell] / weight) * from.s1[cell], before)) {
        // a spread that is only rounding is zero
        from.shift[cell] += from.s1[cell] / weight;
        from.s1[cell] = from.s2[cell] = 0;
      }
    }
  }
  recentre(from);
}

/** Σwx and Σwx² in plain arithmetic: distances from zero. */
function plainPowers(batch: Batch): Record<string, Float64Array> {
  const stats = emptyArrays<Moments>(arrays, batch);
  const rows = { ...toDense(batch), y: batch.y, w: batch.w };
  countRows({ ...stats, shift: new Float64Array(stats.shift.length) }, rows);
  addRows('moments', stats, rows);
  const { n, m, s1: x1, s2: x2 } = stats;
  return { n, m, x1, x2 };
}

const arrays = {
  n: ['classes'],
  m: ['classes', 'gaps'],
  shift: ['classes', 'features'],
  s1: ['classes', 'features'],
  s2: ['classes', 'features'],
} as const;

/** n and shifted sums by class and feature: mean and variance without cancellation. */
export const moments: Statistic<Moments> = {
  name: 'moments',
  arrays,
  counts: ['n', 'm'],
  sparse: false,
  empty: (shape) => emptyArrays<Moments>(arrays, shape),
  add: addMoments,
  merge: mergeMoments,
  subtract: subtractMoments,
  scale(stats, factor) {
    for (const name of ['n', 'm', 's1', 's2'] as const) scaleInto(stats[name], factor);
  },
  reshape: (stats, shape, moves) => reshapeArrays(arrays, stats, shape, moves),
  exact: exactly<Moments>(powers, (stats) => roundPowers(stats, emptyArrays<Moments>(arrays, stats)), {
    degree: 2,
    sums: plainPowers,
  }),
};
