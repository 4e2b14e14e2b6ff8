import fc from 'fast-check';
import type { Label } from '../../../src/data/labels.ts';

/** Rows with a true and a predicted label and a whole weight. */
export interface PredictedRow {
  readonly truth: Label;
  readonly guess: Label;
  readonly weight: number;
}

const predictedRowsOf = (labels: readonly Label[]) =>
  fc.array(
    fc.record({
      truth: fc.constantFrom(...labels),
      guess: fc.constantFrom(...labels),
      weight: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 1, maxLength: 25 },
  );

/** Predicted rows with labels of any one type. */
export const predictedRows: fc.Arbitrary<PredictedRow[]> = fc.oneof(
  predictedRowsOf([0, 1]),
  predictedRowsOf([false, true]),
  predictedRowsOf([-3, 0, 7, 12]),
  predictedRowsOf(['a', '__proto__', '中', '']),
);

/** Marked rows with a score (often tied) and a whole weight; both kinds occur. */
export const rankings: fc.Arbitrary<{ y: number[]; score: number[]; w: number[] }> = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: -4, max: 4 }), fc.integer({ min: 1, max: 3 })), {
    minLength: 2,
    maxLength: 25,
  })
  .map((rows) => [[0, 1, 1] as [number, number, number], [1, 0, 1] as [number, number, number], ...rows])
  .map((rows) => ({ y: rows.map(([y]) => y), score: rows.map(([, s]) => s / 2), w: rows.map(([, , w]) => w) }));

/** Rows of probabilities of three classes with a label and a whole weight each; every class occurs. */
export const forecasts: fc.Arbitrary<{ y: number[]; P: number[][]; w: number[] }> = fc
  .array(
    fc.tuple(
      fc.integer({ min: 0, max: 2 }),
      fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 3, maxLength: 3 }),
      fc.integer({ min: 1, max: 3 }),
    ),
    { minLength: 1, maxLength: 20 },
  )
  .map((rows) => [...[0, 1, 2].map((c) => [c, [1, 1, 1], 1] as [number, number[], number]), ...rows])
  .map((rows) => ({
    y: rows.map(([y]) => y),
    P: rows.map(([, parts]) => normalised(parts.map((part) => part + 0.5))),
    w: rows.map(([, , w]) => w),
  }));

function normalised(parts: readonly number[]): number[] {
  const total = parts.reduce((a, b) => a + b, 0);
  return parts.map((part) => part / total);
}

/** Every element as often as its weight says. */
export function copies<T>(list: readonly T[], weights: readonly number[]): T[] {
  return list.flatMap((value, i) => new Array<T>(weights[i]).fill(value));
}

/** A list in the order of another list's random keys. */
export function reordered<T>(list: readonly T[], seed: number): T[] {
  const key = (i: number) => (Math.imul(i + 1, 2654435761) ^ Math.imul(seed + 1, 40503)) >>> 0;
  return list
    .map((_, i) => i)
    .sort((a, b) => (key(a) % 97) - (key(b) % 97) || b - a)
    .map((i) => list[i]);
}
