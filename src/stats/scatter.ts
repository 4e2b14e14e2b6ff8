import type { ExactStats, Statistic } from '../core/model.ts';
import { type Batch, type Shape, toDense } from '../data/batch.ts';
import { addInto, hasNaN, remainder, scaleInto, subtractFrom } from '../math/arrays.ts';
import { addScaled, pairOf, twoProduct } from '../math/exact.ts';
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
import { type Layout, triangleCell, withTriangle } from './layout.ts';
import { addRows, countRows, type LabelledRows } from './row-sums.ts';

/**
 * Mean vector and scatter matrix by class, as sums of distances from a shift vector a[c] near the mean:
 *
 *   s1[c,j] = Σᵢ wᵢ (xᵢⱼ − aⱼ),   s2[c,jk] = Σᵢ wᵢ (xᵢⱼ − aⱼ)(xᵢₖ − aₖ)  for j ≥ k        (1)
 *
 * Sufficient for Gaussians with covariance. The shift follows the mean as in `moments`.
 *
 * If cells may be missing (`gappedScatter`), s1 sums over the rows in which feature j is present and s2 over those in
 * which both are. Two more sums give what the pair (j, k) lacks:
 *
 *   m[c,jk] = Σᵢ wᵢ over rows without j or without k,   o1[c,j,k] = Σᵢ wᵢ (xᵢⱼ − aⱼ) over rows with j and without k     (2)
 */
export interface Scatter extends Shape {
  readonly n: Float64Array;
  readonly shift: Float64Array;
  readonly s1: Float64Array;
  readonly s2: Float64Array; // class-major triangles
  readonly m?: Float64Array; // class-major triangles
  readonly o1?: Float64Array; // class-major, features × features
}

/** The weight of the rows of class c in which features j ≥ k are both present. */
export function presentWeight({ features, n, m }: Scatter, c: number, j: number, k: number): number {
  return m ? remainder(n[c], m[c * triangleCell(features, 0) + triangleCell(j, k)]) : n[c];
}

/** Σ w (xⱼ − aⱼ) over the rows of class c in which features j and k are both present. */
function pairSum({ features, s1, o1 }: Scatter, c: number, j: number, k: number): number {
  return s1[c * features + j] - (o1 ? o1[(c * features + j) * features + k] : 0);
}

/** The mean vector of class c over the cells that are present; zero if nothing was counted. */
export function meanVector(stats: Scatter, c: number): Float64Array {
  const { features, shift, s1 } = stats;
  const at = c * features;
  return Float64Array.from({ length: features }, (_, j) => {
    const weight = presentWeight(stats, c, j, j);
    return weight === 0 ? 0 : shift[at + j] + s1[at + j] / weight;
  });
}

/**
 * The scatter matrix Σᵢ wᵢ (xᵢ − x̄)(xᵢ − x̄)ᵀ of class c, full and row-major. With missing cells, each entry is over
 * the rows that have both features, about the means of those rows.
 */
export function scatterMatrix(stats: Scatter, c: number): Float64Array {
  const { features, s2 } = stats;
  const matrix = new Float64Array(features * features);
  const triangle = c * triangleCell(features, 0);
  for (let j = 0; j < features; j++) {
    for (let k = 0; k <= j; k++) {
      const raw = s2[triangle + triangleCell(j, k)];
      const weight = presentWeight(stats, c, j, k);
      const value = weight === 0 ? 0 : raw - (pairSum(stats, c, j, k) * pairSum(stats, c, k, j)) / weight;
      matrix[j * features + k] = matrix[k * features + j] = j === k ? Math.max(0, value) : value;
    }
  }
  return matrix;
}

