import fc from 'fast-check';
import { expect, test } from 'vitest';
import { golden, relativeError, worstError } from '../../test/reference/math/golden.ts';
import { digamma, lgamma, lgamma1p, trigamma } from './gamma.ts';

const positive = fc.double({ min: -5, max: 5, noNaN: true }).map((power) => 10 ** power);

test('lgamma is within 1e-13 of golden values from 1e-300 to 1e305, also at its zeros', () => {
  expect(worstError(golden('lgamma'), 1, lgamma)).toBeLessThan(2e-15);
  expect(lgamma(1)).toBe(0);
  expect(lgamma(2)).toBe(0);
});

test('digamma is within 1e-13 of golden values from 1e-300 to 1e305, also at its zero', () => {
  const rows = golden('digamma');
  const onPositive = rows.filter(([x]) => x > 0);
  expect(worstError(onPositive, 1, digamma)).toBeLessThan(2e-15);
  expect(worstError(rows, 1, digamma)).toBeLessThan(1e-13);
});

test('trigamma is within 1e-13 of golden values', () => {
  expect(worstError(golden('trigamma'), 1, trigamma)).toBeLessThan(2e-15);
});

test('factorials', () => {
  let factorial = 1;
  for (let n = 1; n <= 20; n++) {
    expect(relativeError(lgamma(n), Math.log(factorial))).toBeLessThan(1e-15);
    factorial *= n;
  }
});

test('the recurrences hold: Γ(x + 1) = xΓ(x), ψ(x + 1) = ψ(x) + 1/x, ψ′(x + 1) = ψ′(x) − 1/x²', () => {
  fc.assert(
    fc.property(positive, (x) => {
      const size = Math.abs(lgamma(x)) + Math.abs(Math.log(x)) + x * Math.abs(Math.log(x)) + 1;
      expect(Math.abs(lgamma(x + 1) - lgamma(x) - Math.log(x))).toBeLessThan(1e-15 * size);
      expect(Math.abs(digamma(x + 1) - digamma(x) - 1 / x)).toBeLessThan(1e-14 * (1 + 1 / x + Math.log(x + 1)));
      expect(Math.abs(trigamma(x + 1) - trigamma(x) + 1 / (x * x))).toBeLessThan(1e-14 * trigamma(x));
    }),
  );
});

test('lgamma1p keeps the digits that rounding 1 + z would lose', () => {
  expect(relativeError(lgamma1p(1e-20), -0.5772156649015329e-20)).toBeLessThan(5e-16);
  expect(lgamma1p(-0.25)).toBeCloseTo(lgamma(0.75), 15);
});

test('poles, infinities and NaN have the documented values', () => {
  for (const pole of [0, -1, -7]) {
    expect(lgamma(pole)).toBe(Infinity);
    expect(trigamma(pole)).toBe(Infinity);
  }
  expect(digamma(0)).toBe(-Infinity);
  expect(digamma(-1)).toBeNaN();
  expect(digamma(-Infinity)).toBeNaN();
  expect(lgamma(-Infinity)).toBe(Infinity);
  expect([lgamma(Infinity), digamma(Infinity), trigamma(Infinity)]).toEqual([Infinity, Infinity, 0]);
  expect([lgamma(Number.NaN), digamma(Number.NaN), trigamma(Number.NaN)]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  expect(lgamma(2.6e305)).toBe(Infinity);
  expect(lgamma(5e-324)).toBeCloseTo(744.4400719213812, 10);
});
