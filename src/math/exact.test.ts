import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addScaled,
  canonicalExpansion,
  exactSum,
  growExpansion,
  pairOf,
  roundExpansion,
  twoProduct,
  twoSum,
} from './exact.ts';

const view = new DataView(new ArrayBuffer(8));

function bitsOf(x: number): bigint {
  view.setFloat64(0, x);
  return view.getBigUint64(0);
}

/** The double adjacent to x, outwards for 1 and inwards for −1. */
function beside(x: number, step: bigint): number {
  if (x === 0) return step < 0n ? -Number.MIN_VALUE : Number.MIN_VALUE;
  view.setBigUint64(0, bitsOf(x) + step);
  return view.getFloat64(0);
}

/** A double as an integer multiple of 2^−1074: independent arithmetic for these tests. */
function units(x: number): bigint {
  const word = bitsOf(x);
  const exponent = Number((word >> 52n) & 2047n);
  const fraction = (word & ((1n << 52n) - 1n)) | (exponent > 0 ? 1n << 52n : 0n);
  return (x < 0 ? -fraction : fraction) << BigInt(Math.max(exponent, 1) - 1);
}

const total = (values: readonly number[]) => values.reduce((so, far) => so + units(far), 0n);
const moderate = fc.double({ min: -1e300, max: 1e300, noNaN: true });
const close = fc
  .integer({ min: -(2 ** 53), max: 2 ** 53 })
  .chain((m) => fc.integer({ min: -60, max: 60 }).map((e) => m * 2 ** e));
const lists = fc.array(fc.oneof(moderate, close), { maxLength: 40 });

function expand(values: Iterable<number>): number[] {
  const parts: number[] = [];
  for (const value of values) growExpansion(parts, value);
  return parts;
}

test('a rounded sum and its error are the exact sum', () => {
  fc.assert(
    fc.property(moderate, moderate, (a, b) => {
      const [sum, error] = twoSum(a, b);
      expect(sum).toBe(a + b);
      expect(units(sum) + units(error)).toBe(units(a) + units(b));
    }),
  );
  expect(twoSum(1, 2 ** -80)).toEqual([1, 2 ** -80]);
});

test('a rounded product and its error are the exact product', () => {
  const factors = fc.double({ min: 1e-140, max: 1e140, noNaN: true });
  fc.assert(
    fc.property(factors, factors, (a, b) => {
      const [product, error] = twoProduct(a, -b);
      expect(product).toBe(-a * b);
      expect((units(product) + units(error)) << 1074n).toBe(-units(a) * units(b));
    }),
  );
  expect(twoProduct(2 ** 27 + 1, 2 ** 27 + 1)).toEqual([2 ** 54 + 2 ** 28, 1]);
  expect(Math.abs(twoProduct(1e290, 1)[1])).toBe(0);
});

test('an expansion holds the exact sum', () => {
  fc.assert(
    fc.property(lists, (values) => {
      const parts = expand(values);
      expect(total(parts)).toBe(total(values));
      expect(parts.every((part) => part !== 0)).toBe(true);
    }),
  );
});

test('the rounded total is the double nearest to the exact sum, also in a tie', () => {
  fc.assert(
    fc.property(lists, (values) => {
      const exact = total(values);
      const rounded = exactSum(values);
      const off = (candidate: number) =>
        exact > units(candidate) ? exact - units(candidate) : units(candidate) - exact;
      for (const neighbour of [beside(rounded, -1n), beside(rounded, 1n)]) {
        expect(off(rounded) <= off(neighbour)).toBe(true);
        if (off(rounded) === off(neighbour)) expect(bitsOf(rounded) % 2n).toBe(0n);
      }
    }),
  );
});

test('ties round to even unless a smaller part breaks them', () => {
  expect(exactSum([])).toBe(0);
  expect(exactSum([1e100, 1, -1e100])).toBe(1);
  expect(exactSum(new Array(10).fill(0.1))).toBe(1);
  expect(exactSum([1, 2 ** -53])).toBe(1);
  expect(exactSum([1, 2 ** -53, 2 ** -110])).toBe(1 + 2 ** -52);
  expect(exactSum([1, 2 ** -53, -(2 ** -110)])).toBe(1);
  expect(exactSum([1 + 2 ** -52, 2 ** -53, -(2 ** -110)])).toBe(1 + 2 ** -52);
  expect(exactSum([-1, -(2 ** -53), -(2 ** -110)])).toBe(-1 - 2 ** -52);
});

test('any order and any partition give the identical canonical expansion', () => {
  fc.assert(
    fc.property(
      lists.chain((values) => fc.tuple(fc.constant(values), fc.shuffledSubarray(values, { minLength: values.length }))),
      fc.nat(),
      ([values, shuffled], where) => {
        const cut = where % (values.length + 1);
        const left = expand(shuffled.slice(0, cut));
        for (const part of expand(shuffled.slice(cut))) growExpansion(left, part);
        const canonical = canonicalExpansion(expand(values));
        expect(canonicalExpansion(left)).toEqual(canonical);
        expect(total(canonical)).toBe(total(values));
        if (canonical.length > 0) expect(canonical[0]).toBe(exactSum(values));
      },
    ),
  );
  expect(canonicalExpansion(expand([2 ** -80, 1, 2 ** -160]))).toEqual([1, 2 ** -80, 2 ** -160]);
});

test('subtracting everything that was added leaves zero', () => {
  fc.assert(
    fc.property(lists, (values) => {
      const parts = expand(values);
      for (const value of values) growExpansion(parts, -value);
      expect(parts).toEqual([]);
    }),
  );
});

test('after overflow or NaN one non-finite part remains', () => {
  const parts = expand([1, 1.7e308, 1.7e308, 5]);
  expect(parts).toEqual([Infinity]);
  expect(canonicalExpansion(parts)).toEqual([Infinity]);
  expect(roundExpansion(expand([3, Number.NaN, 2]))).toBeNaN();
});

test('equal totals have equal pairs, however they were gathered', () => {
  fc.assert(
    fc.property(lists, (values) => {
      const pair = pairOf(expand(values));
      expect(pairOf(expand([...values].reverse()))).toEqual(pair);
      expect(pair[0]).toBe(exactSum(values));
    }),
  );
});

test('a scaled sum of pairs loses no more than 2^-100 of its terms', () => {
  const number = fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((x) => (Math.abs(x) < 1e-9 ? 0 : x));
  fc.assert(
    fc.property(number, number, number, number, number, (a, b, c, d, factor) => {
      const [left, right] = [pairOf(expand([a, b * 2 ** -60])), pairOf(expand([c, d * 2 ** -60]))];
      const exact = [...left, ...right.flatMap((part) => twoProduct(part, factor))];
      const rest = total([...exact, ...addScaled(left, right, factor).map((part) => -part)]);
      const size = Math.max(Math.abs(left[0]), Math.abs(right[0] * factor));
      expect((rest < 0n ? -rest : rest) <= units(size * 2 ** -100)).toBe(true);
    }),
  );
});
