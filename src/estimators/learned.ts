import type { State } from '../core/artifact.ts';
import type { ExactStats, ExactTwin, Statistic } from '../core/model.ts';
import type { Shape } from '../data/batch.ts';
import { checkNames } from '../data/input.ts';
import { compareLabels, type Label, sortClasses } from '../data/labels.ts';
import type { Tensor } from '../data/safetensors.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { PolyaError, refuse } from '../errors.ts';
import { fromPlanes, toPlanes } from '../stats/exact.ts';
import { axisLength, cellCount } from '../stats/layout.ts';

/** A statistic in plain or in exact arithmetic: what an estimator keeps. */
export type Keeper<S extends Shape> = Omit<Statistic<S>, 'exact'> | ExactTwin<S>;

/** The learned state of an estimator: statistics, schema and classes. Everything else follows from it. */
export interface Learned<S extends Shape> {
  readonly names: readonly string[] | undefined;
  readonly classes: readonly Label[];
  /** The list of classes was given and takes no others. */
  readonly closed: boolean;
  readonly stats: S | ExactStats;
  /** What else is known of the columns, such as the names of their levels. */
  readonly schema?: JsonValue;
}

const PREFIX = 'stats.';

/** The learned state as plain data. */
export function toState<S extends Shape>(
  keeper: Keeper<S>,
  { names, classes, closed, stats, schema }: Learned<S>,
): Pick<State, 'learned' | 'arrays'> {
  const arrays = prefixed(PREFIX, arraysOf(keeper, stats));
  const learned: Record<string, JsonValue> = { classes: [...classes], closed, ...outlineOf(stats) };
  if (names) learned.names = [...names];
  if (schema !== undefined) learned.schema = schema;
  return { learned, arrays };
}

const prefixed = (prefix: string, arrays: Readonly<Record<string, Tensor>>) =>
  Object.fromEntries(Object.entries(arrays).map(([name, tensor]) => [prefix + name, tensor]));

/** All arrays of a statistic; those of a part have its name before theirs. */
function arraysOf<S extends Shape>(keeper: Keeper<S>, stats: S | ExactStats): Record<string, Tensor> {
  const own = keeper.toArrays?.(stats as never) ?? plainArrays(keeper, stats);
  const parts = Object.entries(stats.parts ?? {}).map(([name, part]) =>
    keeper.part ? prefixed(`${name}.`, arraysOf(keeper.part(name) as Keeper<Shape>, part)) : {},
  );
  return Object.assign({}, own, ...parts);
}

/** What a file tells of a shape. */
function outlineOf({ features, levels, missing, parts }: Shape): Record<string, JsonValue> {
  return {
    features,
    ...(levels && { levels: [...levels] }),
    ...(missing && { missing: true }),
    ...(parts && { parts: Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, outlineOf(part)])) }),
  };
}

/** The arrays of a statistic whose layout tells their lengths; sums in exact arithmetic take several planes. */
function plainArrays<S extends Shape>(keeper: Keeper<S>, stats: S | ExactStats): Record<string, Tensor> {
  const arrays: Record<string, Tensor> = {};
  for (const [name, axes] of Object.entries(keeper.arrays)) {
    const shape = axes.map((axis) => axisLength(axis, stats));
    const planes =
      'cells' in stats ? toPlanes(stats.cells[name]) : [(stats as unknown as Record<string, Float64Array>)[name]];
    planes.forEach((data, plane) => {
      arrays[`${name}${plane > 0 ? `+${plane}` : ''}`] = { shape, data };
    });
  }
  return arrays;
}

const corrupt = (what: string, cause?: unknown): never =>
  refuse('E_MODEL_CORRUPT', `the model file is damaged: ${what}`, {}, cause);

/** The inverse of `toState`; believes nothing. */
export function fromState<S extends Shape>(keeper: Keeper<S>, { learned, arrays }: State): Learned<S> {
  const unknown = Object.keys(learned).find(
    (key) => !['classes', 'closed', 'features', 'names', 'levels', 'missing', 'parts', 'schema'].includes(key),
  );
  if (unknown !== undefined) corrupt(`it has the unknown entry ${JSON.stringify(unknown.slice(0, 100))}`);
  const classes = readClasses(learned.classes);
  const closed = learned.closed;
  if (typeof closed !== 'boolean') return corrupt('it does not say whether the list of classes is closed');
  const shape = readShape(learned, classes.length);
  const names = readNames(learned.names, shape.features);
  const own = new Map(
    Object.entries(arrays).map(([name, tensor]) => [
      name.startsWith(PREFIX) ? name.slice(PREFIX.length) : corruptArray(name),
      tensor,
    ]),
  );
  const stats = statsFrom(keeper, shape, own);
  const { schema } = learned;
  return { names, classes, closed, stats: stats as unknown as S | ExactStats, ...(schema !== undefined && { schema }) };
}

