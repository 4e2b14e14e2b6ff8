import type { ExactStats, Moves, Statistic } from '../core/model.ts';
import type { Batch, Shape } from '../data/batch.ts';
import { numbersOf, type Tensor } from '../data/safetensors.ts';
import { refuse } from '../errors.ts';
import { additive } from './additive.ts';
import { type ExactCells, fromPlanes, roundCells, toPlanes } from './exact.ts';
import { shapeOf } from './layout.ts';
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

type Arrays = Readonly<Record<string, Tensor>>;

const vector = (data: Tensor['data']): Tensor => ({ shape: [data.length], data });

const planeName = (name: string, plane: number) => (plane > 0 ? `${name}+${plane}` : name);

/** Weights as one array, or as the planes of sums without rounding. */
function write(name: string, weights: Float64Array | ExactCells): Arrays {
  const planes = weights instanceof Float64Array ? [weights] : toPlanes(weights);
  return Object.fromEntries(planes.map((data, plane) => [planeName(name, plane), vector(data)]));
}

/** A file with few values may declare many columns; parameters need memory for all of them. */
const FREE_CELLS = 2 ** 24;
const CELLS_PER_VALUE = 1024;

function requireCapacity({ classes, features }: Shape, values: number): void {
  const limit = FREE_CELLS + CELLS_PER_VALUE * values;
  if (classes * features <= limit) return;
  refuse('E_MODEL_LIMIT', `${classes} classes and ${features} columns are too many for ${values} values`, { limit });
}

/** A multiset as the arrays of a file: one entry per class, column and value, in this order. */
function writeMultiset({ beside }: MultisetSpec, stats: Shape, { cells, values, weights }: Run<unknown>): Arrays {
  const width = stats.features + beside;
  requireCapacity(stats, cells.length);
  const n = 'cells' in stats ? (stats as ExactStats).cells.n : (stats as Shape & { n: Float64Array }).n;
  return {
    ...write('n', n),
    class: vector(Uint32Array.from(cells, (cell) => Math.floor(cell / width))),
    column: vector(Uint32Array.from(cells, (cell) => cell % width)),
    value: vector(values),
    ...write('weight', weights as Float64Array | ExactCells),
  };
}

/** The inverse of `writeMultiset`; validates everything. */
function readMultiset(
  { beside, isValue }: MultisetSpec,
  shape: Shape,
  arrays: Arrays,
  exact: boolean,
): { stats: Shape; run: Run<Float64Array | ExactCells> } {
  const rest = new Map(Object.entries(arrays));
  const length = rest.get('value')?.data.length ?? 0;
  requireCapacity(shape, length);
  const n = readWeights(rest, 'n', shape.classes, exact);
  const weights = readWeights(rest, 'weight', length, exact);
  const values = numbers(rest, 'value', length);
  const [c, j] = ['class', 'column'].map((name) => read(rest, name, length).data);
  if (!(c instanceof Uint32Array && j instanceof Uint32Array)) return corrupt('its multiset has invalid indices');
  for (const name of rest.keys()) corrupt(`it has the unknown array ${JSON.stringify(name.slice(0, 100))}`);
  const width = shape.features + beside;
  const cells = Float64Array.from(c, (row, k) => row * width + j[k]);
  for (let k = 0; k < length; k++) {
    const placed = c[k] < shape.classes && j[k] < width && isValue(values[k], j[k], shape);
    const sorted = k === 0 || cells[k - 1] < cells[k] || (cells[k - 1] === cells[k] && values[k - 1] < values[k]);
    if (!placed || !sorted) corrupt(`entry ${k} of its multiset is out of place`);
  }
  return {
    stats: exact ? ({ ...shape, cells: { n } } as Shape) : ({ ...shape, n } as Shape),
    run: { cells, values, weights },
  };
}

const corrupt = (what: string): never => refuse('E_MODEL_CORRUPT', `the model file is damaged: ${what}`);

