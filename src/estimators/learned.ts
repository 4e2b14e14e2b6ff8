import type { State } from '../core/artifact.ts';
import type { Content, ExactStats, ExactTwin, Form, Statistic } from '../core/model.ts';
import type { Shape } from '../data/batch.ts';
import { checkNames } from '../data/input.ts';
import { compareLabels, type Label } from '../data/labels.ts';
import { requireExact } from '../data/limits.ts';
import { isParents } from '../data/parents.ts';
import { isUnsigned, numbersOf, type StreamedTensor, type Tensor } from '../data/safetensors.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { PolyaError, refuse } from '../errors.ts';
import { arrayOf } from '../stats/additive.ts';
import { fromPlanes, roundCells } from '../stats/exact.ts';
import { cellCount, shapeOf } from '../stats/layout.ts';
import { fieldsOf, sidesOf, unpack } from '../stats/pack.ts';
import { classWeights } from './learning.ts';

/** A statistic in plain or in exact arithmetic. */
export type StatisticKind<S extends Shape> = Omit<Statistic<S>, 'exact'> | ExactTwin<S>;

/** The learned state of an estimator: statistic, schema and classes. Everything else follows from it. */
export interface Learned<S extends Shape> {
  readonly names: readonly string[] | undefined;
  readonly classes: readonly Label[];
  /** The list of classes was given and takes no others. */
  readonly closed: boolean;
  readonly counts: Counts<S>;
  /** What else is known of the columns, such as the names of their levels. */
  readonly schema: JsonValue | undefined;
  /** No count is larger than this. */
  readonly ceiling: number;
  /** Set where the statistic was not saved: the largest rounding error of a parameter, if parameters were rounded. */
  readonly slim?: { readonly largestError: number | undefined };
}

/** Arrays of a state by name. */
export type Arrays = Readonly<Record<string, Tensor>>;

/** The arrays of a statistic, which may be narrow, and how it is made of them. */
interface Stored<S extends Shape> {
  readonly arrays: Arrays;
  /** Arrays that are made while they are written; `arrays` has the others. */
  readonly streamed?: Readonly<Record<string, StreamedTensor>>;
  read(): S;
}

const SLIM = 'this model was saved slim, without counts: load the full file to learn or to get counts';

/**
 * The statistic of an estimator: in memory, or as the arrays of a state, which are mostly bytes and take an eighth of the memory until
 * the statistic is needed. A slim model has neither.
 */
export class Counts<S extends Shape> {
  /** The shape, which is known without the statistic. */
  readonly shape: Shape;
  private stats: S | ExactStats | undefined;
  private stored: Stored<S> | undefined;

  private constructor(shape: Shape, stats: S | ExactStats | undefined, stored?: Stored<S>) {
    this.shape = shape;
    this.stats = stats;
    this.stored = stored;
  }

  /** A statistic in memory. */
  static of<S extends Shape>(stats: S | ExactStats): Counts<S> {
    return new Counts<S>(stats, stats);
  }

  /** Arrays of this shape, and the statistic that they hold. */
  static stored<S extends Shape>(shape: Shape, stored: Stored<S>): Counts<S> {
    return new Counts<S>(shape, undefined, stored);
  }

  /** The shape of a statistic that was not saved. */
  static none<S extends Shape>(shape: Shape): Counts<S> {
    return new Counts<S>(shapeOf(shape), undefined);
  }

  /** The statistic; throws if it was not saved. */
  read(): S | ExactStats {
    if (this.stored) {
      this.stats = this.stored.read();
      this.stored = undefined;
    }
    return this.stats ?? refuse('E_CONFLICT', SLIM, { slim: true });
  }

  /** The weight of each class, which every statistic of a classifier counts as `n`; the other arrays stay as narrow as they are. */
  classWeights(): Float64Array {
    if (this.stored) return Float64Array.from(this.stored.arrays.n.data);
    return classWeights(this.read()).slice();
  }

  /** The arrays of the statistic that are made while they are written. */
  get streamed(): Stored<S>['streamed'] {
    return this.stored?.streamed;
  }

  /** The arrays of the statistic as they are kept, if they were not needed yet. */
  get arrays(): Arrays | undefined {
    return this.stored?.arrays;
  }
}

/** Throws E_MODEL_CORRUPT. */
export function damaged(what: string, cause?: unknown): never {
  return refuse('E_MODEL_CORRUPT', `the model file is damaged: ${what}`, {}, cause);
}

