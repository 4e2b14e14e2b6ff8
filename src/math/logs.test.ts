import fc from 'fast-check';
import { expect, test } from 'vitest';
import { golden, relativeError, worstError } from '../../test/reference/math/golden.ts';
import {
  log1mexp,
  log1pmx,
  logAddExp,
  logRatio,
  logShares,
  logSoftmaxInto,
  logSumExp,
  softplus,
  xlogy,
} from './logs.ts';

const logs = fc.double({ min: -800, max: 800, noNaN: true });
const logArrays = fc.array(logs, { minLength: 1, maxLength: 30 }).map((a) => Float64Array.from(a));

test('the logarithm of a ratio keeps its digits near 1 and beyond the range of the ratio', () => {
  expect(worstError(golden('logRatio'), 2, logRatio)).toBeLessThan(5e-16);
  expect(logRatio(0, 5)).toBe(-Infinity);
  expect(logRatio(0, 0)).toBe(-Infinity);
  expect(logRatio(2, 0)).toBe(Infinity);
});

test('log-functions agree with golden values', () => {
  expect(worstError(golden('log1mexp'), 1, log1mexp)).toBeLessThan(5e-16);
  expect(worstError(golden('softplus'), 1, softplus)).toBeLessThan(5e-16);
  expect(worstError(golden('log1pmx'), 1, log1pmx)).toBeLessThan(5e-16);
  expect(log1mexp(0)).toBe(-Infinity);
  expect(softplus(-Infinity)).toBe(0);
  expect(softplus(1e4)).toBe(1e4);
});

test('shares of counts sum to one; without counts they are equal', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1e9), { minLength: 1, maxLength: 20 }), (counts) => {
      const total = logShares(Float64Array.from(counts)).reduce((so, far) => so + Math.exp(far), 0);
      expect(Math.abs(total - 1)).toBeLessThan(1e-14);
    }),
  );
  expect(logShares(Float64Array.of(1, 0, 3))).toEqual(Float64Array.of(Math.log(0.25), -Infinity, Math.log1p(-0.25)));
  expect(logShares(new Float64Array(4))).toEqual(new Float64Array(4).fill(-Math.log(4)));
});

test('log-sum-exp is equivariant under shifts, and ln 6 for ln 1, ln 2, ln 3', () => {
  fc.assert(
    fc.property(logArrays, fc.integer({ min: -500, max: 500 }), (values, shift) => {
      const moved = logSumExp(values.map((value) => value + shift));
      expect(Math.abs(moved - shift - logSumExp(values))).toBeLessThan(1e-12);
    }),
  );
  const values = Float64Array.of(99, Math.log(1), Math.log(2), Math.log(3), 99);
  expect(relativeError(logSumExp(values, 1, 3), Math.log(6))).toBeLessThan(3e-16);
});

test('log-sum-exp of no terms or all −Infinity is −Infinity; Infinity and NaN propagate', () => {
  expect(logSumExp(Float64Array.of(-Infinity, -Infinity))).toBe(-Infinity);
  expect(logSumExp(new Float64Array(0))).toBe(-Infinity);
  expect(logSumExp(Float64Array.of(1, Infinity, -Infinity))).toBe(Infinity);
  expect(logSumExp(Float64Array.of(1, Number.NaN))).toBeNaN();
  expect(logSumExp(Float64Array.of(-Infinity, 2))).toBe(2);
});

test('log-sum-exp of a million equal terms is the term plus ln 1e6', () => {
  const terms = new Float64Array(1e6).fill(-1000);
  expect(relativeError(logSumExp(terms), -1000 + Math.log(1e6))).toBeLessThan(1e-14);
});

test('two terms are the special case of log-add-exp', () => {
  fc.assert(
    fc.property(logs, logs, (a, b) => {
      expect(Math.abs(logAddExp(a, b) - logSumExp(Float64Array.of(a, b)))).toBeLessThan(1e-12);
    }),
  );
  expect(logAddExp(0, 0)).toBe(Math.LN2);
  expect(logAddExp(-Infinity, -Infinity)).toBe(-Infinity);
  expect(logAddExp(-Infinity, 3)).toBe(3);
  expect(logAddExp(Infinity, Infinity)).toBe(Infinity);
});

test('softmax sums to one, writes only its part, and keeps the digits of a dominant score', () => {
  fc.assert(
    fc.property(logArrays, (values) => {
      const out = values.slice();
      expect(logSoftmaxInto(out, 0, out.length, out)).toBe(logSumExp(values));
      expect(Math.abs(out.reduce((so, far) => so + Math.exp(far), 0) - 1)).toBeLessThan(1e-13);
    }),
  );
  const out = new Float64Array(4).fill(7);
  logSoftmaxInto(Float64Array.of(0, -1e5, -1e5 - 46, 0), 1, 2, out);
  expect(out).toEqual(Float64Array.of(7, -Math.exp(-46), -46, 7));
});

test('softmax of impossible scores stays impossible, and infinite scores share the mass', () => {
  const out = new Float64Array(3);
  expect(logSoftmaxInto(new Float64Array(3).fill(-Infinity), 0, 3, out)).toBe(-Infinity);
  expect(out).toEqual(new Float64Array(3).fill(-Infinity));
  expect(logSoftmaxInto(Float64Array.of(Infinity, 1, Infinity), 0, 3, out)).toBe(Infinity);
  expect(out).toEqual(Float64Array.of(-Math.LN2, -Infinity, -Math.LN2));
  logSoftmaxInto(Float64Array.of(Number.NaN, 1, 2), 0, 3, out);
  expect(out).toEqual(new Float64Array(3).fill(Number.NaN));
});

test('zero times the logarithm of zero is zero', () => {
  expect(xlogy(0, 0)).toBe(0);
  expect(xlogy(2, Math.E)).toBe(2);
  expect(xlogy(1, 0)).toBe(-Infinity);
  expect(xlogy(0, Number.NaN)).toBeNaN();
});
