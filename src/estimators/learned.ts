import type { State } from '../core/artifact.ts';
import type { ExactStats, ExactTwin, Statistic } from '../core/model.ts';
import type { Shape } from '../data/batch.ts';
import type { Label } from '../data/labels.ts';
import type { Tensor } from '../data/safetensors.ts';
import { asStored } from '../data/stored.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import { toPlanes } from '../stats/exact.ts';
import { axisLength } from '../stats/layout.ts';

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
  readonly schema: JsonValue | undefined;
  /** No count is larger than this. */
  readonly ceiling: number;
  /** The sums of the statistic are gone; how much was lost where parameters were rounded. */
  readonly slim?: { readonly largestError: number | undefined };
}

/** What the names of the arrays of a statistic begin with in a file. */
export const PREFIX = 'stats.';

/** What was learned beside numbers, as a file tells it. */
export function describe<S extends Shape>({ names, classes, closed, stats, schema }: Omit<Learned<S>, 'ceiling'>) {
  requireFewClasses(classes.length);
  const learned: Record<string, JsonValue> = { classes: [...classes], closed, ...outlineOf(stats) };
  if (names) learned.names = [...names];
  if (schema !== undefined) learned.schema = schema;
  return learned;
}

/** The learned state as plain data; empty before the first fit. */
export function toState<S extends Shape>(
  keeper: Keeper<S>,
  learned: Omit<Learned<S>, 'ceiling'> | undefined,
): Pick<State, 'learned' | 'arrays'> {
  if (!learned) return { learned: {}, arrays: {} };
  return { learned: describe(learned), arrays: prefixed(PREFIX, arraysOf(keeper, learned.stats)) };
}

const CLASS_LIMIT = 500_000;

/** Refuses more classes than a file may hold. */
export function requireFewClasses(count: number): void {
  if (count > CLASS_LIMIT) refuse('E_MODEL_LIMIT', `a model of ${count} classes is too large`, { limit: CLASS_LIMIT });
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
function outlineOf({ features, levels, missing, given, parts }: Shape): Record<string, JsonValue> {
  return {
    features,
    ...(levels && { levels: [...levels] }),
    ...(missing && { missing: true }),
    ...(given && { given: given.map((own) => own && [...own]) }),
    ...(parts && { parts: Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, outlineOf(part)])) }),
  };
}

/** The arrays of a statistic whose layout tells their lengths; sums in exact arithmetic take several planes. */
function plainArrays<S extends Shape>(keeper: Keeper<S>, stats: S | ExactStats): Record<string, Tensor> {
  const arrays: Record<string, Tensor> = {};
  for (const [name, axes] of Object.entries(keeper.arrays)) {
    const shape = axes.map((axis) => axisLength(axis, stats));
    const planes =
      'cells' in stats
        ? toPlanes(stats.cells[name])
        : [asStored(stats as unknown as Record<string, Float64Array>, name)];
    planes.forEach((data, plane) => {
      arrays[`${name}${plane > 0 ? `+${plane}` : ''}`] = { shape, data };
    });
  }
  return arrays;
}
