import type { State } from '../core/artifact.ts';
import type { ExactStats } from '../core/model.ts';
import type { Shape } from '../data/batch.ts';
import { checkNames } from '../data/input.ts';
import { compareLabels, type Label } from '../data/labels.ts';
import { isParents, type Parents } from '../data/parents.ts';
import { numbersOf, type Tensor, type TensorData } from '../data/safetensors.ts';
import { numbersLater } from '../data/stored.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import { fromPlanes } from '../stats/exact.ts';
import { cellCount } from '../stats/layout.ts';
import { type Keeper, type Learned, PREFIX, requireFewClasses } from './learned.ts';
import { largestCount } from './overflow.ts';

const corrupt = (what: string, cause?: unknown): never =>
  refuse('E_MODEL_CORRUPT', `the model file is damaged: ${what}`, {}, cause);

/** The inverse of `describe`; believes nothing. */
export function readDescription(learned: State['learned']) {
  const unknown = Object.keys(learned).find(
    (key) => !['classes', 'closed', 'features', 'names', 'levels', 'missing', 'given', 'parts', 'schema'].includes(key),
  );
  if (unknown !== undefined) corrupt(`it has the unknown entry ${JSON.stringify(unknown.slice(0, 100))}`);
  const classes = readClasses(learned.classes);
  const { closed, schema } = learned;
  if (typeof closed !== 'boolean') return corrupt('it does not say whether the list of classes is closed');
  const shape = readShape(learned, classes.length);
  const names = readNames(learned.names, shape.features);
  return { names, classes, closed, shape, schema };
}

/** The inverse of `toState`; believes nothing. */
export function fromState<S extends Shape>(keeper: Keeper<S>, { learned, arrays }: State): Learned<S> {
  const { shape, ...known } = readDescription(learned);
  const own = new Map(
    Object.entries(arrays).map(([name, tensor]) => [
      name.startsWith(PREFIX) ? name.slice(PREFIX.length) : corruptArray(name),
      tensor,
    ]),
  );
  const stats = statsFrom(keeper, shape, own) as unknown as S | ExactStats;
  const whole = Object.values(arrays).every(({ data }) => data.length === 0 || isUnsigned(data));
  return { ...known, stats, ceiling: whole ? 2 ** 32 : largestCount(keeper, stats) };
}

/** Whether an array can hold nothing but whole numbers below 2³². */
const isUnsigned = (data: TensorData) =>
  data instanceof Uint8Array || data instanceof Uint16Array || data instanceof Uint32Array;

/** The inverse of `arraysOf`. */
function statsFrom<S extends Shape>(keeper: Keeper<S>, shape: Shape, arrays: Map<string, Tensor>): Shape {
  const { parts: shapes, ...own } = shape;
  if (!shapes !== !keeper.part) return corrupt('its parts are wrong');
  const leveled = Object.values(keeper.arrays).some((axes) => axes.includes('levels'));
  if (leveled && !own.levels) return corrupt('it does not tell its levels');
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
  const stats = 'round' in keeper ? { ...shape, cells: fromAllPlanes(keeper, shape, arrays) } : { ...shape };
  if (!('round' in keeper)) for (const name of Object.keys(keeper.arrays)) giveCells(keeper, stats, name, arrays);
  for (const name of arrays.keys()) corruptArray(name);
  return stats;
}

/** Sums in exact arithmetic. */
function fromAllPlanes<S extends Shape>(
  keeper: Keeper<S>,
  shape: Shape,
  arrays: Map<string, Tensor>,
): ExactStats['cells'] {
  const cells = Object.entries(keeper.arrays).map(([name, axes]) => {
    const planes: Float64Array[] = [];
    for (let plane = 0; plane === 0 || arrays.has(`${name}+${plane}`); plane++) {
      const key = `${name}${plane > 0 ? `+${plane}` : ''}`;
      planes.push(readCells(arrays.get(key), key, cellCount(axes, shape), plane === 0 && keeper.counts.includes(name)));
      arrays.delete(key);
    }
    return [name, fromPlanes(planes)] as const;
  });
  return Object.fromEntries(cells);
}

/** So many counts are kept as the file has them until somebody needs them. */
const MANY = 1 << 16;

/** Gives a statistic one of its arrays. */
function giveCells<S extends Shape>(keeper: Keeper<S>, stats: Shape, name: string, arrays: Map<string, Tensor>): void {
  const [tensor, length] = [arrays.get(name), cellCount(keeper.arrays[name], stats)];
  const waits = tensor && length >= MANY && tensor.data.length === length && isUnsigned(tensor.data);
  if (waits)
    numbersLater(stats, name, { ...tensor, data: tensor.data.slice() }); // not a view of the whole file
  else Object.assign(stats, { [name]: readCells(tensor, name, length, keeper.counts.includes(name)) });
  arrays.delete(name);
}

const corruptArray = (name: string): never =>
  corrupt(`it holds the array ${JSON.stringify(name.slice(0, 100))} for nothing`);

function readClasses(value: JsonValue | undefined): Label[] {
  if (!Array.isArray(value) || value.length === 0) return corrupt('it has no classes');
  requireFewClasses(value.length);
  const isLabel = (label: JsonValue) => /string|boolean/.test(typeof label) || Number.isSafeInteger(label);
  const rises = (label: JsonValue, c: number) =>
    typeof label === typeof value[0] && (c === 0 || compareLabels(value[c - 1] as Label, label as Label) < 0);
  if (!value.every(isLabel)) return corrupt('its classes are not labels');
  return value.every(rises) ? (value as Label[]) : corrupt('its classes are not in order');
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function readShape({ features, levels, missing, given, parts }: State['learned'], classes: number): Shape {
  if (!isCount(features)) return corrupt('its number of features is wrong');
  if (missing !== undefined && missing !== true) corrupt('its entry on missing values is wrong');
  const gaps = {
    ...(missing && { missing: true }),
    ...(given !== undefined && { given: readParents(given, features) }),
    ...(parts !== undefined && { parts: readParts(parts, classes) }),
  };
  if (levels === undefined) return { classes, features, ...gaps };
  const fits = Array.isArray(levels) && levels.length === features && levels.every((n) => isCount(n) && n < 2 ** 31);
  if (!fits) return corrupt('its levels are wrong');
  return { classes, features, levels: Int32Array.from(levels as number[]), ...gaps };
}

function readParents(value: JsonValue, features: number): Parents {
  return isParents(value, features) ? value : corrupt('its parents of features are wrong');
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
  const cells = tensor?.data.length === length ? numbersOf(tensor) : undefined;
  if (!cells) return corrupt(`the array ${JSON.stringify(name)} is absent or has a wrong size`);
  if (tensor && isUnsigned(tensor.data)) return cells;
  for (let cell = 0; cell < length; cell++) {
    const value = cells[cell];
    if (!Number.isFinite(value) || (counts && value < 0)) corrupt(`the array ${JSON.stringify(name)} holds ${value}`);
  }
  return cells;
}