/** The inverse of `arraysOf`. */
function statsFrom<S extends Shape>(keeper: Keeper<S>, shape: Shape, arrays: Map<string, Tensor>): Shape {
  const { parts: shapes, ...own } = shape;
  if (!shapes !== !keeper.part) return corrupt('its parts are wrong');
  const parts = Object.entries(shapes ?? {}).map(([name, part]) => {
    const inside = new Map<string, Tensor>();
    for (const [key, tensor] of arrays) {
      if (!key.startsWith(`${name}.`)) continue;
      inside.set(key.slice(name.length + 1), tensor);
      arrays.delete(key);
    }
    return [name, statsFrom(keeper.part?.(name) as Keeper<Shape>, part, inside)] as const;
  });
  const stats = keeper.fromArrays
    ? keeper.fromArrays(own, Object.fromEntries(arrays))
    : fromPlainArrays(keeper, own, arrays);
  return shapes ? { ...stats, parts: Object.fromEntries(parts) } : stats;
}

function fromPlainArrays<S extends Shape>(
  keeper: Keeper<S>,
  shape: Shape,
  arrays: Map<string, Tensor>,
): Shape | ExactStats {
  const cells = Object.entries(keeper.arrays).map(([name, axes]) => {
    const planes: Float64Array[] = [];
    for (let plane = 0; plane === 0 || ('round' in keeper && arrays.has(`${name}+${plane}`)); plane++) {
      const key = `${name}${plane > 0 ? `+${plane}` : ''}`;
      planes.push(readCells(arrays.get(key), key, cellCount(axes, shape), plane === 0 && keeper.counts.includes(name)));
      arrays.delete(key);
    }
    return [name, planes] as const;
  });
  for (const name of arrays.keys()) corruptArray(name);
  return 'round' in keeper
    ? { ...shape, cells: Object.fromEntries(cells.map(([name, planes]) => [name, fromPlanes(planes)])) }
    : { ...shape, ...Object.fromEntries(cells.map(([name, planes]) => [name, planes[0]])) };
}

const corruptArray = (name: string): never =>
  corrupt(`it holds the array ${JSON.stringify(name.slice(0, 100))} for nothing`);

function readClasses(value: JsonValue | undefined): Label[] {
  if (!Array.isArray(value) || value.length === 0) return corrupt('it has no classes');
  try {
    const classes = sortClasses(value);
    if (classes.every((label, c) => compareLabels(label, value[c] as Label) === 0)) return classes;
  } catch (cause) {
    if (cause instanceof PolyaError) corrupt('its classes are not labels', cause);
    throw cause;
  }
  return corrupt('its classes are not in order');
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function readShape({ features, levels, missing, parts }: State['learned'], classes: number): Shape {
  if (!isCount(features)) return corrupt('its number of features is wrong');
  if (missing !== undefined && missing !== true) corrupt('its entry on missing values is wrong');
  const gaps = { ...(missing && { missing: true }), ...(parts !== undefined && { parts: readParts(parts, classes) }) };
  if (levels === undefined) return { classes, features, ...gaps };
  const fits = Array.isArray(levels) && levels.length === features && levels.every((n) => isCount(n) && n < 2 ** 31);
  if (!fits) return corrupt('its levels are wrong');
  return { classes, features, levels: Int32Array.from(levels as number[]), ...gaps };
}

const PART_NAME = /^[a-z]+[0-9]*$/;

function readParts(value: JsonValue, classes: number): Record<string, Shape> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return corrupt('its parts are wrong');
  const parts = Object.entries(value).map(([name, part]) => {
    const fits = PART_NAME.test(name) && typeof part === 'object' && part !== null && !Array.isArray(part);
    const known = fits && Object.keys(part).every((key) => ['features', 'levels', 'missing'].includes(key));
    return known ? ([name, readShape(part, classes)] as const) : corrupt('its parts are wrong');
  });
  return Object.fromEntries(parts);
}

function readNames(value: JsonValue | undefined, features: number): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const fits = Array.isArray(value) && value.length === features && value.every((name) => typeof name === 'string');
  if (!fits) return corrupt('its column names are wrong');
  try {
    return checkNames(value as string[]);
  } catch (cause) {
    return corrupt('its column names are wrong', cause);
  }
}

function readCells(tensor: Tensor | undefined, name: string, length: number, counts: boolean): Float64Array {
  if (!tensor || !(tensor.data instanceof Float64Array) || tensor.data.length !== length) {
    return corrupt(`the array ${JSON.stringify(name)} is absent or has a wrong size`);
  }
  for (const value of tensor.data) {
    if (!Number.isFinite(value) || (counts && value < 0)) corrupt(`the array ${JSON.stringify(name)} holds ${value}`);
  }
  return tensor.data.slice();
}
