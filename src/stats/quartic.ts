import type { ExactStats, Statistic } from '../core/model.ts';
import { type Batch, type Shape, toDense } from '../data/batch.ts';
import { addInto, scaleInto, subtractFrom } from '../math/arrays.ts';
import { partsOf, roundExpansion, twoProduct } from '../math/exact.ts';
import {
  type AdditiveSpec,
  type Cells,
  emptyArrays,
  type Plus,
  requireEnough,
  requireSquares,
  reshapeArrays,
  takeAway,
} from './additive.ts';
import { exactly, roundCells } from './exact.ts';
import { triangleCell } from './layout.ts';
import { combineScaled } from './powers.ts';
import { isFlat, type Scatter } from './scatter.ts';

/** The exact product of an expansion and a number, as a list of parts. */
const times = (parts: readonly number[], factor: number) => parts.flatMap((part) => twoProduct(part, factor));

/** The sums of Σw, Σwx, Σwxⱼxₖ, Σwxⱼ²xₖ and Σwxⱼ²xₖ² without rounding: the arrays of the exact quartic. */
const monomials: AdditiveSpec = {
  name: 'quartic',
  arrays: {
    n: ['classes'],
    x1: ['classes', 'features'],
    x2: ['classes', 'triangle'],
    x3: ['classes', 'features', 'features'],
    x4: ['classes', 'triangle'],
  },
  counts: ['n'],
  sparse: false,
  add:
    (plus: Plus) =>
    ({ n, x1, x2, x3, x4 }: Readonly<Record<string, Cells>>, batch: Batch): void => {
      const { rows, features, y, w } = batch;
      const { x } = toDense(batch);
      for (let i = 0; i < rows; i++) {
        plus(n, y[i], w[i]);
        let cell = y[i] * triangleCell(features, 0);
        for (let j = 0; j < features; j++) {
          const value = x[i * features + j];
          const first = twoProduct(w[i], value);
          const square = times(first, value);
          for (const part of first) plus(x1, y[i] * features + j, part);
          for (let k = 0; k < features; k++) {
            const other = x[i * features + k];
            const third = times(square, other);
            for (const part of third) plus(x3, (y[i] * features + j) * features + k, part);
            if (k > j) continue;
            for (const part of times(first, other)) plus(x2, cell, part);
            for (const part of times(third, other)) plus(x4, cell, part);
            cell++;
          }
        }
      }
    },
};

/** Σ w xⱼᵐ xₖˡ of one class as an exact sum, for m, l ≤ 2. */
type Moment = (m: number, l: number) => readonly number[];

/** Σ w (xⱼ − a)ʳ (xₖ − b)ˢ xⱼᵐ xₖˡ: expanded factor by factor, exactly. */
function about(moment: Moment, a: number, b: number, r: number, s: number, m = 0, l = 0): readonly number[] {
  if (r > 0) {
    const lower = about(moment, a, b, r - 1, s, m, l);
    return combineScaled([...about(moment, a, b, r - 1, s, m + 1, l)], lower, -a);
  }
  if (s > 0) {
    const lower = about(moment, a, b, r, s - 1, m, l);
    return combineScaled([...about(moment, a, b, r, s - 1, m, l + 1)], lower, -b);
  }
  return moment(m, l);
}

/** Converts exact monomials to a quartic about the rounded means. */
function roundMonomials({ classes, features, cells }: ExactStats, to: Quartic): Quartic {
  const { n, x1, x2, x3, x4 } = cells;
  const pairs = triangleCell(features, 0);
  to.n.set(roundCells(n));
  for (let c = 0; c < classes; c++) {
    if (to.n[c] === 0) continue;
    const at = c * features;
    for (let j = 0; j < features; j++) to.shift[at + j] = roundExpansion(partsOf(x1[at + j])) / to.n[c];
    for (let j = 0; j < features; j++) {
      for (let k = 0; k < features; k++) {
        const pair = c * pairs + triangleCell(Math.max(j, k), Math.min(j, k));
        const square = (q: number) => x2[c * pairs + triangleCell(q, q)];
        const table = [
          [n[c], x1[at + k], square(k)],
          [x1[at + j], x2[pair], x3[(at + k) * features + j]],
          [square(j), x3[(at + j) * features + k], x4[pair]],
        ];
        const moment: Moment = (m, l) => partsOf(table[m][l]);
        const [a, b] = [to.shift[at + j], to.shift[at + k]];
        to.s3[(at + j) * features + k] = roundExpansion(about(moment, a, b, 2, 1));
        if (k > j) continue;
        to.s2[pair] = roundExpansion(about(moment, a, b, 1, 1));
        to.s4[pair] = roundExpansion(about(moment, a, b, 2, 2));
        if (k === j) to.s1[at + j] = roundExpansion(about(moment, a, b, 1, 0));
      }
    }
  }
  return to;
}

