import type { State, StateOptions } from '../core/artifact.ts';
import type { ExactStats, Field, Form } from '../core/model.ts';
import type { Shape } from '../data/batch.ts';
import type { Tensor } from '../data/safetensors.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import { arrayOf } from '../stats/additive.ts';
import { toPlanes } from '../stats/exact.ts';
import { axisLength } from '../stats/layout.ts';
import { fieldsOf, pack, sidesOf } from '../stats/pack.ts';

import {
  type Arrays,
  type ColumnNames,
  type Counts,
  holds,
  type Learned,
  PARAMS,
  planeKey,
  requireFewClasses,
  STATS,
  type StatisticKind,
} from './learned.ts';

type Saved = Pick<State, 'learned' | 'arrays' | 'streamed'>;

/** The learned state with its counts, as plain data; empty before the first fit. */
export function saveCounts<S extends Shape>(
  statisticKind: StatisticKind<S>,
  learned: Omit<Learned<S>, 'ceiling'> | undefined,
): Saved {
  if (!learned) return { learned: {}, arrays: {} };
  const { counts } = learned;
  const saved = { learned: describe(learned), arrays: prefixed(STATS, countArrays(statisticKind, counts)) };
  return counts.streamed ? { ...saved, streamed: prefixed(STATS, counts.streamed) } : saved;
}

/** The arrays of a statistic, as narrow as they are kept. */
export function countArrays<S extends Shape>(statisticKind: StatisticKind<S>, counts: Counts<S>): Arrays {
  return counts.arrays ?? arraysOf(statisticKind, counts.read());
}

/** The learned state besides numbers. */
function describe<S extends Shape>({ names, classes, closed, counts, schema }: Omit<Learned<S>, 'ceiling'>) {
  requireFewClasses(classes.length);
  const learned: Record<string, JsonValue> = { classes: [...classes], closed, ...outlineOf(counts.shape) };
  if (names) learned.names = [...names];
  if (schema !== undefined) learned.schema = schema;
  return learned;
}

const prefixed = <T>(prefix: string, arrays: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(arrays).map(([name, tensor]) => [prefix + name, tensor]));

/** All arrays of a statistic; those of a part have its name before theirs. */
function arraysOf<S extends Shape>(statisticKind: StatisticKind<S>, stats: S | ExactStats): Record<string, Tensor> {
  const own = statisticKind.toArrays?.(stats as never) ?? plainArrays(statisticKind, stats);
  const parts = Object.entries(stats.parts ?? {}).map(([name, part]) =>
    statisticKind.part ? prefixed(`${name}.`, arraysOf(statisticKind.part(name) as StatisticKind<Shape>, part)) : {},
  );
  return Object.assign({}, own, ...parts);
}

function outlineOf({ features, levels, missing, given, parts }: Shape): Record<string, JsonValue> {
  return {
    features,
    ...(levels && { levels: [...levels] }),
    ...(missing && { missing: true }),
    ...(given && { given: given.map((own) => own && [...own]) }),
    ...(parts && { parts: Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, outlineOf(part)])) }),
  };
}

/** The arrays of a statistic, with the lengths given by its layout; sums in exact arithmetic take several planes. */
function plainArrays<S extends Shape>(statisticKind: StatisticKind<S>, stats: S | ExactStats): Record<string, Tensor> {
  const arrays: Record<string, Tensor> = {};
  for (const [name, axes] of Object.entries(statisticKind.arrays)) {
    const shape = axes.map((axis) => axisLength(axis, stats));
    const planes = 'cells' in stats ? toPlanes(stats.cells[name]) : [arrayOf(stats, name)];
    planes.forEach((data, plane) => {
      arrays[planeKey(name, plane)] = { shape, data };
    });
  }
  return arrays;
}

/** An array as float32, and the largest rounding error; the array itself where a number would become infinite. */
export function toFloat32(data: Float64Array): { data: Float64Array | Float32Array; error: number } {
  const less = new Float32Array(data);
  let error = 0;
  for (let k = 0; k < data.length; k++) if (data[k] !== less[k]) error = Math.max(error, Math.abs(data[k] - less[k]));
  return error < Infinity ? { data: less, error } : { data, error: 0 };
}

/** Whether an array is a table of logarithms. Arrays by class alone are small and would lose most precision. */
const isTable = ([content, ...sides]: Field) => /log|odds/.test(content) && (sides.length > 1 || sides[0] === 'any');

/** The learned state as parameters alone. */
export function saveParameters<S extends Shape, P extends Shape, O>(
  form: Form<P, O> | undefined,
  learned: Learned<S>,
  params: P,
  { float32 }: StateOptions,
): Saved {
  if (!form) return refuse('E_CONFLICT', 'this model cannot be saved without counts');
  const { shape } = learned.counts;
  const packed = pack(form, params);
  const arrays: Record<string, Tensor> = {};
  let largestError = learned.slim?.largestError ?? (float32 ? 0 : undefined);
  for (const [name, field] of fieldsOf(form, shape)) {
    const full = packed[name];
    if (!full.every(holds[field[0]])) {
      refuse('E_CONFLICT', `too little was learned for a slim file: ${name} is not yet a number`, { name });
    }
    const rounds = largestError !== undefined && isTable(field);
    const { data, error } = rounds ? toFloat32(full) : { data: full, error: 0 };
    if (largestError !== undefined) largestError = Math.max(largestError, error);
    arrays[PARAMS + name] = { shape: sidesOf(field, shape, data.length), data };
  }
  const entries = { slim: true, ...(largestError !== undefined && { largestError }) };
  return { learned: { ...describe(learned), ...entries }, arrays };
}

/** Number and names of columns, as they are saved. */
export function saveColumns({ features, names }: ColumnNames): Record<string, JsonValue> {
  return names ? { features, names: [...names] } : { features };
}

/** An array as it is saved. */
export function tensor(values: ArrayLike<number>): Tensor {
  return { shape: [values.length], data: Float64Array.from(values) };
}