/** Moves the shift of class c by a step vector; (1) and (2) for the new shift follow from those for the old one. */
function moveShift(stats: Scatter, c: number, step: Float64Array): void {
  const { features, shift, s1, s2, o1 } = stats;
  const [at, triangle] = [c * features, c * triangleCell(features, 0)];
  for (let j = 0; j < features; j++) {
    for (let k = 0; k <= j; k++) {
      const [weight, first, second] = [presentWeight(stats, c, j, k), pairSum(stats, c, j, k), pairSum(stats, c, k, j)];
      s2[triangle + triangleCell(j, k)] += weight * step[j] * step[k] - step[j] * second - step[k] * first;
    }
  }
  for (let j = 0; j < features; j++) {
    const weight = presentWeight(stats, c, j, j);
    for (let k = 0; o1 && k < features; k++) {
      const without = remainder(weight, presentWeight(stats, c, Math.max(j, k), Math.min(j, k)));
      o1[(at + j) * features + k] -= without * step[j];
    }
    s1[at + j] -= weight * step[j];
    shift[at + j] += step[j];
  }
}

/** As in `moments`: a shift that is this many standard deviations from the mean is moved. */
const FAR = 4;

function recentre(stats: Scatter): void {
  const { classes, features, shift, s1, s2 } = stats;
  for (let c = 0; c < classes; c++) {
    const [at, triangle] = [c * features, c * triangleCell(features, 0)];
    const step = new Float64Array(features);
    for (let j = 0; j < features; j++) {
      const weight = presentWeight(stats, c, j, j);
      const distance = s1[at + j] / weight;
      const variance = s2[triangle + triangleCell(j, j)] / weight - distance * distance;
      const target = shift[at + j] + distance;
      if (weight > 0 && distance * distance > FAR * FAR * variance) step[j] = target - shift[at + j];
    }
    if (step.some((distance) => distance !== 0)) moveShift(stats, c, step);
  }
}

function addScatter(stats: Scatter, batch: Batch): void {
  const labelled = { ...toDense(batch), y: batch.y, w: batch.w };
  if (stats.m) startShifts(stats, labelled);
  addDistances(stats, labelled, countRows);
  recentre(stats);
}

/** Adds rows relative to the shifts of their classes; `count` adds the weights of complete rows. */
function addDistances(stats: Scatter, labelled: LabelledRows, count: typeof countRows): void {
  const { features, n, shift } = stats;
  const [complete, gapped] = stats.m ? divideByGaps(labelled) : [labelled, undefined];
  if (gapped) addRowsWithGaps(stats, gapped);
  count({ features, n, shift }, complete);
  addRows('scatter', stats, complete);
}

/**
 * Adds rows with missing cells: a product is added if both cells are present, and `m` and `o1` hold what a pair lacks.
 */
function addRowsWithGaps(stats: Scatter, { rows, x, y, w }: LabelledRows): void {
  const { features, n, shift, s1, s2, m = new Float64Array(0), o1 = new Float64Array(0) } = stats;
  const distance = new Float64Array(features);
  const absent = new Uint8Array(features);
  for (let i = 0; i < rows; i++) {
    const at = y[i] * features;
    const weight = w[i];
    let cell = y[i] * triangleCell(features, 0);
    n[y[i]] += weight;
    for (let j = 0; j < features; j++) {
      absent[j] = Number.isNaN(x[i * features + j]) ? 1 : 0;
      distance[j] = absent[j] ? 0 : x[i * features + j] - shift[at + j];
      s1[at + j] += weight * distance[j];
    }
    for (let j = 0; j < features; j++) {
      const weighted = weight * distance[j];
      for (let k = 0; k < features; k++) if (absent[k] && !absent[j]) o1[(at + j) * features + k] += weighted;
      for (let k = 0; k <= j; k++, cell++) {
        if (absent[j] || absent[k]) m[cell] += weight;
        else s2[cell] += weighted * distance[k];
      }
    }
  }
}

/** Σwx and Σwxxᵀ in plain arithmetic: distances from zero. */
function plainProducts(layout: Layout, batch: Batch): Record<string, Float64Array> {
  const stats = emptyArrays<Scatter>(layout, batch);
  addDistances(stats, { ...toDense(batch), y: batch.y, w: batch.w }, ({ n }, { rows, y, w }) => {
    for (let i = 0; i < rows; i++) n[y[i]] += w[i];
  });
  const { n, s1: x1, s2: x2, m, o1 } = stats;
  return { n, x1, x2, ...(m && o1 && { m, o1 }) };
}

