import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';

/** Parameters as plain JSON: a function becomes its name, a regular expression its source. */
export function toJson(params: object): Record<string, JsonValue> {
  const entries = Object.entries(params).map(([name, value]): [string, JsonValue] => {
    if (typeof value === 'function') return [name, { function: value.name }];
    if (value instanceof RegExp) return [name, { pattern: value.source, flags: value.flags }];
    return [name, JSON.parse(JSON.stringify(value)) as JsonValue];
  });
  return Object.fromEntries(entries);
}

/** Whether two estimators have the same parameters; functions are equal only if identical. */
export function sameParams(a: object, b: object): boolean {
  const functions = (params: object) => Object.values(params).filter((value) => typeof value === 'function');
  const [mine, theirs] = [functions(a), functions(b)];
  const same = mine.length === theirs.length && mine.every((value, k) => value === theirs[k]);
  return same && JSON.stringify(toJson(a)) === JSON.stringify(toJson(b));
}

/** Throws if two estimators to be merged differ in kind or parameters. */
export function requireAlike(mine: Alike, other: Alike): void {
  if (other?.kind === mine.kind && sameParams(other.getParams(), mine.getParams())) return;
  refuse('E_MERGE_MISMATCH', `a ${mine.kind} cannot be merged with another kind or other parameters`, {
    expected: mine.kind,
    actual: String(other?.kind),
  });
}

interface Alike {
  readonly kind: string;
  getParams(): object;
}
