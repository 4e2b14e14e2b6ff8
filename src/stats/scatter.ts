import type { ExactStats, Statistic } from '../core/model.ts';
import { type Batch, type Shape, toDense } from '../data/batch.ts';
import { addInto, scaleInto, subtractFrom } from '../math/arrays.ts';
import { roundExpansion, twoProduct } from '../math/exact.ts';
import {
  type AdditiveSpec,
  type Cells,
  emptyArrays,
  isRounding,
  type Plus,
  requireEnough,
  requireSquares,
  reshapeArrays,
  takeAway,
} from './additive.ts';
import { exactly, roundCells } from './exact.ts';
import { triangleCell, withTriangle } from './layout.ts';
import { countRows } from './moments-rows.ts';
import { combineScaled } from './powers.ts';
import { addRows, addRowsFast } from './scatter-rows.ts';

/**
 * Mean vector and scatter matrix by class, as sums of distances from a shift vector a[c] near the mean:
 *
 *   s1[c,j] = Σᵢ wᵢ (xᵢⱼ − aⱼ),   s2[c,jk] = Σᵢ wᵢ (xᵢⱼ − aⱼ)(xᵢₖ − aₖ)  for j ≥ k        (1)
 *
 * Sufficient for Gaussians with covariance. The shift follows the mean as in `moments`.
 */
export interface Scatter extends Shape {
  readonly n: Float64Array;
  readonly shift: Float64Array;
  readonly s1: Float64Array;
  readonly s2: Float64Array; // class-major triangles
}

/** The mean vector of class c; zero where nothing was counted. */
export function meanVector({ features, n, shift, s1 }: Scatter, c: number): Float64Array {
  const weight = n[c];
  const at = c * features;
  return Float64Array.from({ length: features }, (_, j) => (weight === 0 ? 0 : shift[at + j] + s1[at + j] / weight));
}

/** The scatter matrix Σᵢ wᵢ (xᵢ − x̄)(xᵢ − x̄)ᵀ of class c, full and row-major. */
export function scatterMatrix(stats: Scatter, c: number): Float64Array {
  const { features, n, s1, s2 } = stats;
  const matrix = new Float64Array(features * features);
  const [at, triangle] = [c * features, c * triangleCell(features, 0)];
  for (let j = 0; j < features; j++) {
    for (let k = 0; k <= j; k++) {
      const raw = s2[triangle + triangleCell(j, k)];
      const value = n[c] === 0 ? 0 : raw - (s1[at + j] * s1[at + k]) / n[c];
      matrix[j * features + k] = matrix[k * features + j] = j === k ? Math.max(0, value) : value;
    }
  }
  return matrix;
}

/** Moves the shift of class c by a step vector; (1) for the new shift follows from (1) for the old one. */
function moveShift({ features, n, shift, s1, s2 }: Scatter, c: number, step: Float64Array): void {
  const [at, triangle] = [c * features, c * triangleCell(features, 0)];
  for (let j = 0; j < features; j++) {
    for (let k = 0; k <= j; k++) {
      s2[triangle + triangleCell(j, k)] += n[c] * step[j] * step[k] - step[j] * s1[at + k] - step[k] * s1[at + j];
    }
  }
  for (let j = 0; j < features; j++) {
    s1[at + j] -= n[c] * step[j];
    shift[at + j] += step[j];
  }
}

/** As in `moments`: a shift that is this many standard deviations from the mean has been left behind. */
const FAR = 4;

function recentre(stats: Scatter): void {
  const { classes, features, n, shift, s1, s2 } = stats;
  for (let c = 0; c < classes; c++) {
    const [at, triangle] = [c * features, c * triangleCell(features, 0)];
    const step = new Float64Array(features);
    for (let j = 0; j < features; j++) {
      const distance = s1[at + j] / n[c];
      const variance = s2[triangle + triangleCell(j, j)] / n[c] - distance * distance;
      const target = shift[at + j] + distance;
      if (n[c] > 0 && distance * distance > FAR * FAR * variance) step[j] = target - shift[at + j];
    }
    if (step.some((distance) => distance !== 0)) moveShift(stats, c, step);
  }
}

function addScatter(stats: Scatter, batch: Batch): void {
  const labelled = { ...toDense(batch), y: batch.y, w: batch.w };
  countRows(stats, labelled);
  if (!addRowsFast(stats, labelled)) addRows(stats, labelled);
  recentre(stats);
}

/** One statistic as seen from the shifts of another. */
function seenFrom(to: Scatter, from: Scatter): Scatter {
  const { classes, features } = from;
  const moved = { ...from, shift: from.shift.slice(), s1: from.s1.slice(), s2: from.s2.slice() };
  for (let c = 0; c < classes; c++) {
    if (to.n[c] === 0) continue;
    const at = c * features;
    moveShift(
      moved,
      c,
      Float64Array.from({ length: features }, (_, j) => to.shift[at + j] - from.shift[at + j]),
    );
  }
  return moved;
}

/** Whether all that is left of a feature, alone and with the others, is the rounding of what was there before. */
export function isFlat({ features, n, s1, s2 }: Scatter, before: Float64Array, c: number, j: number): boolean {
  const [at, triangle] = [c * features, c * triangleCell(features, 0)];
  for (let k = 0; k < features; k++) {
    const cell = triangle + triangleCell(Math.max(j, k), Math.min(j, k));
    const left = s2[cell] - (s1[at + j] / n[c]) * s1[at + k];
    const size = Math.sqrt(before[triangle + triangleCell(j, j)]) * Math.sqrt(before[triangle + triangleCell(k, k)]);
    if (!isRounding(Math.abs(left), size)) return false;
  }
  return before[triangle + triangleCell(j, j)] > 0;
}