/** The rows without missing cells, which are added many times as fast, and the others, if there are any. */
function divideByGaps(all: LabelledRows): [complete: LabelledRows, gapped: LabelledRows | undefined] {
  const { rows, x } = all;
  const features = x.length / rows;
  const isGapped = (i: number) => hasNaN(x, i * features, features);
  const places = Int32Array.from({ length: rows }, (_, i) => i);
  const gapped = hasNaN(x) ? places.filter(isGapped) : places.subarray(0, 0);
  if (gapped.length === 0) return [all, undefined];
  const lacks = new Set(gapped);
  const take = (own: Int32Array): LabelledRows => {
    const cells = new Float64Array(own.length * features);
    own.forEach((i, k) => {
      cells.set(x.subarray(i * features, (i + 1) * features), k * features);
    });
    const [y, w] = [Int32Array.from(own, (i) => all.y[i]), Float64Array.from(own, (i) => all.w[i])];
    return { ...all, rows: own.length, x: cells, y, w };
  };
  return [take(places.filter((i) => !lacks.has(i))), take(gapped)];
}

/** Sets the shift of a feature that is new in class c to its first value. */
function startShifts(stats: Scatter, { rows, x, y }: LabelledRows): void {
  const { classes, features, shift } = stats;
  const open = Uint8Array.from({ length: classes * features }, (_, cell) => {
    const j = cell % features;
    return presentWeight(stats, (cell - j) / features, j, j) > 0 ? 0 : 1;
  });
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < features; j++) {
      const [cell, value] = [y[i] * features + j, x[i * features + j]];
      if (!open[cell] || Number.isNaN(value)) continue;
      shift[cell] = value;
      open[cell] = 0;
    }
  }
}

/** One statistic relative to the shifts of another. */
function seenFrom(to: Scatter, from: Scatter): Scatter {
  const { classes, features } = from;
  const moved = {
    ...from,
    shift: from.shift.slice(),
    s1: from.s1.slice(),
    s2: from.s2.slice(),
    ...(from.o1 && { o1: from.o1.slice() }),
  };
  for (let c = 0; c < classes; c++) {
    const at = c * features;
    const step = Float64Array.from({ length: features }, (_, j) =>
      presentWeight(to, c, j, j) === 0 ? 0 : to.shift[at + j] - from.shift[at + j],
    );
    if (step.some((distance) => distance !== 0)) moveShift(moved, c, step);
  }
  return moved;
}

/** Whether the remainder of a feature, alone and with the others, is only rounding. */
export function isFlat(stats: Scatter, before: Float64Array, c: number, j: number): boolean {
  const { features, s2 } = stats;
  const triangle = c * triangleCell(features, 0);
  for (let k = 0; k < features; k++) {
    const [high, low] = [Math.max(j, k), Math.min(j, k)];
    const weight = presentWeight(stats, c, high, low);
    if (weight === 0) continue;
    const left = s2[triangle + triangleCell(high, low)] - (pairSum(stats, c, j, k) / weight) * pairSum(stats, c, k, j);
    const size = Math.sqrt(before[triangle + triangleCell(j, j)]) * Math.sqrt(before[triangle + triangleCell(k, k)]);
    if (!isRounding(Math.abs(left), size)) return false;
  }
  return before[triangle + triangleCell(j, j)] > 0;
}

/** A feature whose spread is only rounding becomes constant: only its mean is kept. */
function flatten(stats: Scatter, c: number, j: number): void {
  const { features, s1, s2, o1 } = stats;
  const at = c * features;
  const weight = presentWeight(stats, c, j, j);
  const step = new Float64Array(features);
  step[j] = weight === 0 ? 0 : s1[at + j] / weight;
  moveShift(stats, c, step);
  s1[at + j] = 0;
  o1?.fill(0, (at + j) * features, (at + j + 1) * features);
  for (let k = 0; k < features; k++) {
    s2[c * triangleCell(features, 0) + triangleCell(Math.max(j, k), Math.min(j, k))] = 0;
  }
}