/** Rebuilds a model from a state; any inconsistency is reported as a damaged model. */
export function intact<T>(make: () => T): T {
  try {
    return make();
  } catch (cause) {
    if (cause instanceof PolyaError && cause.code.startsWith('E_MODEL_')) throw cause;
    const reason = cause instanceof PolyaError ? `: ${cause.message}` : '';
    return refuse('E_MODEL_CORRUPT', `the model is inconsistent${reason}`, {}, cause);
  }
}

/** The largest count of a statistic in any arithmetic; refuses one that is no longer exact. */
export function largestCount<S extends Shape>(statisticKind: StatisticKind<S>, stats: S | ExactStats): number {
  let largest = 0;
  for (const name of statisticKind.counts) {
    const cells = 'cells' in stats ? roundCells(stats.cells[name]) : arrayOf(stats, name);
    for (let k = 0; k < cells.length; k++) if (cells[k] > largest) largest = cells[k];
  }
  for (const [name, part] of Object.entries(stats.parts ?? {})) {
    if (statisticKind.part)
      largest = Math.max(largest, largestCount(statisticKind.part(name) as StatisticKind<Shape>, part));
  }
  return requireExact(largest);
}

/** The prefixes of arrays: those of a statistic, and those of the parameters of a slim file. */
export const [STATS, PARAMS] = ['stats.', 'params.'];

const CLASS_LIMIT = 500_000;

/** Refuses more classes than a file may have. */
export function requireFewClasses(count: number): void {
  if (count > CLASS_LIMIT) refuse('E_MODEL_LIMIT', `a model of ${count} classes is too large`, { limit: CLASS_LIMIT });
}

/** The name of a plane of an array of exact sums. */
export const planeKey = (name: string, plane: number) => (plane > 0 ? `${name}+${plane}` : name);

/** Whether a number is what an array of parameters may hold. */
export const holds: Readonly<Record<Content, (value: number) => boolean>> = {
  log: (value) => value < Infinity,
  odds: (value) => !Number.isNaN(value),
  real: (value) => value - value === 0,
  weight: (value) => value >= 0 && value < Infinity,
  scale: (value) => value > 0,
  share: (value) => value >= 0 && value <= 1,
  place: (value) => value >= -1 && value < 2 ** 31 && value % 1 === 0,
};

/** Number and names of the columns of a transformer. */
export interface ColumnNames {
  readonly features: number;
  /** Where rows came with names. */
  readonly names: readonly string[] | undefined;
}

/** The arrays of a state, each read once; `close` refuses what is left over. */
export class SavedArrays {
  private readonly rest: Map<string, Tensor>;

  constructor({ arrays }: Pick<State, 'arrays'>) {
    this.rest = new Map(Object.entries(arrays));
  }

  /** A copy of one array of numbers, of this length where one is given. */
  take(name: string, length?: number): Float64Array {
    const numbers = numbersOf(this.rest.get(name));
    this.rest.delete(name);
    const fits = length === undefined || numbers?.length === length;
    return fits && numbers ? numbers : wrongSize(name);
  }

  /** Whether there is such an array. */
  has(name: string): boolean {
    return this.rest.has(name);
  }

  /** Refuses arrays that nothing has asked for. */
  close(): void {
    for (const name of this.rest.keys()) needless(name);
  }
}

const wrongSize = (name: string): never => damaged(`the array ${JSON.stringify(name)} is absent or has a wrong size`);
const needless = (name: string): never => damaged(`it holds the unused array ${JSON.stringify(name.slice(0, 100))}`);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** The inverse of `saveColumns`; other entries than the listed ones are refused. */
export function readColumns({ learned }: Pick<State, 'learned'>, ...others: readonly string[]): ColumnNames {
  const known = new Set(['features', 'names', ...others]);
  if (!Object.keys(learned).every((key) => known.has(key))) damaged('it has an unused entry');
  const { features } = learned;
  if (!isCount(features) || features === 0) return damaged('its number of features is wrong');
  return { features, names: readNames(learned.names, features) };
}

