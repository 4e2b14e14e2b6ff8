import fc from 'fast-check';
import { expect, test } from 'vitest';
import { golden, relativeError, worstError } from '../../test/reference/math/golden.ts';
import { betaQuantile, betaQuantilePair, lowerBeta, upperBeta } from './incomplete-beta.ts';

const shapes = fc.double({ min: -1, max: 8, noNaN: true }).map((power) => 10 ** power);
const shares = fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true });

test('both tails agree with golden values, also for counts of 1e15 and tails of 1e-290', () => {
  expect(worstError(golden('betaTails'), 3, (a, b, x) => lowerBeta(x, a, b), 3)).toBeLessThan(1e-12);
  expect(worstError(golden('betaTails'), 3, (a, b, x) => upperBeta(x, a, b), 4)).toBeLessThan(1e-12);
});

test('quantiles return to the golden arguments', () => {
  const rows = golden('betaTails').filter(([, , , lower, upper]) => lower > 1e-290 && upper > 1e-4);
  expect(rows.length).toBeGreaterThan(20);
  for (const [a, b, x, lower] of rows) expect(relativeError(betaQuantile(lower, a, b), x)).toBeLessThan(1e-12);
});

test('the arcsine law: I_x(½, ½) = 2/π arcsin √x', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (x) => {
      // Each side from its own end, because arcsin is ill-conditioned at 1.
      const tail = x < 0.5 ? lowerBeta(x, 0.5, 0.5) : upperBeta(x, 0.5, 0.5);
      const angle = Math.asin(Math.sqrt(Math.min(x, 1 - x)));
      expect(Math.abs(tail - (2 / Math.PI) * angle)).toBeLessThanOrEqual(1e-13 * tail);
    }),
  );
  expect(betaQuantile(0.5, 7, 7)).toBeCloseTo(0.5, 15);
});

test('mirrored arguments give mirrored tails, and both sum to one', () => {
  fc.assert(
    fc.property(shapes, shapes, fc.double({ min: 2 ** -20, max: 1, noNaN: true }), (a, b, raw) => {
      const x = Math.round(raw * 2 ** 20) / 2 ** 20;
      expect(Math.abs(lowerBeta(x, a, b) - upperBeta(1 - x, b, a))).toBeLessThan(1e-14);
      expect(Math.abs(lowerBeta(x, a, b) + upperBeta(x, a, b) - 1)).toBeLessThan(1e-14);
    }),
  );
});

test('the pair of quantiles sums to one and inverts the distribution function', () => {
  fc.assert(
    fc.property(shapes, shapes, shares, (a, b, p) => {
      const [x, y] = betaQuantilePair(p, 1 - p, a, b);
      expect(Math.abs(x + y - 1)).toBeLessThan(1e-15);
      // The resolution of x in a double changes p by x · density · 2⁻⁵³; with shapes of 1e8 that is 1e-10 and more.
      const back = x < 0.5 ? lowerBeta(x, a, b) : upperBeta(y, b, a);
      expect(Math.abs(back - p)).toBeLessThan(1e-9 * Math.min(p, 1 - p) + 1e-15);
    }),
  );
});

test('the ends and values outside the domain are as documented', () => {
  expect([lowerBeta(0, 2, 3), upperBeta(0, 2, 3), lowerBeta(1, 2, 3), upperBeta(1, 2, 3)]).toEqual([0, 1, 1, 0]);
  expect([betaQuantile(0, 2, 3), betaQuantile(1, 2, 3)]).toEqual([0, 1]);
  expect([lowerBeta(0.5, 0, 1), lowerBeta(1.5, 1, 1), betaQuantile(-1, 1, 1)]).toEqual(new Array(3).fill(Number.NaN));
});
