import type { ExactStats, Moves, Statistic } from '../core/model.ts';
import { type Batch, type Shape, toDense } from '../data/batch.ts';
import { remainder } from '../math/arrays.ts';
import { additive, type Cells, type Plus } from './additive.ts';
import { roundCells } from './exact.ts';
import { levelOffsets, shapeOf } from './layout.ts';

/**
 * The values themselves, as a multiset: value[j,v] are the distinct values of feature j in ascending order, and
 * weight[c,j,v] = Σᵢ wᵢ [yᵢ = c, xᵢⱼ = value[j,v]]. n[c] is the weight of a class, m[c,j] that of its missing cells.
 * Sufficient for every density; grows with the number of distinct values. Merging is the union.
 */
export interface Values extends Shape {
  readonly levels: Int32Array; // the number of distinct values of each feature
  readonly n: Float64Array;
  readonly m: Float64Array;
  readonly value: Float64Array;
  readonly weight: Float64Array; // class-major: weight[c * Σ levels + offset[j] + v]
}

const addWeights =
  (plus: Plus) =>
  ({ n, m, weight }: Readonly<Record<string, Cells>>, batch: Batch): void => {
    const { rows, features, y, w } = batch;
    const { x } = toDense(batch);
    const offsets = levelOffsets(batch.levels ?? new Int32Array(features));
    for (let i = 0; i < rows; i++) {
      plus(n, y[i], w[i]);
      for (let j = 0; j < features; j++) {
        const level = x[i * features + j];
        if (Number.isNaN(level)) plus(m, y[i] * features + j, w[i]);
        else plus(weight, y[i] * offsets[features] + offsets[j] + level, w[i]);
      }
    }
  };

const counts = { n: ['classes'], m: ['classes', 'gaps'], weight: ['classes', 'levels'] } as const;

/** The weights under a fixed list of values: plain additive counts. */
const weights = additive<Values>({
  name: 'values',
  arrays: counts,
  counts: ['n', 'm', 'weight'],
  sparse: false,
  add: addWeights,
});

/** The distinct values of each feature. */
type Lists = readonly Float64Array[];

const distinct = (values: Iterable<number>) => Float64Array.from(new Set(values)).sort();

/** Operations on plain or exact weights. */
interface Keeping {
  readonly lists: (stats: Shape) => Lists;
  readonly put: (stats: Shape, lists: Lists) => void;
  readonly weighs: (stats: Shape, cell: number) => boolean;
}

function listsOf(levels: Int32Array, value: ArrayLike<number>): Lists {
  const offsets = levelOffsets(levels);
  return Array.from(levels, (count, j) => Float64Array.from({ length: count }, (_, v) => value[offsets[j] + v]));
}

const join = (lists: Lists) => Float64Array.from(lists.flatMap((list) => Array.from(list)));
const lengths = (lists: Lists) => Int32Array.from(lists, ({ length }) => length);
const levelsOf = ({ levels, features }: Shape) => levels ?? new Int32Array(features);

const plain: Keeping = {
  lists: (stats) => listsOf(levelsOf(stats), (stats as Values).value),
  put: (stats, lists) => void Object.assign(stats, { value: join(lists) }),
  weighs: (stats, cell) => (stats as Values).weight[cell] !== 0,
};

const exact: Keeping = {
  lists: (stats) => listsOf(levelsOf(stats), roundCells((stats as ExactStats).cells.value)),
  put: (stats, lists) => void Object.assign((stats as ExactStats).cells, { value: Array.from(join(lists)) }),
  weighs: (stats, cell) => Boolean((stats as ExactStats).cells.weight[cell]),
};

/** The index of each value of one list of lists in another, over all features; −1 if it is missing. */
function placesIn(from: Lists, to: Lists): Int32Array {
  const offsets = levelOffsets(lengths(to));
  return Int32Array.from(
    from.flatMap((list, j) => {
      const place = new Map(Array.from(to[j], (value, v) => [value, offsets[j] + v]));
      return Array.from(list, (value) => place.get(value) ?? -1);
    }),
  );
}