/** Clears the rounding remainders of features and pairs without rows. */
function clearAbsent(stats: Scatter, c: number): void {
  const { features, shift, s1, s2, o1 } = stats;
  const [at, triangle] = [c * features, c * triangleCell(features, 0)];
  for (let j = 0; j < features; j++) {
    if (presentWeight(stats, c, j, j) === 0) shift[at + j] = s1[at + j] = 0;
    for (let k = 0; k < features; k++) {
      const weight = presentWeight(stats, c, Math.max(j, k), Math.min(j, k));
      if (weight === 0 && k <= j) s2[triangle + triangleCell(j, k)] = 0;
      if (!o1) continue;
      if (remainder(presentWeight(stats, c, j, j), weight) === 0) o1[(at + j) * features + k] = 0;
      else if (weight === 0) o1[(at + j) * features + k] = s1[at + j];
    }
  }
}

function subtractScatter(from: Scatter, what: Scatter): void {
  const { classes, features } = from;
  requireEnough(from.n, what.n, 'n');
  if (from.m && what.m) requireEnough(from.m, what.m, 'm');
  const taken = seenFrom(from, what);
  for (let c = 0; c < classes; c++) {
    for (let j = 0; j < features; j++) {
      const cell = c * triangleCell(features, 0) + triangleCell(j, j);
      requireSquares(from.s2[cell], taken.s2[cell], cell);
    }
  }
  const before = from.s2.slice();
  takeAway(from.n, what.n);
  if (from.m && what.m) takeAway(from.m, what.m);
  for (const name of ['s1', 's2', 'o1'] as const) {
    const [mine, theirs] = [from[name], taken[name]];
    if (mine && theirs) subtractFrom(mine, theirs);
  }
  for (let c = 0; c < classes; c++) {
    clearAbsent(from, c);
    for (let j = 0; j < features && from.n[c] > 0; j++) if (isFlat(from, before, c, j)) flatten(from, c, j);
  }
  recentre(from);
}

const arrays = {
  n: ['classes'],
  shift: ['classes', 'features'],
  s1: ['classes', 'features'],
  s2: ['classes', 'triangle'],
} as const;

const gappedArrays = { ...arrays, m: ['classes', 'triangle'], o1: ['classes', 'features', 'features'] } as const;

/** Σwx and Σwxxᵀ without rounding, and what pairs lack by (2), if cells may be missing. */
const addProducts =
  (plus: Plus) =>
  ({ n, m, x1, x2, o1 }: Readonly<Record<string, Cells>>, batch: Batch): void => {
    const { rows, features, y, w } = batch;
    const { x } = toDense(batch);
    for (let i = 0; i < rows; i++) {
      plus(n, y[i], w[i]);
      const row = x.subarray(i * features, (i + 1) * features);
      let cell = y[i] * triangleCell(features, 0);
      for (let j = 0; j < features; j++) {
        const at = y[i] * features + j;
        const parts = Number.isNaN(row[j]) ? [] : twoProduct(w[i], row[j]);
        for (const part of parts) plus(x1, at, part);
        for (let k = 0; o1 && k < features; k++) {
          if (Number.isNaN(row[k])) for (const part of parts) plus(o1, at * features + k, part);
        }
        for (let k = 0; k <= j; k++, cell++) {
          if (Number.isNaN(row[j]) || Number.isNaN(row[k])) plus(m, cell, w[i]);
          else {
            for (const part of twoProduct(row[j], row[k])) {
              for (const piece of twoProduct(w[i], part)) plus(x2, cell, piece);
            }
          }
        }
      }
    }
  };

