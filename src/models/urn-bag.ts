import type { Bursts } from '../stats/bursts.ts';
import { valuesOf } from '../stats/multiset.ts';
import { combineRuns, plainWeights, type Run, wholeRun } from '../stats/runs.ts';

/** A multiset of numbers: each value with the weight of the documents in which it occurred. */
export interface Counts {
  readonly values: Float64Array;
  readonly weights: Float64Array;
}

/** Words with the same counts: they have the same parameter, so one of them speaks for all. */
export interface Kind extends Counts {
  /** How many words are of this kind. */
  readonly size: number;
  /** Σᵢ wᵢ xᵢⱼ and Σᵢ wᵢ [xᵢⱼ > 0]. */
  readonly total: number;
  readonly documents: number;
}

/** The documents of a class, as an urn sees them: counts of its words, and lengths. */
export interface Bag {
  /** The words that occurred, and the kind of each. */
  readonly words: Uint32Array;
  readonly kindOf: Uint32Array;
  readonly kinds: readonly Kind[];
  readonly lengths: Counts;
}

/** The bag of every class, or of all classes but that one. */
export function bagsOf(stats: Bursts, complement: boolean): Bag[] {
  const runs = classRuns(stats);
  if (!complement) return runs.map((run) => bagOf(run, stats.features));
  const all = runs.reduce((sum, run) => combineRuns(plainWeights, sum, run, 1), wholeRun(plainWeights, []));
  return runs.map((run) => bagOf(combineRuns(plainWeights, all, run, -1), stats.features));
}

/** The lengths of the documents of every class. */
export function lengthsOf(stats: Bursts): Counts[] {
  return classRuns(stats).map(({ cells, values, weights }) => {
    const end = firstFrom(cells, stats.features);
    return { values: values.slice(end), weights: weights.slice(end) };
  });
}

/** The counts of every class, by word. */
function classRuns(stats: Bursts): Run<Float64Array>[] {
  const width = stats.features + 1;
  const { cells, values, weights } = valuesOf(stats);
  return Array.from({ length: stats.classes }, (_, c) => {
    const [from, to] = [firstFrom(cells, c * width), firstFrom(cells, (c + 1) * width)];
    return {
      cells: cells.subarray(from, to).map((cell) => cell - c * width),
      values: values.subarray(from, to),
      weights: weights.subarray(from, to),
    };
  });
}

/** Where the first cell that is not below `cell` stands. */
function firstFrom(cells: Float64Array, cell: number): number {
  let [low, high] = [0, cells.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (cells[middle] < cell) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Gathers the words of a run into kinds. Kinds stand in an order of their own, whatever the order of the columns, so that
 * a fit gives the same bits for permuted columns. Most words of a text are rare: a class has far fewer kinds than words.
 */
function bagOf({ cells, values, weights }: Run<Float64Array>, features: number): Bag {
  const end = firstFrom(cells, features);
  const names: string[] = [];
  const words: number[] = [];
  const found = new Map<string, { from: number; to: number; size: number }>();
  for (let from = 0, to = 0; from < end; from = to) {
    let name = '';
    while (to < end && cells[to] === cells[from]) name += `${values[to]}×${weights[to++]} `;
    words.push(cells[from]);
    names.push(name);
    const kind = found.get(name);
    if (kind) kind.size++;
    else found.set(name, { from, to, size: 1 });
  }
  const order = [...found.keys()].sort();
  const place = new Map(order.map((name, k) => [name, k]));
  const kinds = order.map((name) => {
    const { from, to, size } = found.get(name)!;
    const counts = { values: values.slice(from, to), weights: weights.slice(from, to) };
    return { ...counts, size, total: sumOver(counts, (v) => v), documents: sumOver(counts, () => 1) };
  });
  return {
    words: Uint32Array.from(words),
    kindOf: Uint32Array.from(names, (name) => place.get(name)!),
    kinds,
    lengths: { values: values.slice(end), weights: weights.slice(end) },
  };
}

/** Σ w f(v) over the values of a multiset. */
export function sumOver({ values, weights }: Counts, term: (value: number) => number): number {
  let sum = 0;
  for (let k = 0; k < values.length; k++) sum += weights[k] * term(values[k]);
  return sum;
}
