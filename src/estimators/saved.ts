import type { State } from '../core/artifact.ts';
import { checkNames } from '../data/input.ts';
import { numbersOf, type Tensor } from '../data/safetensors.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import type { Columns } from './transformer.ts';

/** Refuses a model file. */
export function damaged(what: string, cause?: unknown): never {
  return refuse('E_MODEL_CORRUPT', `the model file is damaged: ${what}`, {}, cause);
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Number and names of the columns, as they are saved. */
export function saveColumns({ features, names }: Columns): Record<string, JsonValue> {
  return names ? { features, names: [...names] } : { features };
}

/** The inverse of `saveColumns`; other entries than the listed ones are refused. */
export function readColumns({ learned }: State, ...others: readonly string[]): Columns {
  const known = new Set(['features', 'names', ...others]);
  if (!Object.keys(learned).every((key) => known.has(key))) damaged('it has an entry that belongs to nothing');
  const { features, names } = learned;
  if (!isCount(features) || features === 0) return damaged('its number of features is wrong');
  if (names === undefined) return { features, names };
  const fits = Array.isArray(names) && names.length === features && names.every((name) => typeof name === 'string');
  if (!fits) return damaged('its column names are wrong');
  try {
    return { features, names: checkNames(names as string[]) };
  } catch (cause) {
    return damaged('its column names are wrong', cause);
  }
}

/** The arrays of a state, each read once; `close` refuses what is left over. */
export class SavedArrays {
  readonly #rest: Map<string, Tensor>;

  constructor({ arrays }: State) {
    this.#rest = new Map(Object.entries(arrays));
  }

  /** A copy of one array of numbers, of this length where one is given. */
  take(name: string, length?: number): Float64Array {
    const numbers = numbersOf(this.#rest.get(name));
    this.#rest.delete(name);
    const fits = length === undefined || numbers?.length === length;
    return fits && numbers ? numbers : damaged(`the array ${JSON.stringify(name)} is absent or has a wrong size`);
  }

  /** Whether there is such an array. */
  has(name: string): boolean {
    return this.#rest.has(name);
  }

  /** Refuses arrays that nothing has asked for. */
  close(): void {
    if (this.#rest.size > 0) damaged(`it holds the array ${JSON.stringify([...this.#rest.keys()][0])} for nothing`);
  }
}

/** An array as it is saved. */
export function tensor(values: ArrayLike<number>): Tensor {
  return { shape: [values.length], data: Float64Array.from(values) };
}