/** What a state says was learned, with its counts or without them. */
export function readLearned<S extends Shape>(
  statisticKind: StatisticKind<S>,
  { learned, arrays }: Pick<State, 'learned' | 'arrays'>,
): Learned<S> {
  const { slim, largestError, ...entries } = learned;
  if ('slim' in learned) {
    if (slim !== true || !(largestError === undefined || holds.weight(largestError as number))) {
      damaged('it does not say whether it is slim');
    }
    const { shape, ...known } = readDescription(entries);
    return {
      ...known,
      counts: Counts.none(shape),
      ceiling: 0,
      slim: { largestError: largestError as number | undefined },
    };
  }
  const { shape, ...known } = readDescription(learned);
  const own = new Map<string, Tensor>();
  for (const [name, array] of Object.entries(arrays)) {
    if (!name.startsWith(STATS)) needless(name);
    own.set(name.slice(STATS.length), array);
  }
  if (fitsAsStored(statisticKind, shape, own)) {
    // copies, because an array of a file is a view of all of it
    const copies = new Map(Array.from(own, ([name, array]) => [name, { ...array, data: array.data.slice() }]));
    const stored = { arrays: Object.fromEntries(copies), read: () => statsFrom(statisticKind, shape, copies) as S };
    return { ...known, counts: Counts.stored(shape, stored), ceiling: 2 ** 32 };
  }
  const stats = statsFrom(statisticKind, shape, own) as S | ExactStats;
  const whole = Object.values(arrays).every(({ data }) => data.length === 0 || isUnsigned(data));
  return { ...known, counts: Counts.of(stats), ceiling: whole ? 2 ** 32 : largestCount(statisticKind, stats) };
}

/** Whether arrays are those of a plain statistic and need no other check than of their lengths. */
function fitsAsStored<S extends Shape>(
  statisticKind: StatisticKind<S>,
  shape: Shape,
  arrays: ReadonlyMap<string, Tensor>,
): boolean {
  const names = Object.keys(statisticKind.arrays);
  if (
    'round' in statisticKind ||
    statisticKind.part ||
    statisticKind.fromArrays ||
    shape.parts ||
    arrays.size !== names.length
  )
    return false;
  if (!shape.levels && names.some((name) => statisticKind.arrays[name].includes('levels'))) return false;
  return names.every((name) => {
    const data = arrays.get(name)?.data;
    if (data?.length !== cellCount(statisticKind.arrays[name], shape)) return false;
    return data.length === 0 || isUnsigned(data);
  });
}

/** The parameters of a slim state, for the shape that was learned. */
export function readParameters<P extends Shape, O>(
  form: Form<P, O> | undefined,
  state: Pick<State, 'arrays'>,
  shape: Shape,
  options: O,
): P {
  if (!form) return damaged('its parameters belong to no model');
  const own = shapeOf(shape);
  const arrays = new SavedArrays(state);
  const packed = fieldsOf(form, own).map(([name, field]) => {
    const data = arrays.take(PARAMS + name);
    const length = sidesOf(field, own, data.length).reduce((product, side) => product * side, 1);
    if (data.length !== length) wrongSize(name);
    if (!data.every(holds[field[0]])) damaged(`the array ${JSON.stringify(name)} has an invalid value`);
    return [name, data] as const;
  });
  arrays.close();
  return unpack(form, Object.fromEntries(packed), own, options) ?? damaged('its parameters are inconsistent');
}

/** The inverse of `describe`. */
function readDescription(learned: State['learned']) {
  const unknown = Object.keys(learned).find(
    (key) => !['classes', 'closed', 'features', 'names', 'levels', 'missing', 'given', 'parts', 'schema'].includes(key),
  );
  if (unknown !== undefined) damaged(`it has the unknown entry ${JSON.stringify(unknown.slice(0, 100))}`);
  const classes = readClasses(learned.classes);
  const { closed, schema } = learned;
  if (typeof closed !== 'boolean') return damaged('it does not say whether the list of classes is closed');
  const shape = readShape(learned, classes.length);
  return { names: readNames(learned.names, shape.features), classes, closed, shape, schema };
}

/** The inverse of `arraysOf`. */
function statsFrom<S extends Shape>(statisticKind: StatisticKind<S>, shape: Shape, arrays: Map<string, Tensor>): Shape {
  const { parts: shapes, ...own } = shape;
  if (!shapes !== !statisticKind.part) return damaged('its parts are wrong');
  const leveled = Object.values(statisticKind.arrays).some((axes) => axes.includes('levels'));
  if (leveled && !own.levels) return damaged('its levels are missing');
  const parts = Object.entries(shapes ?? {}).map(([name, part]) => {
    const inside = new Map<string, Tensor>();
    for (const [key, array] of arrays) {
      if (!key.startsWith(`${name}.`)) continue;
      inside.set(key.slice(name.length + 1), array);
      arrays.delete(key);
    }
    return [name, statsFrom(statisticKind.part?.(name) as StatisticKind<Shape>, part, inside)] as const;
  });
  const stats = statisticKind.fromArrays
    ? statisticKind.fromArrays(own, Object.fromEntries(arrays))
    : fromPlainArrays(statisticKind, own, arrays);
  return shapes ? { ...stats, parts: Object.fromEntries(parts) } : stats;
}

