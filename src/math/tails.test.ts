import fc from 'fast-check';
import { expect, test } from 'vitest';
import { golden, relativeError, worstError } from '../../test/reference/math/golden.ts';
import { normalQuantile } from './erf.ts';
import { chi2Tail, fTail, normalTail, studentQuantile, studentTail, studentTwoSidedTail } from './tails.ts';

test('the tails of χ², F and Student agree with golden values down to 1e-306', () => {
  expect(worstError(golden('chi2Tail'), 2, chi2Tail)).toBeLessThan(1e-12);
  expect(worstError(golden('fTail'), 3, fTail)).toBeLessThan(1e-12);
  expect(worstError(golden('studentTail'), 2, studentTail)).toBeLessThan(1e-12);
});

test('closed forms: χ² with 2 degrees, Student with 1', () => {
  expect(relativeError(chi2Tail(7, 2), Math.exp(-3.5))).toBeLessThan(1e-14);
  expect(relativeError(studentTail(1, 1), 0.25)).toBeLessThan(1e-14);
  expect(relativeError(studentQuantile(0.75, 1), 1)).toBeLessThan(1e-14);
});

test('F with one degree is the square of Student', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 50, noNaN: true }), fc.integer({ min: 1, max: 5000 }), (t, df) => {
      expect(relativeError(fTail(t * t, 1, df), studentTwoSidedTail(t, df))).toBeLessThan(1e-11);
      expect(relativeError(studentTail(-t, df), 1 - studentTail(t, df))).toBeLessThan(1e-15);
    }),
  );
});

test('the quantile of Student inverts its tail, and for infinite degrees it is the normal one', () => {
  const rows = golden('studentTail').filter(([t]) => t > 0.01);
  for (const [t, df, tail] of rows) expect(relativeError(-studentQuantile(tail, df), t)).toBeLessThan(1e-12);
  expect(studentQuantile(0.975, Infinity)).toBe(normalQuantile(0.975));
  expect(relativeError(studentQuantile(0.975, 1e15), normalQuantile(0.975))).toBeLessThan(1e-13);
  expect(studentTail(2, Infinity)).toBe(normalTail(2));
});

test('the ends and values outside the domain are as documented', () => {
  expect([chi2Tail(0, 3), chi2Tail(-1, 3), chi2Tail(Infinity, 3)]).toEqual([1, 1, 0]);
  expect([fTail(0, 1, 2), fTail(Infinity, 1, 2)]).toEqual([1, 0]);
  expect([studentTail(0, 4), studentTail(Infinity, 4), studentTail(-Infinity, 4)]).toEqual([0.5, 0, 1]);
  expect([studentQuantile(0, 4), studentQuantile(1, 4), studentQuantile(0.5, 4)]).toEqual([-Infinity, Infinity, 0]);
  expect(studentQuantile(1.5, 4)).toBeNaN();
});
