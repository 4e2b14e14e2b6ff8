import type { ExactStats, Moves, Statistic } from '../core/model.ts';
import type { Batch, Shape } from '../data/batch.ts';
import { refuse } from '../errors.ts';
import { additive } from './additive.ts';
import { type ExactCells, roundCells } from './exact.ts';
import { shapeOf } from './layout.ts';
import { readMultiset, writeMultiset } from './multiset-arrays.ts';
import {
  type Arithmetic,
  combineRuns,
  exactWeights,
  plainWeights,
  pushRun,
  type Run,
  sortRun,
  wholeRun,
} from './runs.ts';

/** A multiset of values by class and column, beside the weight of each class. */
export interface Multiset extends Shape {
  readonly n: Float64Array;
  /** Runs of (c · columns + j, value) → weight. */
  readonly runs: Run<Float64Array>[];
}

/** How a multiset is declared: which values a row puts into which columns. */
export interface MultisetSpec {
  readonly name: string;
  readonly sparse: boolean;
  /** How many columns there are beside the features. */
  readonly beside: number;
  /** Whether a value of column j may stand in a file. */
  isValue(value: number, j: number, shape: Shape): boolean;
  /** Calls `put(i, j, value)` for every value of every row. */
  eachValue(batch: Batch, put: (i: number, j: number, value: number) => void): void;
  /** Where values stand for levels: the values after levels moved, −1 for one that is gone; undefined if none changes. */
  recode?(from: Shape, to: Shape, moves: Moves): ((value: number, j: number) => number) | undefined;
}

type Part<S extends Shape> = Omit<Statistic<S>, 'exact'>;

const weightOfClasses = additive<Shape & { readonly n: Float64Array }>({
  name: 'rows',
  arrays: { n: ['classes'] },
  counts: ['n'],
  sparse: true,
  add:
    (plus) =>
    ({ n }, { rows, y, w }) => {
      for (let i = 0; i < rows; i++) plus(n, y[i], w[i]);
    },
});

/** All values of a multiset in order of class, column and value. */
export function valuesOf({ runs }: Multiset): Run<Float64Array> {
  return wholeRun(plainWeights, runs);
}

/**
 * A statistic that forgets nothing but the order of the rows: for every class and column the values that occurred, each
 * with the weight of its rows. For densities that no fixed number of sums can give. Merging is the union of multisets.
 */
export function multiset<S extends Multiset>(spec: MultisetSpec): Statistic<S> {
  const twin = withRuns(spec, weightOfClasses.exact, exactWeights);
  const plain = withRuns(spec, weightOfClasses, plainWeights);
  const round = (stats: ExactStats): S => {
    const { cells, values, weights } = wholeRun(exactWeights, runsOf<ExactCells>(stats));
    const { n } = weightOfClasses.exact.round(stats);
    return { ...shapeOf(stats), n, runs: [{ cells, values, weights: roundCells(weights) }] } as unknown as S;
  };
  return { ...plain, exact: { ...twin, round } } as unknown as Statistic<S>;
}

function runsOf<W>(stats: Shape): Run<W>[] {
  return (stats as Shape & { readonly runs: Run<W>[] }).runs;
}

