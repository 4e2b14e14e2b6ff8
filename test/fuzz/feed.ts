import { load } from '../../src/auto/load.ts';
import { PolyaError } from '../../src/errors.ts';
import type { Random } from '../../src/math/random.ts';
import type { Sample } from '../fixtures/models/models.ts';
import { mutateBytes, mutateParts, randomBytes, withChecksum } from './mutants.ts';

/** Outcome counts over many files. */
export interface Outcomes {
  inputs: number;
  models: number;
  slowest: number;
  readonly codes: Map<string, number>;
}

export const newOutcomes = (): Outcomes => ({ inputs: 0, models: 0, slowest: 0, codes: new Map() });

/** Thrown when reading a file results in something other than a model or a `PolyaError`. */
export class Escape extends Error {
  readonly bytes: Uint8Array;

  constructor(what: string, bytes: Uint8Array, cause: unknown) {
    super(`${what}: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`, { cause });
    this.bytes = bytes;
  }
}

/** Whether an answer contains NaN. */
function hasNaN(value: unknown): boolean {
  if (typeof value === 'number') return Number.isNaN(value);
  if (typeof value !== 'object' || value === null) return false;
  return (ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : Object.values(value)).some(hasNaN);
}

/**
 * Opens bytes and queries the resulting model. Anything except a model that answers in numbers, or a `PolyaError`,
 * throws `Escape`. With `strict`, a `PolyaError` that only wraps a programming error does too.
 */
export function feed(bytes: Uint8Array, sample: Sample, outcomes: Outcomes, strict = false): void {
  outcomes.inputs++;
  const start = performance.now();
  try {
    const model = load(bytes);
    outcomes.models++;
    const answer = sample.answer(model as never);
    if (hasNaN(answer)) throw new Escape('NaN', bytes, JSON.stringify(answer));
  } catch (error) {
    if (!(error instanceof PolyaError)) throw error instanceof Escape ? error : new Escape('escaped', bytes, error);
    if (
      strict &&
      error.cause instanceof Error &&
      !(error.cause instanceof PolyaError) &&
      !/Json/.test(String(error.cause.constructor.name))
    )
      throw new Escape('wrapped', bytes, error.cause);
    outcomes.codes.set(error.code, (outcomes.codes.get(error.code) ?? 0) + 1);
  }
  outcomes.slowest = Math.max(outcomes.slowest, performance.now() - start);
}

/** One mutant of a valid file: changed parts, changed bytes with a right or wrong checksum, or random bytes. */
export function mutantOf(random: Random, bytes: Uint8Array): Uint8Array {
  const chance = random.uniform();
  if (chance < 0.6) return mutateParts(random, bytes);
  if (chance < 0.85) return withChecksum(mutateBytes(random, bytes));
  return chance < 0.95 ? mutateBytes(random, bytes) : randomBytes(random);
}
