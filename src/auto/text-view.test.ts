import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tableOf as build } from './text-view.ts';

const tableOf = (all: Float64Array, classes: number) =>
  build(all.length / classes, classes, (j, row) => row.set(all.subarray(j * classes, (j + 1) * classes)));

const cell = fc.constantFrom(0, -0, 1, -1.5, 1e-300, Math.PI);

test('a table gives back every row to the last bit and keeps none of them twice', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.array(cell, { minLength: 3, maxLength: 3 })),
      (classes, list) => {
        const dense = Float64Array.from(list.flatMap((row) => row.slice(0, classes)));
        const { rows, weights } = tableOf(dense, classes);
        const rowOf = (j: number) => Array.from(weights.subarray(rows[j] * classes, (rows[j] + 1) * classes));
        expect(Array.from(rows.keys()).flatMap(rowOf)).toEqual(Array.from(dense));
        const kept = Array.from({ length: weights.length / classes }, (_, row) =>
          Array.from(weights.subarray(row * classes, (row + 1) * classes), (value) =>
            Object.is(value, -0) ? '-0' : value,
          ).join(),
        );
        expect(new Set(kept).size).toBe(kept.length);
      },
    ),
  );
});

test('a part of a larger array is a table as well', () => {
  const whole = Float64Array.of(9, 9, 1, 2, 1, 2, 3, 4, 9);
  const { rows, weights } = tableOf(whole.subarray(2, 8), 2);
  expect(Array.from(rows)).toEqual([0, 0, 1]);
  expect(Array.from(weights)).toEqual([1, 2, 3, 4]);
});