/** A feature that no longer varies, but for rounding, does not vary at all: all that is left of it is its mean. */
function flatten(stats: Scatter, c: number, j: number): void {
  const { features, n, s1, s2 } = stats;
  const at = c * features;
  const step = new Float64Array(features);
  step[j] = s1[at + j] / n[c];
  moveShift(stats, c, step);
  s1[at + j] = 0;
  for (let k = 0; k < features; k++) {
    s2[c * triangleCell(features, 0) + triangleCell(Math.max(j, k), Math.min(j, k))] = 0;
  }
}

function subtractScatter(from: Scatter, what: Scatter): void {
  const { classes, features } = from;
  requireEnough(from.n, what.n, 'n');
  const taken = seenFrom(from, what);
  for (let c = 0; c < classes; c++) {
    for (let j = 0; j < features; j++) {
      const cell = c * triangleCell(features, 0) + triangleCell(j, j);
      requireSquares(from.s2[cell], taken.s2[cell], cell);
    }
  }
  const before = from.s2.slice();
  takeAway(from.n, what.n);
  subtractFrom(from.s1, taken.s1);
  subtractFrom(from.s2, taken.s2);
  for (let c = 0; c < classes; c++) {
    for (let j = 0; j < features && from.n[c] > 0; j++) if (isFlat(from, before, c, j)) flatten(from, c, j);
    if (from.n[c] > 0) continue;
    for (const array of [from.shift, from.s1]) array.fill(0, c * features, (c + 1) * features);
    from.s2.fill(0, c * triangleCell(features, 0), (c + 1) * triangleCell(features, 0));
  }
  recentre(from);
}

const arrays = {
  n: ['classes'],
  shift: ['classes', 'features'],
  s1: ['classes', 'features'],
  s2: ['classes', 'triangle'],
} as const;

/** Σwx and Σwxxᵀ without rounding. */
const products: AdditiveSpec = {
  name: 'scatter',
  arrays: { n: ['classes'], x1: ['classes', 'features'], x2: ['classes', 'triangle'] },
  counts: ['n'],
  sparse: false,
  add:
    (plus: Plus) =>
    ({ n, x1, x2 }: Readonly<Record<string, Cells>>, batch: Batch): void => {
      const { rows, features, y, w } = batch;
      const { x } = toDense(batch);
      for (let i = 0; i < rows; i++) {
        plus(n, y[i], w[i]);
        let cell = y[i] * triangleCell(features, 0);
        for (let j = 0; j < features; j++) {
          const value = x[i * features + j];
          for (const part of twoProduct(w[i], value)) plus(x1, y[i] * features + j, part);
          for (let k = 0; k <= j; k++, cell++) {
            for (const part of twoProduct(value, x[i * features + k])) {
              for (const piece of twoProduct(w[i], part)) plus(x2, cell, piece);
            }
          }
        }
      }
    },
};

/** Exact products to scatter about the mean. */
function roundProducts(stats: ExactStats): Scatter {
  const { classes, features } = stats;
  const { n, x1, x2 } = stats.cells;
  const rounded = emptyArrays<Scatter>(arrays, stats);
  rounded.n.set(roundCells(n));
  for (let c = 0; c < classes; c++) {
    const weight = n[c] ?? [];
    if (rounded.n[c] === 0) continue;
    const shifts = Float64Array.from({ length: features }, (_, j) => {
      return roundExpansion(x1[c * features + j] ?? []) / rounded.n[c];
    });
    const firsts = Array.from(shifts, (shift, j) => combineScaled([...(x1[c * features + j] ?? [])], weight, -shift));
    rounded.shift.set(shifts, c * features);
    rounded.s1.set(firsts.map(roundExpansion), c * features);
    for (let j = 0; j < features; j++) {
      for (let k = 0; k <= j; k++) {
        // Σw(xⱼ − aⱼ)(xₖ − aₖ) = Σwxⱼxₖ − aⱼΣwxₖ − aₖΣw(xⱼ − aⱼ)
        const cell = c * triangleCell(features, 0) + triangleCell(j, k);
        const sum = combineScaled([...(x2[cell] ?? [])], x1[c * features + k] ?? [], -shifts[j]);
        rounded.s2[cell] = roundExpansion(combineScaled(sum, firsts[j], -shifts[k]));
      }
    }
  }
  return rounded;
}

const exact = exactly<Scatter>(products, roundProducts);

/** Mean vector and scatter matrix by class. */
export const scatter: Statistic<Scatter> = {
  name: 'scatter',
  arrays,
  counts: ['n'],
  sparse: false,
  empty: (shape) => emptyArrays<Scatter>(arrays, shape),
  add: addScatter,
  merge(to, from) {
    const moved = seenFrom(to, from);
    for (let c = 0; c < to.classes; c++) {
      const [start, end] = [c * to.features, (c + 1) * to.features];
      if (to.n[c] === 0) to.shift.set(moved.shift.subarray(start, end), start);
    }
    for (const name of ['n', 's1', 's2'] as const) addInto(to[name], moved[name]);
    recentre(to);
  },
  subtract: subtractScatter,
  scale(stats, factor) {
    for (const name of ['n', 's1', 's2'] as const) scaleInto(stats[name], factor);
  },
  reshape: (stats, shape, moves) => reshapeArrays(arrays, stats, shape, withTriangle(moves, stats.features)),
  exact: {
    ...exact,
    reshape: (stats, shape, moves) => exact.reshape(stats, shape, withTriangle(moves, stats.features)),
  },
};