function read(arrays: Map<string, Tensor>, name: string, length: number): Tensor {
  const tensor = arrays.get(name);
  arrays.delete(name);
  if (tensor?.data.length !== length) corrupt(`the array ${JSON.stringify(name)} is absent or has a wrong size`);
  return tensor as Tensor;
}

const numbers = (arrays: Map<string, Tensor>, name: string, length: number) =>
  numbersOf(read(arrays, name, length)) as Float64Array;

function readWeights(
  arrays: Map<string, Tensor>,
  name: string,
  length: number,
  exact: boolean,
): Float64Array | ExactCells {
  const planes: Float64Array[] = [];
  while (planes.length === 0 || (exact && arrays.has(planeName(name, planes.length)))) {
    const plane = numbers(arrays, planeName(name, planes.length), length);
    // only the first plane must hold weights: the others hold rounding remainders
    const fits = plane.every((weight) => Number.isFinite(weight) && (planes.length > 0 || weight > 0 || name === 'n'));
    if (!fits || (planes.length === 0 && plane.some((weight) => weight < 0)))
      corrupt(`the array ${JSON.stringify(name)} holds no weights`);
    planes.push(plane);
  }
  return exact ? fromPlanes(planes) : planes[0];
}

/** A multiset of values by class and column, and the weight of each class. */
export interface Multiset extends Shape {
  readonly n: Float64Array;
  /** Runs of (c · columns + j, value) → weight. */
  readonly runs: Run<Float64Array>[];
}

/** The declaration of a multiset: which values a row adds to which columns. */
interface MultisetSpec {
  readonly name: string;
  readonly sparse: boolean;
  /** The number of columns besides the features. */
  readonly beside: number;
  /** Whether a value of column j is valid in a file. */
  isValue(value: number, j: number, shape: Shape): boolean;
  /** Calls `put(i, j, value)` for every value of every row. */
  eachValue(batch: Batch, put: (i: number, j: number, value: number) => void): void;
  /**
   * If values represent levels: the values after levels have moved, −1 for a removed one; undefined if none changes.
   */
  recode?(from: Shape, to: Shape, moves: Moves): ((value: number, j: number) => number) | undefined;
}

type Part<S extends Shape> = Omit<Statistic<S>, 'exact'>;

/** The weight of each class alone: n[c] = Σᵢ wᵢ [yᵢ = c]. */
export const weightOfClasses: Statistic<Shape & { readonly n: Float64Array }> = additive({
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
 * A statistic that loses only the order of the rows: for every class and column the values that occurred, each with the
 * weight of its rows. For densities without sufficient statistics of fixed size. Merging is the union of multisets.
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
  return refuse('E_UNLEARN_UNDERFLOW', `the value ${value} would be unlearned more often than it was learned`, {
    value,
  });
}

function runOf<W>(spec: MultisetSpec, arithmetic: Arithmetic<W>, batch: Batch): Run<W> {
  const width = batch.features + spec.beside;
  let length = spec.sparse ? 0 : batch.rows * width; // a dense row has at most as many values as columns
  if (spec.sparse) spec.eachValue(batch, () => length++);
  const [cells, values, weights] = [0, 1, 2].map(() => new Float64Array(length));
  let at = 0;
  spec.eachValue(batch, (i, j, value) => {
    cells[at] = batch.y[i] * width + j;
    values[at] = value;
    weights[at++] = batch.w[i];
  });
  return sortRun(arithmetic, cells.subarray(0, at), values.subarray(0, at), weights);
}

/** The entries of a run in another shape; those without a new index are removed. */
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
  const stays = (k: number) => place[k] >= 0 && (!change || values[k] >= 0);
  const order = new Uint32Array(place.length).map((_, k) => k).filter(stays);
  const compare = (a: number, b: number) => place[a] - place[b] || values[a] - values[b];
  if (!order.every((k, at) => at === 0 || compare(order[at - 1], k) <= 0)) order.sort(compare);
  const weights = arithmetic.allocate(order.length);
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
