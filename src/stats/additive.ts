import type { ExactStats, Statistic } from '../core/model.ts';
import type { Batch, Shape } from '../data/batch.ts';
import { refuse } from '../errors.ts';
import { addInto, remainder, scaleInto } from '../math/arrays.ts';
import { exactly, roundCells } from './exact.ts';
import { cellCount, type Layout, moveRuns, shapeOf } from './layout.ts';

/** Adds a value to a cell, in plain or exact arithmetic. */
export type Plus = (cells: Cells, cell: number, value: number) => void;

/** Cells of a statistic: plain numbers, or the expansions of the exact version. */
// biome-ignore lint/suspicious/noExplicitAny: one loop serves plain arrays and expansions; only `Plus` looks inside
export type Cells = any;

/** The data of an additive statistic. */
export interface Outline {
  readonly name: string;
  readonly arrays: Layout;
  readonly counts: readonly string[];
  readonly sparse: boolean;
}

/** The declaration of an additive statistic: its arrays, and one loop that adds values to cells. */
export interface AdditiveSpec extends Outline {
  add(plus: Plus): (cells: Readonly<Record<string, Cells>>, batch: Batch) => void;
}

/** The arrays of a statistic by name. */
export type Arrays = Readonly<Record<string, Float64Array>>;

const plain: Plus = (cells, cell, value) => {
  cells[cell] += value;
};

/** A statistic in plain arithmetic whose arrays are all sums over rows: merging is addition, and the rest follows. */
export function plainly<S extends Shape>(
  spec: Outline,
  add: (stats: S, batch: Batch) => void,
): Omit<Statistic<S>, 'exact'> {
  const names = Object.keys(spec.arrays);
  return {
    name: spec.name,
    arrays: spec.arrays,
    counts: spec.counts,
    sparse: spec.sparse,
    empty: (shape) => emptyArrays<S>(spec.arrays, shape),
    add,
    merge(to, from) {
      for (const name of names) addInto(arrayOf(to, name), arrayOf(from, name));
    },
    subtract(from, what) {
      for (const name of names) requireEnough(arrayOf(from, name), arrayOf(what, name), name);
      for (const name of names) takeAway(arrayOf(from, name), arrayOf(what, name));
    },
    scale(stats, factor) {
      for (const name of names) scaleInto(arrayOf(stats, name), factor);
    },
    reshape: (stats, shape, moves) => reshapeArrays(spec.arrays, stats, shape, moves),
  };
}

/** The same with its exact version, from one declaration. */
export function additive<S extends Shape>(spec: AdditiveSpec): Statistic<S> {
  return withTwin(spec, plainly<S>(spec, inPlain(spec.add)));
}

/** How the loop of a declaration adds plain numbers. */
export function inPlain<S extends Shape>(loop: AdditiveSpec['add']): (stats: S, batch: Batch) => void {
  const add = loop(plain);
  return (stats, batch) => add(stats as unknown as Arrays, batch);
}

/** A statistic in plain arithmetic with its exact version, which uses the loop of the declaration. */
export function withTwin<S extends Shape>(spec: AdditiveSpec, own: Omit<Statistic<S>, 'exact'>): Statistic<S> {
  const round = (stats: ExactStats) => {
    const arrays = Object.keys(spec.arrays).map((name) => [name, roundCells(stats.cells[name])] as const);
    return { ...shapeOf(stats), ...Object.fromEntries(arrays) } as unknown as S;
  };
  return { ...own, exact: exactly<S>(spec, round) };
}

/** One array of a statistic. */
export function arrayOf(stats: Shape, name: string): Float64Array {
  return (stats as unknown as Arrays)[name];
}

/** A statistic with all cells zero. */
export function emptyArrays<S extends Shape>(layout: Layout, shape: Shape): S {
  const stats: Record<string, unknown> = { ...shapeOf(shape) };
  for (const [name, axes] of Object.entries(layout)) stats[name] = new Float64Array(cellCount(axes, shape));
  return stats as unknown as S;
}

/** The same cells in another shape. */
export function reshapeArrays<S extends Shape>(
  layout: Layout,
  stats: S,
  shape: Shape,
  moves: Parameters<Statistic<S>['reshape']>[2],
): S {
  const moved = emptyArrays<S>(layout, shape);
  for (const [name, axes] of Object.entries(layout)) {
    const from = arrayOf(stats, name);
    const to = arrayOf(moved, name);
    moveRuns(axes, stats, shape, moves, (source, target, length) => {
      to.set(from.subarray(source, source + length), target);
    });
  }
  return moved;
}

/** A remaining spread below this share of the original is rounding. */
const SPREAD_ROUNDING = 1e-13;

/** Whether the remaining spread is only rounding after a subtraction. */
export function isRounding(left: number, before: number): boolean {
  return left <= SPREAD_ROUNDING * before;
}

/**
 * A sum of squares below this share of what was subtracted is rounding, and so are the losses from squaring tiny
 * numbers.
 */
const NEGATIVE_SQUARES = 1e-9;
const LEAST_SQUARE = 2 ** -960;

/** Throws if a larger sum of squares would be subtracted than was counted. */
export function requireSquares(have: number, take: number, cell: number): void {
  if (take - have <= NEGATIVE_SQUARES * take + LEAST_SQUARE) return;
  refuse('E_UNLEARN_UNDERFLOW', 'these rows were not learned', { array: 's2', cell });
}

/** Throws if more would be subtracted than was counted. */
export function requireEnough(have: ArrayLike<number>, take: ArrayLike<number>, name: string): void {
  for (let cell = 0; cell < have.length; cell++) {
    if (remainder(have[cell], take[cell]) >= 0) continue;
    refuse('E_UNLEARN_UNDERFLOW', `${take[cell]} cannot be subtracted from a count of ${have[cell]}`, {
      array: name,
      cell,
      have: have[cell],
      take: take[cell],
    });
  }
}

/** Subtracts cell by cell; a remainder that is only rounding becomes zero. */
export function takeAway(have: Float64Array, take: Float64Array): void {
  for (let cell = 0; cell < have.length; cell++) have[cell] = remainder(have[cell], take[cell]);
}
