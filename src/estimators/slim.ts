import type { State, StateOptions } from '../core/artifact.ts';
import type { Content, Field, Form } from '../core/form.ts';
import type { Shape } from '../data/batch.ts';
import type { Tensor } from '../data/safetensors.ts';
import { refuse } from '../errors.ts';
import { fieldsOf, pack, sidesOf } from '../stats/pack.ts';
import { describe, type Learned } from './learned.ts';

/** What stands before the names of arrays of parameters. */
export const PARAMS = 'params.';

/** Whether a number is what an array may hold. */
export const holds: Readonly<Record<Content, (value: number) => boolean>> = {
  log: (value) => value < Infinity,
  odds: (value) => !Number.isNaN(value),
  real: (value) => value - value === 0,
  weight: (value) => value >= 0 && value < Infinity,
  scale: (value) => value > 0,
  share: (value) => value >= 0 && value <= 1,
  place: (value) => value >= -1 && value < 2 ** 31 && value % 1 === 0,
};

/** An array as float32, and the most that a number of it changes; as it was, where one of them would become infinite. */
export function toFloat32(data: Float64Array): { data: Float64Array | Float32Array; error: number } {
  const less = new Float32Array(data);
  let error = 0;
  for (let k = 0; k < data.length; k++) if (data[k] !== less[k]) error = Math.max(error, Math.abs(data[k] - less[k]));
  return error < Infinity ? { data: less, error } : { data, error: 0 };
}

/** Whether an array is a table of logarithms. What is kept by class alone weighs little, and sums would lose most. */
const isTable = ([content, ...sides]: Field) => /log|odds/.test(content) && (sides.length > 1 || sides[0] === 'any');

/** What was learned as parameters alone. */
export function toSlim<S extends Shape, P extends Shape, O>(
  form: Form<P, O> | undefined,
  learned: Learned<S>,
  params: P,
  { float32 }: StateOptions,
): Pick<State, 'learned' | 'arrays'> {
  if (!form) return refuse('E_CONFLICT', 'this model does not tell how its parameters are saved without counts');
  const { stats, slim } = learned;
  const packed = pack(form, params);
  const arrays: Record<string, Tensor> = {};
  let largestError = slim?.largestError ?? (float32 ? 0 : undefined);
  for (const [name, field] of fieldsOf(form, stats)) {
    const full = packed[name];
    if (!full.every(holds[field[0]])) {
      refuse('E_CONFLICT', `too little was learned for a slim file: ${name} is not yet a number`, { name });
    }
    const rounds = largestError !== undefined && isTable(field);
    const { data, error } = rounds ? toFloat32(full) : { data: full, error: 0 };
    if (largestError !== undefined) largestError = Math.max(largestError, error);
    arrays[PARAMS + name] = { shape: sidesOf(field, stats, data.length), data };
  }
  const entries = { slim: true, ...(largestError !== undefined && { largestError }) };
  return { learned: { ...describe(learned), ...entries }, arrays };
}
