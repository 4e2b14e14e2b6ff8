import type { ExactStats, ExactTwin, Factor } from '../core/model.ts';
import { type Batch, type Shape, toDense } from '../data/batch.ts';
import { refuse } from '../errors.ts';
import {
  canonicalExpansion,
  type ExactSum,
  growExpansion,
  partsOf,
  plus,
  roundExpansion,
  twoProduct,
} from '../math/exact.ts';
import type { AdditiveSpec, Plus } from './additive.ts';
import { cellCount, moveCells, shapeOf } from './layout.ts';

/** One exact sum per cell. Most of them are numbers, for which an array needs as little room as one of plain sums. */
export type ExactCells = ExactSum[];

/** Adds a value to a cell without rounding. */
const plusExactly: Plus = (cells: ExactCells, cell, value) => {
  if (value !== 0) cells[cell] = plus(cells[cell], value);
};

/** The sums of a statistic in plain arithmetic, which is much faster. */
export interface PlainSums {
  /** The most cells of a row that are multiplied with each other. */
  readonly degree: number;
  sums(batch: Batch): Readonly<Record<string, Float64Array>>;
}

/** Plain sums of fewer rows than this at once are not worth their way into expansions. */
const ROWS_AT_ONCE = 1024;

/**
 * How many of these rows can be summed in plain arithmetic without rounding. If all cells are multiples of a unit u and at most p, and
 * weights whole numbers, a sum of products of d cells is a multiple of uᵈ, and exact as long as Σw (p/u)ᵈ ≤ 2⁵³.
 */
function exactRows(batch: Batch, degree: number): number {
  const { x } = toDense(batch);
  let [unit, peak, weight] = [1, 1, 1];
  for (const w of batch.w) {
    if (!Number.isInteger(w)) return 0;
    if (w > weight) weight = w;
  }
  for (let k = 0; k < x.length; k++) {
    const size = Math.abs(x[k]);
    if (size > peak) peak = size;
    while (size / unit > Math.floor(size / unit)) unit /= 16;
    if (unit < LEAST_UNIT) return 0;
  }
  return Math.floor(2 ** 53 / (weight * (peak / unit) ** degree));
}

const LEAST_UNIT = 2 ** -40;

/** The rows [from … to) of a batch. */
function rowsFrom(batch: Batch, from: number, to: number): Batch {
  if (to - from === batch.rows) return batch;
  const { features, classes, levels, missing } = batch;
  const { x } = toDense(batch);
  const shape = { classes, features, ...(levels && { levels }), ...(missing && { missing }) };
  const rows = { rows: to - from, x: x.subarray(from * features, to * features) };
  return { ...shape, ...rows, y: batch.y.subarray(from, to), w: batch.w.subarray(from, to) };
}

/**
 * The exact twin of a statistic: every sum is kept without rounding, so that it is the same for every order, partition and
 * number of workers, and unlearning restores it to the bit.
 */
export function exactly<S extends Shape>(
  spec: AdditiveSpec,
  round: (stats: ExactStats) => S,
  plain?: PlainSums,
): ExactTwin<S> {
  const names = Object.keys(spec.arrays);
  const add = spec.add(plusExactly);
  const empty = (shape: Shape): ExactStats => ({
    ...shapeOf(shape),
    cells: Object.fromEntries(names.map((name) => [name, new Array(cellCount(spec.arrays[name], shape))])),
  });
  return {
    name: spec.name,
    arrays: spec.arrays,
    counts: spec.counts,
    sparse: spec.sparse,
    empty,
    add(stats, batch) {
      const most = plain ? exactRows(batch, plain.degree) : 0;
      if (!plain || most < Math.min(batch.rows, ROWS_AT_ONCE)) return add(stats.cells, batch);
      for (let from = 0; from < batch.rows; from += most) {
        const sums = plain.sums(rowsFrom(batch, from, Math.min(batch.rows, from + most)));
        for (const name of names) {
          const [cells, plainly] = [stats.cells[name], sums[name]];
          for (let cell = 0; cell < plainly.length; cell++) plusExactly(cells, cell, plainly[cell]);
        }
      }
    },
    merge(to, from) {
      for (const name of names) combine(to.cells[name], from.cells[name], 1);
    },
    subtract(from, what) {
      for (const name of spec.counts) requireEnoughExactly(from.cells[name], what.cells[name], name);
      for (const name of names) combine(from.cells[name], what.cells[name], -1);
    },
    scale(stats, factor) {
      for (const name of names) scaleExactly(stats.cells[name], factor);
    },
    reshape(stats, shape, moves) {
      const moved = empty(shape);
      for (const name of names) {
        moveCells(spec.arrays[name], stats, shape, moves, (from, to) => {
          const sum = stats.cells[name][from];
          if (sum) moved.cells[name][to] = typeof sum === 'object' ? sum.slice() : sum;
        });
      }
      return moved;
    },
    round,
  };
}

function combine(to: ExactCells, from: ExactCells, sign: 1 | -1): void {
  for (let cell = 0; cell < from.length; cell++) {
    const sum = from[cell];
    if (typeof sum === 'object') for (const part of sum) plusExactly(to, cell, sign * part);
    else if (sum) plusExactly(to, cell, sign * sum);
  }
}

function requireEnoughExactly(have: ExactCells, take: ExactCells, name: string): void {
  for (let cell = 0; cell < have.length; cell++) {
    if (!take[cell]) continue;
    const left = [...partsOf(have[cell])];
    for (const part of partsOf(take[cell])) growExpansion(left, -part);
    if (roundExpansion(left) < 0) {
      refuse('E_UNLEARN_UNDERFLOW', 'more was to be taken from a count than it holds', { array: name, cell });
    }
  }
}

function scaleExactly(cells: ExactCells, factors: Factor): void {
  for (let cell = 0; cell < cells.length; cell++) {
    const factor = typeof factors === 'number' ? factors : factors[Math.floor((cell * factors.length) / cells.length)];
    if (!cells[cell]) continue;
    const parts = partsOf(cells[cell]);
    cells[cell] = 0;
    for (const part of parts) for (const piece of twoProduct(part, factor)) plusExactly(cells, cell, piece);
  }
}

/** The sums of exact cells as plain numbers, each correctly rounded. */
export function roundCells(cells: ExactCells): Float64Array {
  const rounded = new Float64Array(cells.length);
  for (let cell = 0; cell < cells.length; cell++) {
    const sum = cells[cell];
    if (sum) rounded[cell] = typeof sum === 'object' ? roundExpansion(sum) : sum;
  }
  return rounded;
}

/** Exact cells as planes of plain numbers: the first holds the rounded sums, each next one what the planes before it lack. */
export function toPlanes(cells: ExactCells): Float64Array[] {
  const planes = [new Float64Array(cells.length)];
  for (let cell = 0; cell < cells.length; cell++) {
    const sum = cells[cell];
    if (typeof sum === 'object') {
      for (const [plane, part] of canonicalExpansion(sum).entries()) {
        planes[plane] ??= new Float64Array(cells.length);
        planes[plane][cell] = part;
      }
    } else if (sum) planes[0][cell] = sum;
  }
  return planes;
}

/** The inverse of `toPlanes`. */
export function fromPlanes(planes: readonly Float64Array[]): ExactCells {
  const cells: ExactCells = new Array(planes[0].length);
  for (const plane of planes) for (let cell = 0; cell < plane.length; cell++) plusExactly(cells, cell, plane[cell]);
  return cells;
}