/**
 * Scatter with the products of third and fourth order that the Ledoit–Wolf intensity needs, d = x − a about a shift
 * a[c]:
 *
 *   s3[c,jk] = Σᵢ wᵢ dⱼ² dₖ   for all j, k,      s4[c,jk] = Σᵢ wᵢ dⱼ² dₖ²   for j ≥ k        (1)
 *
 * besides s1 and s2 as in `scatter`. The shift follows the mean, so that none of them cancels.
 */
export interface Quartic extends Scatter {
  readonly s3: Float64Array; // class-major, features × features
  readonly s4: Float64Array; // class-major triangles
}

const SUMS = ['n', 's1', 's2', 's3', 's4'] as const;

/** The layout of the arrays. */
const quarticArrays = {
  n: ['classes'],
  shift: ['classes', 'features'],
  s1: ['classes', 'features'],
  s2: ['classes', 'triangle'],
  s3: ['classes', 'features', 'features'],
  s4: ['classes', 'triangle'],
} as const;

/** Moves the shift of class c by the steps h: (1) of d − h is expanded in the existing sums. */
function moveShift({ features, n, shift, s1, s2, s3, s4 }: Quartic, c: number, h: Float64Array): void {
  const [at, triangle, square] = [c * features, c * triangleCell(features, 0), c * features * features];
  const second = (j: number, k: number) => s2[triangle + triangleCell(Math.max(j, k), Math.min(j, k))];
  for (let j = 0; j < features; j++) {
    for (let k = 0; k <= j; k++) {
      const third = h[k] * s3[square + j * features + k] + h[j] * s3[square + k * features + j];
      const squares = h[k] * h[k] * second(j, j) + h[j] * h[j] * second(k, k) + 4 * h[j] * h[k] * second(j, k);
      const firsts = 2 * h[j] * h[k] * (h[k] * s1[at + j] + h[j] * s1[at + k]);
      s4[triangle + triangleCell(j, k)] += squares - 2 * third - firsts + n[c] * h[j] * h[j] * h[k] * h[k];
    }
  }
  for (let j = 0; j < features; j++) {
    for (let k = 0; k < features; k++) {
      const squares = h[k] * second(j, j) + 2 * h[j] * second(j, k);
      const firsts = h[j] * (2 * h[k] * s1[at + j] + h[j] * s1[at + k]);
      s3[square + j * features + k] += firsts - squares - n[c] * h[j] * h[j] * h[k];
    }
  }
  for (let j = 0; j < features; j++) {
    for (let k = 0; k <= j; k++) {
      s2[triangle + triangleCell(j, k)] += n[c] * h[j] * h[k] - h[j] * s1[at + k] - h[k] * s1[at + j];
    }
  }
  for (let j = 0; j < features; j++) {
    s1[at + j] -= n[c] * h[j];
    shift[at + j] += h[j];
  }
}

/** As in `scatter`: a shift this many standard deviations from the mean is moved; it would cost two digits here. */
const FAR = 4;

function recentre(stats: Quartic): void {
  const { classes, features, n, shift, s1, s2 } = stats;
  for (let c = 0; c < classes; c++) {
    if (n[c] === 0) continue;
    const [at, triangle] = [c * features, c * triangleCell(features, 0)];
    const step = new Float64Array(features);
    for (let j = 0; j < features; j++) {
      const distance = s1[at + j] / n[c];
      const variance = s2[triangle + triangleCell(j, j)] / n[c] - distance * distance;
      if (distance * distance > FAR * FAR * variance) step[j] = shift[at + j] + distance - shift[at + j];
    }
    if (step.some((distance) => distance !== 0)) moveShift(stats, c, step);
  }
}

/** The same statistic about the means themselves. */
export function centred(stats: Quartic): Quartic {
  const copy = reshapeArrays(quarticArrays, stats, stats, {});
  for (let c = 0; c < stats.classes; c++) {
    const at = c * stats.features;
    if (stats.n[c] === 0) continue;
    moveShift(
      copy,
      c,
      Float64Array.from({ length: stats.features }, (_, j) => stats.s1[at + j] / stats.n[c]),
    );
  }
  return copy;
}

