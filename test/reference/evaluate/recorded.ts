import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { isClose } from '../../close.ts';

/** One recorded call: what scikit-learn 1.9.1 was given and what it answered. */
// biome-ignore lint/suspicious/noExplicitAny: cases of many functions, whose fields the tests know
export type Recorded = Readonly<Record<string, any>>;

/** Reads a recording of record.py, and puts long lists and non-finite numbers back where they were. */
export function recorded(name: string): Recorded[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  const { data, cases } = JSON.parse(text) as { data: unknown[]; cases: unknown[] };
  const revive = (value: unknown): unknown => {
    if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number(value);
    if (typeof value === 'string' && /^@\d+$/.test(value)) return revive(data[Number(value.slice(1))]);
    if (Array.isArray(value)) return value.map(revive);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, revive(inner)]));
  };
  return cases.map(revive) as Recorded[];
}

/** Expects two answers of any shape to agree: numbers within a relative tolerance, all else exactly. */
export function expectAlike(actual: unknown, expected: unknown, tolerance: number, scale = 0): void {
  if (typeof expected === 'number') {
    const close = typeof actual === 'number' && isClose(actual, expected, tolerance, scale);
    if (!close) expect.fail(`${actual} is not within ${tolerance} of ${expected}`);
    return;
  }
  if (typeof expected !== 'object' || expected === null) {
    expect(actual).toBe(expected);
    return;
  }
  const inner = ArrayBuffer.isView(actual) ? Array.from(actual as Float64Array) : (actual as object);
  expect(Object.keys(inner)).toEqual(Object.keys(expected));
  for (const [key, value] of Object.entries(expected)) {
    expectAlike((inner as Record<string, unknown>)[key], value, tolerance, scale);
  }
}
