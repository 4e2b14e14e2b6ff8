import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addInto, addScaledInto, argmax, dot, maximum, scaleInto, subtractFrom, sum, topPlaces } from './arrays.ts';

const wholeArrays = fc.array(fc.integer({ min: -1e6, max: 1e6 }), { maxLength: 600 }).map((a) => Float64Array.from(a));

test('adding and subtracting whole numbers returns to the start', () => {
  fc.assert(
    fc.property(wholeArrays, (array) => {
      const other = array.map((value, i) => 3 * value - i);
      const held = array.slice();
      addInto(held, other);
      if (array.length > 0) expect(held[0]).toBe(array[0] + other[0]);
      subtractFrom(held, other);
      expect(held).toEqual(array);
    }),
  );
});

test('scale, add a multiple and dot product of small arrays', () => {
  const a = Float64Array.of(1, 2, 3);
  scaleInto(a, 2);
  expect(a).toEqual(Float64Array.of(2, 4, 6));
  addScaledInto(a, -1, Float64Array.of(1, 1, 5));
  expect(a).toEqual(Float64Array.of(1, 3, 1));
  expect(dot(a, Float64Array.of(10, 1, 100))).toBe(113);
});

test('the pairwise sum of whole numbers is the plain sum, and a million tenths are exact to 13 digits', () => {
  fc.assert(
    fc.property(wholeArrays, (array) => {
      expect(sum(array)).toBe(array.reduce((so, far) => so + far, 0));
    }),
  );
  expect(sum(Float64Array.of(9, 1, 2, 3, 9), 1, 3)).toBe(6);
  expect(Math.abs(sum(new Float64Array(1e6).fill(0.1)) - 1e5)).toBeLessThan(1e-8);
  expect(sum(new Float64Array(0))).toBe(0);
});

test('argmax is the index of the first maximum, relative to the start of the slice', () => {
  fc.assert(
    fc.property(wholeArrays, fc.nat(50), (array, skip) => {
      const from = Math.min(skip, array.length);
      const part = Array.from(array.subarray(from));
      expect(argmax(array, from)).toBe(part.indexOf(Math.max(...part)));
      expect(maximum(array, from)).toBe(Math.max(...part));
    }),
  );
  expect(argmax(Float64Array.of(5, 1, 7, 7, 9), 1, 3)).toBe(1);
  expect(argmax(Float64Array.of(-Infinity, -Infinity))).toBe(0);
  expect(argmax(Float64Array.of(Number.NaN, 1, 2))).toBe(2);
  expect(maximum(Float64Array.of(1, Number.NaN, 2))).toBeNaN();
});

test('the greatest elements come first, ties in their order', () => {
  const values = Float64Array.of(1, 3, Number.NaN, 3, -Infinity, 2);
  expect(topPlaces(values, 3)).toEqual([1, 3, 5]);
  expect(topPlaces(values, 9)).toEqual([1, 3, 5, 0, 2, 4]);
  expect(topPlaces(values, 1)).toEqual([1]);
});
