import type { Option } from '../core/options.ts';
import { compareCodePoints } from '../data/order.ts';
import type { SavedFunction } from './options.ts';

/** A specification with one option for each value. */
export type SpecOf<Values> = { readonly [Name in keyof Values]: Option<Values[Name]> };

/** An option with its own check. */
export function custom<T>(byDefault: T, expects: string, accept: (value: unknown) => unknown): Option<T> {
  return { kind: 'custom', default: byDefault, expects, accept: accept as (value: unknown) => T | undefined };
}

/**
 * One of a few strings, or (with `functions`) a function or the name that a file has kept of one; the first is the
 * default.
 */
export function oneOf<T>(words: readonly (string | null)[], functions = true): Option<T> {
  const shown = words.map((word) => (word === null ? 'null' : `'${word}'`)).join(', ');
  const fits = (value: unknown) =>
    words.includes(value as string) ||
    (functions && (typeof value === 'function' || typeof (value as SavedFunction | null)?.function === 'string'));
  return custom(words[0] as T, `one of ${shown}${functions ? ', or a function' : ''}`, (value) =>
    fits(value) ? value : undefined,
  );
}

/** The strings of a list in any container, as a frozen copy. */
export function stringsOf(value: unknown): readonly string[] | undefined {
  if (Object(value) !== value || !(Symbol.iterator in (value as object))) return undefined;
  const strings = value instanceof Map ? byColumn(value) : [...(value as Iterable<unknown>)];
  if (!strings.every((item) => typeof item === 'string' && item.isWellFormed())) return undefined;
  return Object.freeze(value instanceof Set ? (strings as string[]).sort(compareCodePoints) : (strings as string[]));
}

function byColumn(columns: ReadonlyMap<unknown, unknown>): unknown[] {
  const terms = new Array<unknown>(columns.size).fill(undefined);
  for (const [term, column] of columns) terms[column as number] = term;
  const areNumbers = [...columns.values()].every((column) => typeof column === 'number');
  return areNumbers && terms.length === columns.size ? terms : [undefined];
}

/** Two whole numbers n ≤ m, as a frozen copy. */
export function rangeOf(value: unknown): unknown {
  if (!Array.isArray(value) || value.length !== 2 || !value.every(Number.isSafeInteger)) return undefined;
  return value[0] >= 1 && value[0] <= value[1] ? Object.freeze([...value]) : undefined;
}