function withRuns<S extends Shape, W>(spec: MultisetSpec, base: Part<S>, arithmetic: Arithmetic<W>): Part<S> {
  const whole = (stats: Shape) => wholeRun(arithmetic, runsOf<W>(stats));
  const withRun = (stats: S, run?: Run<W>): S => ({ ...stats, runs: run && run.cells.length > 0 ? [run] : [] });
  return {
    ...base,
    name: spec.name,
    sparse: spec.sparse,
    empty: (shape) => withRun(base.empty(shape)),
    add(stats, batch) {
      base.add(stats, batch);
      pushRun(arithmetic, runsOf(stats), runOf(spec, arithmetic, batch));
    },
    merge(to, from) {
      base.merge(to, from);
      pushRun(arithmetic, runsOf(to), whole(from));
    },
    subtract(from, what) {
      const left = combineRuns(arithmetic, whole(from), whole(what), -1);
      for (let k = 0; k < left.cells.length; k++) {
        if (arithmetic.sign(left.weights, k) < 0) refuseToTake(left.values[k]);
      }
      base.subtract(from, what);
      runsOf(from).splice(0, 1, ...(left.cells.length > 0 ? [left] : []));
    },
    scale(stats, factor) {
      base.scale(stats, factor);
      const runs = runsOf<W>(stats);
      const width = stats.features + spec.beside;
      runs.forEach((run, k) => {
        const factorAt = (at: number) =>
          typeof factor === 'number' ? factor : factor[Math.floor(run.cells[at] / width)];
        runs[k] = { ...run, weights: arithmetic.scaled(run.weights, factorAt) };
      });
    },
    reshape: (stats, shape, moves) =>
      withRun(base.reshape(stats, shape, moves), moveRun(spec, arithmetic, whole(stats), stats, shape, moves)),
    toArrays: (stats) => writeMultiset(spec, stats, whole(stats)),
    fromArrays(shape, arrays) {
      const { stats, run } = readMultiset(spec, shape, arrays, 'round' in base);
      return withRun(stats as S, run as unknown as Run<W>);
    },
  };
}

function refuseToTake(value: number): never {
  return refuse('E_UNLEARN_UNDERFLOW', `the value ${value} was to be taken away more often than it was learned`, {
    value,
  });
}

function runOf<W>(spec: MultisetSpec, arithmetic: Arithmetic<W>, batch: Batch): Run<W> {
  const width = batch.features + spec.beside;
  let room = spec.sparse ? 0 : batch.rows * width; // a dense row has no more values than columns
  if (spec.sparse) spec.eachValue(batch, () => room++);
  const [cells, values, weights] = [0, 1, 2].map(() => new Float64Array(room));
  let at = 0;
  spec.eachValue(batch, (i, j, value) => {
    cells[at] = batch.y[i] * width + j;
    values[at] = value;
    weights[at++] = batch.w[i];
  });
  return sortRun(arithmetic, cells.subarray(0, at), values.subarray(0, at), weights);
}

/** Where the entries of a run stand in another shape; those that have no place there are gone. */
function moveRun<W>(
  { beside, recode }: MultisetSpec,
  arithmetic: Arithmetic<W>,
  run: Run<W>,
  from: Shape,
  to: Shape,
  moves: Moves,
): Run<W> {
  const change = recode?.(from, to, moves);
  if (!change && !moves.features && isIdentity(moves.classes, from.classes) && from.features === to.features)
    return run;
  const [width, wide] = [from.features + beside, to.features + beside];
  const values = change ? run.values.map((value, k) => change(value, run.cells[k] % width)) : run.values;
  const place = run.cells.map((cell) => {
    const [c, j] = [Math.floor(cell / width), cell % width];
    const column = j >= from.features ? j - from.features + to.features : (moves.features?.[j] ?? j);
    const row = moves.classes?.[c] ?? c;
    return row < 0 || column < 0 ? -1 : row * wide + column;
  });
  const order = new Uint32Array(place.length).map((_, k) => k).filter((k) => place[k] >= 0 && values[k] >= 0);
  const compare = (a: number, b: number) => place[a] - place[b] || values[a] - values[b];
  if (!order.every((k, at) => at === 0 || compare(order[at - 1], k) <= 0)) order.sort(compare);
  const weights = arithmetic.room(order.length);
  order.forEach((k, at) => {
    arithmetic.join(weights, at, run.weights, k, 1);
  });
  return {
    cells: Float64Array.from(order, (k) => place[k]),
    values: Float64Array.from(order, (k) => values[k]),
    weights,
  };
}

const isIdentity = (moves: Int32Array | undefined, length: number) =>
  !moves || (moves.length === length && moves.every((place, c) => place === c));
