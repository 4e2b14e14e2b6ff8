import { remainder } from '../math/arrays.ts';
import { type ExactSum, partsOf, plus, roundExpansion, twoProduct } from '../math/exact.ts';
import { PairIndex } from '../math/pair-index.ts';
import type { ExactCells } from './exact.ts';

/**
 * Part of a multiset: pairs of a cell and a value in ascending order, without duplicates, with the weight of every
 * pair. A run is immutable, so several statistics may share it.
 */
export interface Run<W> {
  readonly cells: Float64Array;
  readonly values: Float64Array;
  readonly weights: W;
}

/** How weights are added: as plain numbers, or as expansions without rounding. */
export interface Arithmetic<W> {
  allocate(length: number): W;
  cut(weights: W, length: number): W;
  /** to[at] += value. */
  add(to: W, at: number, value: number): void;
  /** to[at] += sign · from[k]. */
  join(to: W, at: number, from: W, k: number, sign: 1 | -1): void;
  /** Multiplies each weight by the factor of its index. */
  scaled(weights: W, factorAt: (at: number) => number): W;
  /** The sign of a remaining weight. */
  sign(weights: W, at: number): number;
}

/** Weights as plain numbers. */
export const plainWeights: Arithmetic<Float64Array> = {
  allocate: (length) => new Float64Array(length),
  cut: (weights, length) => weights.slice(0, length),
  add: (to, at, value) => {
    to[at] += value;
  },
  join: (to, at, from, k, sign) => {
    to[at] = sign > 0 ? to[at] + from[k] : remainder(to[at], from[k]);
  },
  scaled: (weights, factorAt) => weights.map((weight, at) => weight * factorAt(at)),
  sign: (weights, at) => Math.sign(weights[at]),
};

/** Weights without rounding. */
export const exactWeights: Arithmetic<ExactCells> = {
  allocate: (length) => new Array(length),
  cut: (weights, length) => weights.slice(0, length),
  add: (to, at, value) => {
    to[at] = plus(to[at], value);
  },
  join: (to, at, from, k, sign) => {
    for (const part of partsOf(from[k])) to[at] = plus(to[at], sign * part);
  },
  scaled: (weights, factorAt) =>
    weights.map((sum, at) => {
      let product: ExactSum;
      for (const part of partsOf(sum)) {
        for (const piece of twoProduct(part, factorAt(at))) product = plus(product, piece);
      }
      return product;
    }),
  sign: (weights, at) => Math.sign(roundExpansion(partsOf(weights[at]))),
};

/**
 * Creates a run from pairs in any order, possibly with duplicates. Equal pairs are added first, and values are sorted
 * cell by cell as plain numbers, which is several times faster than sorting pairs by a comparison.
 */
export function sortRun<W>(
  { allocate, add, join }: Arithmetic<W>,
  cells: Float64Array,
  values: Float64Array,
  weights: Float64Array,
): Run<W> {
  const pairs = new PairIndex();
  const sums = allocate(cells.length);
  for (let k = 0; k < cells.length; k++) add(sums, pairs.add(cells[k], values[k]), weights[k]);
  const { size } = pairs;
  const lengths = new Map<number, number>();
  for (let k = 0; k < size; k++) lengths.set(pairs.first(k), (lengths.get(pairs.first(k)) ?? 0) + 1);
  const run = { cells: new Float64Array(size), values: new Float64Array(size), weights: allocate(size) };
  const ends = new Map<number, number>();
  let from = 0;
  for (const cell of Float64Array.from(lengths.keys()).sort()) {
    ends.set(cell, from);
    run.cells.fill(cell, from, (from += lengths.get(cell) ?? 0));
  }
  for (let k = 0; k < size; k++) {
    const at = ends.get(pairs.first(k)) ?? 0;
    run.values[at] = pairs.second(k);
    ends.set(pairs.first(k), at + 1);
  }
  for (const [cell, end] of ends) run.values.subarray(end - (lengths.get(cell) ?? 0), end).sort();
  for (let k = 0; k < size; k++) join(run.weights, k, sums, pairs.find(run.cells[k], run.values[k]), 1);
  return run;
}

/** The same with weights that are multiples of `unit`; pairs of weight zero are removed. */
export function roundRun({ cells, values, weights }: Run<Float64Array>, unit: number): Run<Float64Array> {
  const rounded = weights.map((weight) => Math.round(weight / unit) * unit);
  const left = (_: number, k: number) => rounded[k] > 0;
  return { cells: cells.filter(left), values: values.filter(left), weights: rounded.filter(left) };
}

/** a + sign · b; pairs of weight zero are removed. */
export function combineRuns<W>(arithmetic: Arithmetic<W>, a: Run<W>, b: Run<W>, sign: 1 | -1): Run<W> {
  const most = a.cells.length + b.cells.length;
  const cells = new Float64Array(most);
  const values = new Float64Array(most);
  const weights = arithmetic.allocate(most);
  let kept = 0;
  for (let i = 0, k = 0; i < a.cells.length || k < b.cells.length; ) {
    const order = compare(a, i, b, k);
    cells[kept] = order <= 0 ? a.cells[i] : b.cells[k];
    values[kept] = order <= 0 ? a.values[i] : b.values[k];
    if (order <= 0) arithmetic.join(weights, kept, a.weights, i++, 1);
    if (order >= 0) arithmetic.join(weights, kept, b.weights, k++, sign);
    if (arithmetic.sign(weights, kept) !== 0) kept++;
  }
  return { cells: cells.slice(0, kept), values: values.slice(0, kept), weights: arithmetic.cut(weights, kept) };
}

/** Which pair comes first; past its end a run has only later ones. */
function compare(a: Run<unknown>, i: number, b: Run<unknown>, k: number): number {
  if (i === a.cells.length) return 1;
  if (k === b.cells.length) return -1;
  return a.cells[i] - b.cells[k] || a.values[i] - b.values[k];
}

/**
 * Adds a run to a list of runs, each more than twice as long as the next: adding n pairs one by one takes O(n log n) in
 * total, and one batch no more memory than itself, except for occasional merges.
 */
export function pushRun<W>(arithmetic: Arithmetic<W>, runs: Run<W>[], run: Run<W>): void {
  if (run.cells.length === 0) return;
  runs.push(run);
  while (runs.length > 1 && runs[runs.length - 2].cells.length <= 2 * runs[runs.length - 1].cells.length) {
    mergeLast(arithmetic, runs);
  }
}

/** All runs as one. */
export function wholeRun<W>(arithmetic: Arithmetic<W>, runs: Run<W>[]): Run<W> {
  while (runs.length > 1) mergeLast(arithmetic, runs);
  return runs[0] ?? { cells: new Float64Array(0), values: new Float64Array(0), weights: arithmetic.allocate(0) };
}

function mergeLast<W>(arithmetic: Arithmetic<W>, runs: Run<W>[]): void {
  const [a, b] = runs.splice(-2);
  runs.push(combineRuns(arithmetic, a, b, 1));
}
