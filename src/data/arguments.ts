import { refuse, show } from '../errors.ts';
import { isList } from './matrix.ts';
import { didYouMean } from './suggest.ts';

const kinds = {
  list: isList,
  function: (value: unknown) => typeof value === 'function',
  number: (value: unknown) => typeof value === 'number',
  string: (value: unknown) => typeof value === 'string',
  matrix: (value: unknown) => isLike(value, { rows: 'number', cols: 'number', data: 'list' }),
  iterable: (value: unknown) => typeof value === 'object' && value !== null && Symbol.iterator in value,
  stream: (value: unknown) =>
    typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value),
  object: (value: unknown) => typeof value === 'object' && value !== null,
  any: (value: unknown) => value !== undefined,
} as const;

/** The members that an argument must have, and their types. */
type Members = Readonly<Record<string, keyof typeof kinds>>;

/** Whether a value has all these members. */
export function isLike(value: unknown, members: Members): boolean {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  return Object.entries(members).every(([name, kind]) =>
    kinds[kind]((value as Readonly<Record<string, unknown>>)[name]),
  );
}

/** Throws if an argument lacks these members; `what` describes the expected value, such as 'a fitted model'. */
export function requireLike<T>(value: T, what: string, members: Members): T {
  return isLike(value, members) ? value : refuseArgument(value, what);
}

/** Throws if an argument is not of this type. */
export function requireKind<T>(value: T, what: string, kind: keyof typeof kinds): T {
  return kinds[kind](value) ? value : refuseArgument(value, what);
}

/** Throws if an argument is not a list of records, documents or other things. */
export function requireItems<T>(value: T, what: string): T {
  return Array.isArray(value) ? value : refuseArgument(value, what);
}

/** Throws if an argument is not a number in a range; `what` describes the argument. */
export function requireNumber(name: string, value: number, what: string, fits: (value: number) => boolean): number {
  if (typeof value === 'number' && fits(value)) return value;
  return refuse('E_PARAM', `${name} is ${what}, got ${show(value)}`, { name });
}

/** Throws if a list in the options does not have one entry per feature. */
export function requireOneEach(name: string, { length: actual }: ArrayLike<unknown>, features: number): void {
  if (actual === features) return;
  refuse('E_PARAM', `${name} has ${actual} entries for ${features} features`, { name, expected: features, actual });
}

function refuseArgument(value: unknown, what: string): never {
  return refuse('E_TYPE', `expected ${what}, got ${show(value)}`, { expected: what, actual: typeof value });
}

/** Throws if options are not an object or contain an unknown name; the error suggests the closest one. */
export function requireOptions<O>(owner: string, known: readonly string[], given: O): O {
  if (given === null || typeof given !== 'object' || isList(given) || Symbol.iterator in given) {
    const advice = known.includes('sampleWeight') && isList(given) ? '; weights are given as { sampleWeight }' : '';
    refuse('E_PARAM', `options of ${owner} are an object, got ${show(given)}${advice}`, { name: owner });
  }
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const advice = didYouMean(name, known) || `; it has ${known.join(', ') || 'none'}`;
    refuse('E_PARAM', `${owner} has no option ${show(name)}${advice}`, { name });
  }
  return given;
}

/**
 * The options of `fit`, `partialFit` and `unlearn`: a pipeline passes them to every step, so each step accepts all of
 * them.
 */
const learning = ['sampleWeight', 'classes', 'signal', 'onProgress', 'freeze'];

/** Throws if options stand where `fit` takes labels, which transformers of rows alone do not read. */
export function requireNoOptions(y: unknown): void {
  if (typeof y !== 'object' || y === null || 'length' in y || Symbol.iterator in y) return;
  refuse('E_PARAM', 'options come after the labels: fit(X, y, { sampleWeight })');
}

/** Checks the options of a learning method. */
export function requireLearning<O>(owner: string, options: O): O {
  return requireOptions(owner, learning, options);
}