function fromPlainArrays<S extends Shape>(
  statisticKind: StatisticKind<S>,
  shape: Shape,
  arrays: Map<string, Tensor>,
): Shape {
  const take = (name: string, axes: StatisticKind<S>['arrays'][string], counts: boolean) => {
    const cells = readCells(arrays.get(name), name, cellCount(axes, shape), counts);
    arrays.delete(name);
    return cells;
  };
  const exact = 'round' in statisticKind;
  const cells = Object.entries(statisticKind.arrays).map(([name, axes]) => {
    const first = take(name, axes, statisticKind.counts.includes(name));
    if (!exact) return [name, first] as const;
    const planes = [first];
    for (let key = planeKey(name, 1); arrays.has(key); key = planeKey(name, planes.length)) {
      planes.push(take(key, axes, false));
    }
    return [name, fromPlanes(planes)] as const;
  });
  for (const name of arrays.keys()) needless(name);
  const own = Object.fromEntries<unknown>(cells);
  return exact ? ({ ...shape, cells: own } as Shape) : { ...shape, ...own };
}

function readClasses(value: JsonValue | undefined): Label[] {
  if (!Array.isArray(value) || value.length === 0) return damaged('it has no classes');
  requireFewClasses(value.length);
  const isLabel = (label: JsonValue) => /string|boolean/.test(typeof label) || Number.isSafeInteger(label);
  const rises = (label: JsonValue, c: number) =>
    typeof label === typeof value[0] && (c === 0 || compareLabels(value[c - 1] as Label, label as Label) < 0);
  if (!value.every(isLabel)) return damaged('its classes are not labels');
  return value.every(rises) ? (value as Label[]) : damaged('its classes are not in order');
}

function readShape({ features, levels, missing, given, parts }: State['learned'], classes: number): Shape {
  if (!isCount(features)) return damaged('its number of features is wrong');
  if (missing !== undefined && missing !== true) damaged('its entry on missing values is wrong');
  if (given !== undefined && !isParents(given, features)) return damaged('its parents of features are wrong');
  const more = {
    ...(missing && { missing: true }),
    ...(given !== undefined && { given }),
    ...(parts !== undefined && { parts: readParts(parts, classes) }),
  };
  if (levels === undefined) return { classes, features, ...more };
  const fits = Array.isArray(levels) && levels.length === features && levels.every((n) => isCount(n) && n < 2 ** 31);
  if (!fits) return damaged('its levels are wrong');
  return { classes, features, levels: Int32Array.from(levels as number[]), ...more };
}

const PART_NAME = /^[A-Za-z]+[0-9]*$/;

function readParts(value: JsonValue, classes: number): Record<string, Shape> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return damaged('its parts are wrong');
  const parts = Object.entries(value).map(([name, part]) => {
    const fits = PART_NAME.test(name) && typeof part === 'object' && part !== null && !Array.isArray(part);
    const known = fits && Object.keys(part).every((key) => ['features', 'levels', 'missing'].includes(key));
    return known ? ([name, readShape(part, classes)] as const) : damaged('its parts are wrong');
  });
  return Object.fromEntries(parts);
}

function readNames(value: JsonValue | undefined, features: number): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const fits = Array.isArray(value) && value.length === features && value.every((name) => typeof name === 'string');
  if (!fits) return damaged('its column names are wrong');
  try {
    return checkNames(value as string[]);
  } catch (cause) {
    return damaged('its column names are wrong', cause);
  }
}

function readCells(array: Tensor | undefined, name: string, length: number, counts: boolean): Float64Array {
  const cells = array?.data.length === length ? numbersOf(array) : undefined;
  if (!array || !cells) return wrongSize(name);
  if (isUnsigned(array.data)) return cells;
  for (let cell = 0; cell < length; cell++) {
    const value = cells[cell];
    if (!Number.isFinite(value) || (counts && value < 0)) damaged(`the array ${JSON.stringify(name)} holds ${value}`);
  }
  return cells;
}
