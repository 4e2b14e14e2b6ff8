import type { ExactStats, ExactTwin, Factor } from '../core/model.ts';
import { type Batch, label, type Shape, takeRows, toDense } from '../data/batch.ts';
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

/** One exact sum per cell. Most of them are plain numbers, which take no more space than plain sums. */
export type ExactCells = ExactSum[];

/** Adds a value to a cell without rounding. */
const plusExactly: Plus = (cells: ExactCells, cell, value) => {
  if (value !== 0) cells[cell] = plus(cells[cell], value);
};

/** The sums of a statistic in plain arithmetic, which is much faster. */
export interface PlainSums {
  /** The maximum number of cells of a row that are multiplied with each other. */
  readonly degree: number;
  sums(batch: Batch): Readonly<Record<string, Float64Array>>;
}

/** Plain sums of whole numbers are exact up to this. */
const LIMIT = 2 ** 53;
/**
 * A row that uses more than this share of the limit is added separately: adding plain sums costs as much as adding many
 * rows.
 */
const HEAVY = LIMIT / 1024;
const LEAST_UNIT = 2 ** -40;

/**
 * The share of the limit that each row uses. If all cells are multiples of a unit u, those of row i at most pᵢ, and
 * weights are integers, then sums of products of d cells are multiples of uᵈ, and plain arithmetic is exact for rows
 * with Σ wᵢ (pᵢ/u)ᵈ ≤ 2⁵³. Returns undefined if there is no such unit.
 */
function loadsOf(batch: Batch, degree: number): Float64Array | undefined {
  const { rows, features, w } = batch;
  const { x } = toDense(batch);
  const peaks = new Float64Array(rows);
  let unit = 1;
  if (!w.every(Number.isInteger)) return undefined;
  for (let k = 0; k < x.length; k++) {
    const size = Math.abs(x[k]);
    const i = Math.floor(k / features);
    if (size > peaks[i]) peaks[i] = size;
    while (size / unit > Math.floor(size / unit)) unit /= 16;
    if (unit < LEAST_UNIT) return undefined;
  }
  return peaks.map((peak, i) => w[i] * Math.max(1, peak / unit) ** degree);
}

/** Rows that are added one by one, and blocks of the others that stay within the limit. */
function divide(loads: Float64Array): { heavy: number[]; blocks: number[][] } {
  const heavy: number[] = [];
  const blocks: number[][] = [];
  let left = 0;
  loads.forEach((load, i) => {
    if (load > HEAVY) heavy.push(i);
    else {
      if (load > left || blocks.length === 0) {
        blocks.push([]);
        left = LIMIT;
      }
      blocks[blocks.length - 1].push(i);
      left -= load;
    }
  });
  return { heavy, blocks };
}

/** Some rows of a batch. */
function rowsOf(batch: Batch, rows: readonly number[]): Batch {
  if (rows.length === batch.rows) return batch;
  const { parts: _, ...shape } = shapeOf(batch);
  const y = Int32Array.from(rows, (i) => batch.y[i]);
  const w = Float64Array.from(rows, (i) => batch.w[i]);
  return label(takeRows(batch, rows), shape, y, w);
}

/**
 * The exact version of a statistic: sums are not rounded, so they are the same for every order, partition and number of
 * workers, and unlearning restores them to the bit.
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
      const loads = plain && loadsOf(batch, plain.degree);
      if (!plain || !loads) return add(stats.cells, batch);
      const { heavy, blocks } = divide(loads);
      for (const rows of blocks) {
        const sums = plain.sums(rowsOf(batch, rows));
        for (const name of names) {
          const [cells, own] = [stats.cells[name], sums[name]];
          for (let cell = 0; cell < own.length; cell++) plusExactly(cells, cell, own[cell]);
        }
      }
      if (heavy.length > 0) add(stats.cells, rowsOf(batch, heavy));
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
      refuse('E_UNLEARN_UNDERFLOW', 'cannot subtract more from a count than was counted', { array: name, cell });
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

/**
 * Exact cells as planes of plain numbers: the first holds the rounded sums, each next one the remainder of the planes
 * before it.
 */
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
