import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Matrix } from '../data/matrix.ts';
import { logSoftmaxInto } from '../math/logs.ts';
import { floorOf, lift } from './pool-calibrate.ts';

const scores = fc.array(fc.double({ min: -50, max: 50, noNaN: true }), { minLength: 2, maxLength: 5 });

test('lifted rows are distributions in which nothing is impossible, and the order of classes stays', () => {
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 10_000 }), (row, rows) => {
      const own = new Matrix(1, row.length, Float64Array.from(row));
      logSoftmaxInto(own.data, 0, row.length, own.data);
      const floor = floorOf(rows, row.length);
      const { data } = lift(own, floor);
      expect(data.reduce((sum, log) => sum + Math.exp(log), 0)).toBeCloseTo(1, 12);
      data.forEach((log, c) => {
        expect(Math.exp(log)).toBeGreaterThanOrEqual(floor / (1 + row.length * floor)); // all the others were lifted too
        if (own.data[c] > own.data[0]) expect(log).toBeGreaterThanOrEqual(data[0]);
      });
      if (own.data.every((log) => Math.exp(log) > floor)) {
        data.forEach((log, c) => {
          expect(log).toBeCloseTo(own.data[c], 12);
        });
      }
    }),
  );
});

test('by hand: of ten rows and two classes, half a row that nobody has seen leaves each 0.25 / 10.5', () => {
  expect(floorOf(10, 2)).toBeCloseTo(0.25 / 10.5, 15);
  const { data } = lift(new Matrix(1, 2, Float64Array.of(0, -1e4)), 0.02);
  expect(Math.exp(data[1])).toBeCloseTo(0.02 / 1.02, 12);
});
