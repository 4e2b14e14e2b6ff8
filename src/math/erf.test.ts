import fc from 'fast-check';
import { expect, test } from 'vitest';
import { golden, relativeError, worstError } from '../../test/reference/math/golden.ts';
import { erf, erfc, erfcx, normalCdf, normalQuantile, normalTail } from './erf.ts';

test('erf and erfc agree with golden values, erfc with relative accuracy out to 26', () => {
  expect(worstError(golden('erf'), 1, erf)).toBeLessThan(1e-15);
  expect(worstError(golden('erfc'), 1, erfc)).toBeLessThan(1e-15);
});

test('the normal distribution agrees with golden values out to 37 standard deviations', () => {
  expect(worstError(golden('normalCdf'), 1, normalCdf)).toBeLessThan(1e-15);
});

test('normal quantiles agree with golden values from 1e-320 to 1 − 2^−53', () => {
  expect(worstError(golden('normalQuantile'), 1, normalQuantile)).toBeLessThan(1e-15);
});

test('the quantile inverts the tail', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 37, noNaN: true }), (z) => {
      expect(relativeError(-normalQuantile(normalTail(z)), z)).toBeLessThan(1e-12);
    }),
  );
});

test('both tails are symmetric', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 30, noNaN: true }), (x) => {
      expect(erf(-x)).toBe(-erf(x));
      expect(erfc(-x)).toBeCloseTo(2 - erfc(x), 15);
      expect(normalCdf(-x)).toBe(normalTail(x));
    }),
  );
});

test('the ends have the documented values', () => {
  expect([erf(Infinity), erf(-Infinity), erf(0)]).toEqual([1, -1, 0]);
  expect([erfc(Infinity), erfc(-Infinity), erfc(40)]).toEqual([0, 2, 0]);
  expect([normalCdf(-Infinity), normalCdf(Infinity), normalTail(50)]).toEqual([0, 1, 0]);
  expect([normalQuantile(0), normalQuantile(1), normalQuantile(0.5)]).toEqual([-Infinity, Infinity, 0]);
  expect([normalQuantile(-0.1), normalQuantile(1.1), erf(Number.NaN), erfc(Number.NaN)]).toEqual(
    new Array(4).fill(Number.NaN),
  );
  expect(relativeError(erfcx(1e30), 1e-30 / Math.sqrt(Math.PI))).toBeLessThan(1e-15);
  expect(erfcx(Infinity)).toBe(0);
});
