import type { ExactStats, ExactTwin, Factor } from '../core/model.ts';
import type { Shape } from '../data/batch.ts';
import { refuse } from '../errors.ts';
import { canonicalExpansion, growExpansion, roundExpansion, twoProduct } from '../math/exact.ts';
import type { AdditiveSpec, Plus } from './additive.ts';
import { cellCount, moveCells, shapeOf } from './layout.ts';

/** One expansion per cell; undefined is zero. */
export type ExactCells = (number[] | undefined)[];

/** Adds a value to a cell without rounding. */
const plusExactly: Plus = (cells: ExactCells, cell, value) => {
  if (value !== 0) growExpansion((cells[cell] ??= []), value);
};

/**
 * The exact twin of a statistic: every sum is kept without rounding, so that it is the same for every order, partition and
 * number of workers, and unlearning restores it to the bit.
 */
export function exactly<S extends Shape>(spec: AdditiveSpec, round: (stats: ExactStats) => S): ExactTwin<S> {
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
    add: (stats, batch) => add(stats.cells, batch),
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
          moved.cells[name][to] = stats.cells[name][from]?.slice();
        });
      }
      return moved;
    },
    round,
  };
}

function combine(to: ExactCells, from: ExactCells, sign: 1 | -1): void {
  for (let cell = 0; cell < from.length; cell++) {
    for (const part of from[cell] ?? []) plusExactly(to, cell, sign * part);
  }
}

function requireEnoughExactly(have: ExactCells, take: ExactCells, name: string): void {
  for (let cell = 0; cell < have.length; cell++) {
    const left = [...(have[cell] ?? [])];
    for (const part of take[cell] ?? []) growExpansion(left, -part);
    if (roundExpansion(left) < 0) {
      refuse('E_UNLEARN_UNDERFLOW', 'more was to be taken from a count than it holds', { array: name, cell });
    }
  }
}

function scaleExactly(cells: ExactCells, factors: Factor): void {
  for (let cell = 0; cell < cells.length; cell++) {
    const factor = typeof factors === 'number' ? factors : factors[Math.floor((cell * factors.length) / cells.length)];
    const parts = cells[cell];
    if (!parts) continue;
    cells[cell] = undefined;
    for (const part of parts) for (const piece of twoProduct(part, factor)) plusExactly(cells, cell, piece);
  }
}

/** The sums of exact cells as plain numbers, each correctly rounded. */
export function roundCells(cells: ExactCells): Float64Array {
  return Float64Array.from(cells, (parts) => (parts ? roundExpansion(parts) : 0));
}

/** Exact cells as planes of plain numbers: the first holds the rounded sums, each next one what the planes before it lack. */
export function toPlanes(cells: ExactCells): Float64Array[] {
  const canonical = Array.from(cells, (parts) => (parts ? canonicalExpansion(parts) : []));
  const depth = canonical.reduce((most, parts) => Math.max(most, parts.length), 1);
  return Array.from({ length: depth }, (_, plane) => Float64Array.from(canonical, (parts) => parts[plane] ?? 0));
}

/** The inverse of `toPlanes`. */
export function fromPlanes(planes: readonly Float64Array[]): ExactCells {
  return Array.from(planes[0], (_, cell) => {
    const parts: number[] = [];
    for (const plane of planes) if (plane[cell] !== 0) growExpansion(parts, plane[cell]);
    return parts.length > 0 ? parts : undefined;
  });
}
