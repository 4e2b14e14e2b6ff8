import fc from 'fast-check';
import { expect, test } from 'vitest';
import { golden, relativeError, worstError } from '../../test/reference/math/golden.ts';
import { digammaDifference, logBeta, logGammaRatio } from './gamma-ratio.ts';

const shapes = fc.double({ min: -12, max: 12, noNaN: true }).map((power) => 10 ** power);

test('ratios of gamma functions keep their digits for x from 1e-300 to 1e200 and steps from 1e-12 to 1e15', () => {
  expect(worstError(golden('logGammaRatio'), 2, logGammaRatio)).toBeLessThan(5e-14);
});

test('differences of digamma keep their digits for x from 1e-300 to 1e200 and steps from 1e-12 to 1e15', () => {
  expect(worstError(golden('digammaDifference'), 2, digammaDifference)).toBeLessThan(2e-15);
});

test('the logarithm of the beta function agrees with golden values', () => {
  expect(worstError(golden('logBeta'), 2, logBeta)).toBeLessThan(3e-15);
  expect(logBeta(1, 1)).toBe(0);
});

test('a step of zero gives zero, and rising factorials are right', () => {
  expect(logGammaRatio(3.3, 0)).toBe(0);
  expect(digammaDifference(3.3, 0)).toBe(0);
  expect(relativeError(logGammaRatio(2, 3), Math.log(24))).toBeLessThan(3e-16);
  expect(relativeError(digammaDifference(1, 3), 1 + 1 / 2 + 1 / 3)).toBeLessThan(3e-16);
});

test('two steps combine into one: Γ(x + m + n) / Γ(x) is a product of two ratios', () => {
  fc.assert(
    fc.property(shapes, fc.nat(40), fc.nat(40), (x, m, n) => {
      const parts = [logGammaRatio(x, m), logGammaRatio(x + m, n)];
      const size = Math.abs(parts[0]) + Math.abs(parts[1]) + 1;
      expect(Math.abs(logGammaRatio(x, m + n) - parts[0] - parts[1])).toBeLessThan(2e-14 * size);
      const difference = digammaDifference(x, m) + digammaDifference(x + m, n);
      expect(Math.abs(digammaDifference(x, m + n) - difference)).toBeLessThanOrEqual(1e-14 * difference);
    }),
  );
});

test('the beta function is symmetric', () => {
  fc.assert(
    fc.property(shapes, shapes, (a, b) => {
      expect(logBeta(a, b)).toBe(logBeta(b, a));
    }),
  );
});
