import fc from 'fast-check';
import { expect, test } from 'vitest';
import { golden, relativeError, worstError } from '../../test/reference/math/golden.ts';
import { gammaQuantile, lowerGamma, upperGamma } from './incomplete-gamma.ts';

const shapes = fc.double({ min: -3, max: 9, noNaN: true }).map((power) => 10 ** power);
const shares = fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true });

test('both tails agree with golden values, down to 1e-307', () => {
  expect(worstError(golden('gammaTails'), 2, lowerGamma, 2)).toBeLessThan(1e-12);
  expect(worstError(golden('gammaTails'), 2, upperGamma, 3)).toBeLessThan(1e-12);
});

test('quantiles return to the golden arguments', () => {
  const rows = golden('gammaTails').filter(([, , lower]) => lower > 1e-290 && lower < 0.5);
  expect(rows.length).toBeGreaterThan(10);
  for (const [shape, x, lower] of rows) expect(relativeError(gammaQuantile(lower, shape), x)).toBeLessThan(1e-12);
});

test('the tails of a shape sum to one and of shape 1 they are exponential', () => {
  fc.assert(
    fc.property(shapes, fc.double({ min: 0.01, max: 3, noNaN: true }), (shape, factor) => {
      expect(Math.abs(lowerGamma(shape, shape * factor) + upperGamma(shape, shape * factor) - 1)).toBeLessThan(1e-14);
    }),
  );
  expect(relativeError(upperGamma(1, 5), Math.exp(-5))).toBeLessThan(1e-14);
});

test('the quantile inverts the distribution function', () => {
  fc.assert(
    fc.property(shapes, shares, (shape, p) => {
      const x = gammaQuantile(p, shape);
      if (x > 1e-300) expect(relativeError(lowerGamma(shape, x), p)).toBeLessThan(1e-10);
    }),
  );
});

test('the ends and values outside the domain are as documented', () => {
  expect([lowerGamma(2, 0), upperGamma(2, 0), lowerGamma(2, Infinity), upperGamma(2, Infinity)]).toEqual([0, 1, 1, 0]);
  expect([gammaQuantile(0, 2), gammaQuantile(1, 2), gammaQuantile(1e-300, 1e-5)]).toEqual([0, Infinity, 0]);
  expect([lowerGamma(0, 1), upperGamma(1, -1), gammaQuantile(2, 1), gammaQuantile(0.5, 0)]).toEqual(
    new Array(4).fill(Number.NaN),
  );
});