/** Converts exact products to scatter about the mean. */
function roundProducts(stats: ExactStats, rounded: Scatter): Scatter {
  const { classes, features } = stats;
  const { n, m, x1, x2, o1 } = stats.cells;
  rounded.n.set(roundCells(n));
  rounded.m?.set(roundCells(m));
  for (let c = 0; c < classes; c++) {
    if (rounded.n[c] === 0) continue;
    const total = pairOf(n[c]);
    const triangle = c * triangleCell(features, 0);
    const firsts = Array.from({ length: features }, (_, j) => pairOf(x1[c * features + j]));
    const shifts = rounded.shift.subarray(c * features, (c + 1) * features);
    const placeOf = (j: number, k: number) => triangle + triangleCell(Math.max(j, k), Math.min(j, k));
    /** The weight of the rows that have both features of a pair. */
    const weightOf = (pair: number) => (m?.[pair] ? addScaled(total, pairOf(m[pair]), -1) : total);
    /** Σwxⱼ over the rows that have feature k too. */
    const sumOf = (j: number, k: number) => addScaled(firsts[j], pairOf(o1[(c * features + j) * features + k]), -1);
    for (let j = 0; j < features; j++) {
      const weight = weightOf(placeOf(j, j));
      if (weight[0] > 0) shifts[j] = firsts[j][0] / weight[0];
      rounded.s1[c * features + j] = addScaled(firsts[j], weight, -shifts[j])[0];
    }
    for (let j = 0; j < features; j++) {
      const whole = addScaled(firsts[j], total, -shifts[j]);
      for (let k = 0; k <= j; k++) {
        // Σw(xⱼ − aⱼ)(xₖ − aₖ) = Σwxⱼxₖ − aⱼΣwxₖ − aₖΣw(xⱼ − aⱼ)
        const pair = placeOf(j, k);
        const gap = m?.[pair];
        const first = gap ? addScaled(sumOf(j, k), weightOf(pair), -shifts[j]) : whole;
        const sum = addScaled(pairOf(x2[pair]), gap ? sumOf(k, j) : firsts[k], -shifts[j]);
        rounded.s2[pair] = addScaled(sum, first, -shifts[k])[0];
      }
      for (let k = 0; rounded.o1 && k < features; k++) {
        const at = (c * features + j) * features + k;
        if (!m[placeOf(j, k)]) continue;
        const without = addScaled(weightOf(placeOf(j, j)), weightOf(placeOf(j, k)), -1);
        rounded.o1[at] = addScaled(pairOf(o1[at]), without, -shifts[j])[0];
      }
    }
  }
  return rounded;
}

/** Scatter with these arrays; `m` and `o1` are included if cells may be missing. */
function scatterWith(name: string, layout: Layout, counts: readonly string[]): Statistic<Scatter> {
  const sums = Object.keys(layout).filter((array) => array !== 'shift') as ('n' | 's1' | 's2')[];
  const spec: AdditiveSpec = {
    name,
    arrays: {
      n: ['classes'],
      x1: ['classes', 'features'],
      x2: ['classes', 'triangle'],
      ...(layout.m && { m: layout.m }),
      ...(layout.o1 && { o1: layout.o1 }),
    },
    counts,
    sparse: false,
    add: addProducts,
  };
  const round = (stats: ExactStats) => roundProducts(stats, emptyArrays<Scatter>(layout, stats));
  const exact = exactly<Scatter>(spec, round, { degree: 2, sums: (batch) => plainProducts(layout, batch) });
  return {
    name,
    arrays: layout,
    counts,
    sparse: false,
    empty: (shape) => emptyArrays<Scatter>(layout, shape),
    add: addScatter,
    merge(to, from) {
      const moved = seenFrom(to, from);
      for (let c = 0; c < to.classes; c++) {
        for (let j = 0; j < to.features; j++) {
          const cell = c * to.features + j;
          if (presentWeight(to, c, j, j) === 0) to.shift[cell] = moved.shift[cell];
        }
      }
      for (const array of sums) addInto(to[array], moved[array]);
      recentre(to);
    },
    subtract: subtractScatter,
    scale(stats, factor) {
      for (const array of sums) scaleInto(stats[array], factor);
    },
    reshape: (stats, shape, moves) => reshapeArrays(layout, stats, shape, withTriangle(moves, stats.features)),
    exact: {
      ...exact,
      reshape: (stats, shape, moves) => exact.reshape(stats, shape, withTriangle(moves, stats.features)),
    },
  };
}

/** Mean vector and scatter matrix by class. */
export const scatter: Statistic<Scatter> = scatterWith('scatter', arrays, ['n']);

/** The same for rows with missing cells: every mean and every product is over the rows that have it. */
export const gappedScatter: Statistic<Scatter> = scatterWith('gappedScatter', gappedArrays, ['n', 'm']);
