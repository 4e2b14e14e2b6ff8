import type { Statistic } from '../core/model.ts';
import { type Shape, toDense } from '../data/batch.ts';
import { numbersOf, type Tensor } from '../data/safetensors.ts';
import { refuse } from '../errors.ts';
import { remainder } from '../math/arrays.ts';
import { levelOffsets } from './layout.ts';
import { type Multiset, multiset, valuesOf } from './multiset.ts';

/**
 * The values themselves, by class and feature: w[c,j,v] = Σᵢ wᵢ [yᵢ = c, xᵢⱼ = v] for every distinct value v, which is not
 * missing. Sufficient for every density; grows with the number of distinct values. Merging is the union.
 */
export type Values = Multiset;

const own = multiset<Values>({
  name: 'values',
  sparse: false,
  beside: 0,
  isValue: Number.isFinite,
  eachValue(batch, put) {
    const { rows, features } = batch;
    const { x } = toDense(batch);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < features; j++) {
        const value = x[i * features + j] + 0; // −0 is 0
        if (!Number.isNaN(value)) put(i, j, value);
      }
    }
  },
});

type Arrays = Readonly<Record<string, Tensor>>;

/** The arrays of a file of version 0.1: the distinct values of each feature, and a table of their weights by class. */
function fromTable({ classes, features, levels }: Shape, arrays: Arrays): Arrays {
  if (!levels) return refuse('E_MODEL_CORRUPT', 'the model file is damaged: it has no values');
  const offsets = levelOffsets(levels);
  const width = offsets[features];
  const [value, weight] = ['value', 'weight'].map((name) => numbersOf(arrays[name]) ?? new Float64Array(0));
  if (value.length !== width || weight.length !== classes * width) {
    refuse('E_MODEL_CORRUPT', 'the model file is damaged: its values do not fit their weights');
  }
  const columns = Array.from(levels, (count, j) => new Array<number>(count).fill(j)).flat();
  const kept = [...weight.keys()].filter((cell) => weight[cell] !== 0);
  const vector = (data: Tensor['data']): Tensor => ({ shape: [data.length], data });
  const planes = Object.entries(arrays).flatMap(([name, tensor]) => {
    if (name.startsWith('n')) return [[name, tensor] as const];
    if (!name.startsWith('weight')) return [];
    return [[name, vector(Float64Array.from(kept, (cell) => Number(tensor.data[cell])))] as const];
  });
  return {
    ...Object.fromEntries(planes),
    class: vector(Uint32Array.from(kept, (cell) => Math.floor(cell / width))),
    column: vector(Uint32Array.from(kept, (cell) => columns[cell % width])),
    value: vector(Float64Array.from(kept, (cell) => value[cell % width])),
  };
}

/** The same statistic, which also reads files of version 0.1. */
function readingTables<K extends { fromArrays?(shape: Shape, arrays: Arrays): Shape }>(kind: K): K {
  const fromArrays = (shape: Shape, arrays: Arrays) => {
    const { levels: _, ...rest } = shape;
    return kind.fromArrays!(rest, 'class' in arrays ? arrays : fromTable(shape, arrays)); // a multiset has it
  };
  return { ...kind, fromArrays };
}

/** The distinct values of every feature with their weights by class. */
export const values: Statistic<Values> = { ...readingTables(own), exact: readingTables(own.exact) };

/** Distinct values in ascending order, each with a weight above zero. */
export interface WeightedValues {
  readonly points: Float64Array;
  readonly weights: Float64Array;
  readonly total: number;
}

/** Reads the values of feature j in class c, or in all classes together; `left` takes weight away from one of them. */
type ValueReader = (
  j: number,
  c?: number,
  left?: { readonly value: number; readonly weight: number },
) => WeightedValues;

const weighted = (points: Float64Array, weights: Float64Array): WeightedValues => ({
  points,
  weights,
  total: weights.reduce((sum, weight) => sum + weight, 0),
});

/** Reads the values of a statistic, which must not change in the meantime. */
export function valueReader(stats: Values): ValueReader {
  const { classes, features } = stats;
  const { cells, values: points, weights } = valuesOf(stats);
  const starts = new Uint32Array(classes * features + 1);
  for (const cell of cells) starts[cell + 1]++;
  for (let cell = 0; cell < classes * features; cell++) starts[cell + 1] += starts[cell];
  const inClass = (j: number, c: number) => {
    const [from, to] = [starts[c * features + j], starts[c * features + j + 1]];
    return weighted(points.subarray(from, to), weights.subarray(from, to));
  };
  const inAll = Array.from({ length: features }, (_, j) => {
    const sums = new Map<number, number>();
    for (let c = 0; c < classes; c++) {
      const part = inClass(j, c);
      for (const [v, value] of part.points.entries()) sums.set(value, (sums.get(value) ?? 0) + part.weights[v]);
    }
    const sorted = Float64Array.from(sums.keys()).sort();
    return weighted(
      sorted,
      sorted.map((value) => sums.get(value)!),
    ); // its own key
  });
  return (j, c, left) => {
    const all = c === undefined ? inAll[j] : inClass(j, c);
    const at = left ? all.points.indexOf(left.value) : -1;
    if (!left || at < 0) return all;
    const rest = all.weights.with(at, remainder(all.weights[at], left.weight));
    const stays = (_: number, v: number) => rest[v] !== 0;
    return weighted(all.points.filter(stays), rest.filter(stays));
  };
}