/** A statistic of weights, extended by their values. */
// biome-ignore lint/suspicious/noExplicitAny: the weights are plain or exact, and only their own statistic looks inside
function over(inner: Omit<Statistic<any>, 'exact'>, { lists, put, weighs }: Keeping): Omit<Statistic<any>, 'exact'> {
  /** A copy under other lists of values; `levels` gives the index of the current values in them. */
  const under = (stats: Shape, to: Lists, levels: Int32Array, shape: Shape = stats, moves: Moves = {}) => {
    const moved = inner.reshape(stats, { ...shapeOf(shape), levels: lengths(to) }, { ...moves, levels });
    put(moved, to);
    return moved;
  };
  const aligned = (stats: Shape, to: Lists) => under(stats, to, placesIn(lists(stats), to));
  const union = (a: Lists, b: Lists): Lists => a.map((list, j) => distinct([...list, ...b[j]]));
  /** A copy without the values of weight zero in all classes. */
  const pruned = (stats: Shape) => {
    const all = lists(stats);
    const offsets = levelOffsets(lengths(all));
    const width = offsets[stats.features];
    const kept = all.map((list, j) =>
      list.filter((_, v) => {
        for (let c = 0; c < stats.classes; c++) if (weighs(stats, c * width + offsets[j] + v)) return true;
        return false;
      }),
    );
    return aligned(stats, kept);
  };
  return {
    ...inner,
    arrays: { ...counts, value: ['levels'] },
    empty(shape) {
      const stats = inner.empty({ ...shapeOf(shape), levels: new Int32Array(shape.features) });
      put(
        stats,
        Array.from({ length: shape.features }, () => new Float64Array(0)),
      );
      return stats;
    },
    add(stats, batch) {
      const { x } = toDense(batch);
      const { rows, features } = batch;
      const column = (j: number) => Array.from({ length: rows }, (_, i) => x[i * features + j] + 0); // −0 is 0
      const columns = Array.from({ length: features }, (_, j) => column(j));
      const seen = columns.map((values) => distinct(values.filter((value) => !Number.isNaN(value))));
      const grown = aligned(stats, union(lists(stats), seen));
      const all = lists(grown);
      const codes = new Float64Array(rows * features);
      columns.forEach((values, j) => {
        const place = new Map(Array.from(all[j], (value, v) => [value, v]));
        for (let i = 0; i < rows; i++) codes[i * features + j] = place.get(values[i]) ?? Number.NaN;
      });
      const { classes, y, w } = batch;
      inner.add(grown, { classes, rows, features, x: codes, y, w, levels: lengths(all) });
      Object.assign(stats, grown);
    },
    merge(to, from) {
      const all = union(lists(to), lists(from));
      const merged = aligned(to, all);
      inner.merge(merged, aligned(from, all));
      Object.assign(to, merged);
    },
    subtract(from, what) {
      const all = union(lists(from), lists(what));
      const rest = aligned(from, all);
      inner.subtract(rest, aligned(what, all));
      Object.assign(from, pruned(rest));
    },
    reshape(stats, shape, moves) {
      const own = lists(stats);
      const place = moves.features;
      const to = place
        ? Array.from({ length: shape.features }, (_, k) => own[place.indexOf(k)] ?? new Float64Array(0))
        : own;
      return pruned(under(stats, to, place ? movedWith(place, own, to) : placesIn(own, to), shape, moves));
    },
  };
}

/** The new indices of the values when their features move. */
function movedWith(place: Int32Array, from: Lists, to: Lists): Int32Array {
  const offsets = levelOffsets(lengths(to));
  return Int32Array.from(
    from.flatMap((list, j) => Array.from(list, (_, v) => (place[j] < 0 ? -1 : offsets[place[j]] + v))),
  );
}

/** The distinct values of every feature with their weights by class. */
export const values: Statistic<Values> = {
  ...(over(weights, plain) as Omit<Statistic<Values>, 'exact'>),
  exact: {
    ...(over(weights.exact, exact) as Omit<Statistic<ExactStats>, 'exact'>),
    round(stats) {
      const rounded = weights.exact.round(stats);
      return { ...rounded, value: roundCells(stats.cells.value) } as Values;
    },
  },
};

/** Distinct values in ascending order, each with a weight above zero. */
export interface WeightedValues {
  readonly points: Float64Array;
  readonly weights: Float64Array;
  readonly total: number;
}

/** The values of feature j in class c, or in all classes together; `left` takes weight away from one of them. */
export function weightedValues(
  { classes, features, levels, value, weight }: Values,
  j: number,
  c?: number,
  left?: { readonly value: number; readonly weight: number },
): WeightedValues {
  const offsets = levelOffsets(levels);
  const [start, end, width] = [offsets[j], offsets[j + 1], offsets[features]];
  const [own, weights]: [number[], number[]] = [[], []];
  let total = 0;
  for (let v = start; v < end; v++) {
    let sum = 0;
    for (let k = c ?? 0; k < (c === undefined ? classes : c + 1); k++) sum += weight[k * width + v];
    if (left && value[v] === left.value) sum = remainder(sum, left.weight);
    if (sum === 0) continue;
    own.push(value[v]);
    weights.push(sum);
    total += sum;
  }
  return { points: Float64Array.from(own), weights: Float64Array.from(weights), total };
}