function addQuartic(stats: Quartic, batch: Batch): void {
  const { features, n, shift, s1, s2, s3, s4 } = stats;
  const { rows, y, w } = batch;
  const { x } = toDense(batch);
  const d = new Float64Array(features);
  for (let i = 0; i < rows; i++) {
    const c = y[i];
    const at = c * features;
    if (n[c] === 0) shift.set(x.subarray(i * features, (i + 1) * features), at);
    n[c] += w[i];
    for (let j = 0; j < features; j++) d[j] = x[i * features + j] - shift[at + j];
    let cell = c * triangleCell(features, 0);
    for (let j = 0; j < features; j++) {
      const weighted = w[i] * d[j];
      s1[at + j] += weighted;
      for (let k = 0; k < features; k++) s3[(at + j) * features + k] += weighted * d[j] * d[k];
      for (let k = 0; k <= j; k++, cell++) {
        s2[cell] += weighted * d[k];
        s4[cell] += weighted * d[j] * d[k] * d[k];
      }
    }
  }
  recentre(stats);
}

/** One statistic relative to the shifts of another. */
function seenFrom(to: Quartic, from: Quartic): Quartic {
  const moved = { ...from } as { -readonly [K in keyof Quartic]: Quartic[K] };
  for (const name of ['shift', 's1', 's2', 's3', 's4'] as const) moved[name] = from[name].slice();
  for (let c = 0; c < from.classes; c++) {
    if (to.n[c] === 0) continue;
    const at = c * from.features;
    const step = Float64Array.from({ length: from.features }, (_, j) => to.shift[at + j] - from.shift[at + j]);
    moveShift(moved, c, step);
  }
  return moved;
}

/** A feature whose spread is only rounding becomes constant: only its mean is kept. */
function flatten(stats: Quartic, c: number, j: number): void {
  const { features, n, s1, s2, s3, s4 } = stats;
  const [at, pairs, square] = [c * features, triangleCell(features, 0), c * features * features];
  const step = new Float64Array(features);
  step[j] = s1[at + j] / n[c];
  moveShift(stats, c, step);
  s1[at + j] = 0;
  for (let k = 0; k < features; k++) {
    const pair = c * pairs + triangleCell(Math.max(j, k), Math.min(j, k));
    s2[pair] = s4[pair] = 0;
    s3[square + j * features + k] = s3[square + k * features + j] = 0;
  }
}

function subtractQuartic(from: Quartic, what: Quartic): void {
  const { classes, features } = from;
  const pairs = triangleCell(features, 0);
  requireEnough(from.n, what.n, 'n');
  const taken = seenFrom(from, what);
  for (let c = 0; c < classes; c++) {
    for (let j = 0; j < features; j++) {
      const cell = c * pairs + triangleCell(j, j);
      requireSquares(from.s2[cell], taken.s2[cell], cell);
    }
  }
  const before = from.s2.slice();
  takeAway(from.n, what.n);
  for (const name of ['s1', 's2', 's3', 's4'] as const) subtractFrom(from[name], taken[name]);
  for (let c = 0; c < classes; c++) {
    for (let j = 0; j < features && from.n[c] > 0; j++) if (isFlat(from, before, c, j)) flatten(from, c, j);
    if (from.n[c] > 0) continue;
    for (const array of [from.shift, from.s1]) array.fill(0, c * features, (c + 1) * features);
    for (const array of [from.s2, from.s4]) array.fill(0, c * pairs, (c + 1) * pairs);
    from.s3.fill(0, c * features * features, (c + 1) * features * features);
  }
  recentre(from);
}

/** Mean vector, scatter matrix and products up to the fourth order, by class. */
export const quartic: Statistic<Quartic> = {
  name: 'quartic',
  arrays: quarticArrays,
  counts: ['n'],
  sparse: false,
  empty: (shape: Shape) => emptyArrays<Quartic>(quarticArrays, shape),
  add: addQuartic,
  merge(to, from) {
    const moved = seenFrom(to, from);
    for (let c = 0; c < to.classes; c++) {
      const [start, end] = [c * to.features, (c + 1) * to.features];
      if (to.n[c] === 0) to.shift.set(moved.shift.subarray(start, end), start);
    }
    for (const name of SUMS) addInto(to[name], moved[name]);
    recentre(to);
  },
  subtract: subtractQuartic,
  scale(stats, factor) {
    for (const name of SUMS) scaleInto(stats[name], factor);
  },
  reshape: (stats, shape, moves) => reshapeArrays(quarticArrays, stats, shape, moves),
  exact: exactly<Quartic>(monomials, (stats) => roundMonomials(stats, emptyArrays<Quartic>(quarticArrays, stats))),
};
