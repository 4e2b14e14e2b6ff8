import type { ExactStats } from '../core/model.ts';
import type { Shape } from '../data/batch.ts';
import { numbersOf, type Tensor } from '../data/safetensors.ts';
import { refuse } from '../errors.ts';
import { type ExactCells, fromPlanes, toPlanes } from './exact.ts';
import type { MultisetSpec } from './multiset.ts';
import type { Run } from './runs.ts';

type Arrays = Readonly<Record<string, Tensor>>;

const vector = (data: Tensor['data']): Tensor => ({ shape: [data.length], data });

const planeName = (name: string, plane: number) => (plane > 0 ? `${name}+${plane}` : name);

/** Weights as one array, or as the planes of sums without rounding. */
function write(name: string, weights: Float64Array | ExactCells): Arrays {
  const planes = weights instanceof Float64Array ? [weights] : toPlanes(weights);
  return Object.fromEntries(planes.map((data, plane) => [planeName(name, plane), vector(data)]));
}

/** A file tells of few values and may speak of many columns; parameters need room for all of them. */
const FREE_CELLS = 2 ** 24;
const CELLS_PER_VALUE = 1024;

function requireRoom({ classes, features }: Shape, values: number): void {
  const limit = FREE_CELLS + CELLS_PER_VALUE * values;
  if (classes * features <= limit) return;
  refuse('E_MODEL_LIMIT', `${classes} classes and ${features} columns are too many for ${values} values`, { limit });
}

/** A multiset as the arrays of a file: one entry per class, column and value, in this order. */
export function writeMultiset(
  { beside }: MultisetSpec,
  stats: Shape,
  { cells, values, weights }: Run<unknown>,
): Arrays {
  const width = stats.features + beside;
  requireRoom(stats, cells.length);
  const n = 'cells' in stats ? (stats as ExactStats).cells.n : (stats as Shape & { n: Float64Array }).n;
  return {
    ...write('n', n),
    class: vector(Uint32Array.from(cells, (cell) => Math.floor(cell / width))),
    column: vector(Uint32Array.from(cells, (cell) => cell % width)),
    value: vector(values),
    ...write('weight', weights as Float64Array | ExactCells),
  };
}

/** The inverse of `writeMultiset`; believes nothing. */
export function readMultiset(
  { beside, isValue }: MultisetSpec,
  shape: Shape,
  arrays: Arrays,
  exact: boolean,
): { stats: Shape; run: Run<Float64Array | ExactCells> } {
  const rest = new Map(Object.entries(arrays));
  const length = rest.get('value')?.data.length ?? 0;
  requireRoom(shape, length);
  const n = readWeights(rest, 'n', shape.classes, exact);
  const weights = readWeights(rest, 'weight', length, exact);
  const values = numbers(rest, 'value', length);
  const [c, j] = ['class', 'column'].map((name) => read(rest, name, length).data);
  if (!(c instanceof Uint32Array && j instanceof Uint32Array)) return corrupt('the places of its multiset are none');
  for (const name of rest.keys()) corrupt(`it holds the array ${JSON.stringify(name.slice(0, 100))} for nothing`);
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
    // only what stands in the first plane must be a weight: the others hold what rounding took away or added
    const fits = plane.every((weight) => Number.isFinite(weight) && (planes.length > 0 || weight > 0 || name === 'n'));
    if (!fits || (planes.length === 0 && plane.some((weight) => weight < 0)))
      corrupt(`the array ${JSON.stringify(name)} holds no weights`);
    planes.push(plane);
  }
  return exact ? fromPlanes(planes) : planes[0];
}
