import { expect } from 'vitest';

/** Whether two numbers agree within a relative tolerance (of the larger one, or of `scale` if that is larger). */
export function isClose(a: number, b: number, tolerance: number, scale = 0): boolean {
  return Object.is(a, b) || a === b || Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b), scale);
}

/** Expects two lists of numbers to agree one by one, within a relative tolerance. */
export function expectClose(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance = 1e-12,
  scale = 0,
): void {
  expect(actual.length).toBe(expected.length);
  for (let i = 0; i < actual.length; i++) {
    if (isClose(actual[i], expected[i], tolerance, scale)) continue;
    expect.fail(`at ${i}: ${actual[i]} is not within ${tolerance} of ${expected[i]}`);
  }
}

/** Expects two lists of numbers to be the same, bit for bit; as strict as `toEqual`, and a hundred times faster on long lists. */
export function expectIdentical(actual: ArrayLike<number>, expected: ArrayLike<number>): void {
  const same =
    actual.length === expected.length && Array.prototype.every.call(actual, (a, i) => Object.is(a, expected[i]));
  if (!same) expect(Array.from(actual)).toEqual(Array.from(expected));
}

/** The error code of a call, with its details; 'accepted' if it does not throw. */
export function refusalOf(attempt: () => unknown): { code: string; details: Record<string, unknown> } {
  try {
    attempt();
  } catch (error) {
    const { code, details } = error as { code?: string; details: Record<string, unknown> };
    if (code === undefined) throw error;
    return { code, details };
  }
  return { code: 'accepted', details: {} };
}
