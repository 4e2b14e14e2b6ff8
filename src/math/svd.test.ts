import fc from 'fast-check';
import { expect, test } from 'vitest';
import { golden, relativeError } from '../../test/reference/math/golden.ts';
import { PolyaError } from '../errors.ts';
import { Random } from './random.ts';
import { type Svd, thinSvd } from './svd.ts';

/** The greatest |A − UΣVᵀ|. */
function defect(matrix: Float64Array, { rows, columns, values, left, right }: Svd): number {
  const rank = values.length;
  let worst = 0;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      let total = -matrix[i * columns + j];
      for (let k = 0; k < rank; k++) total += left[i * rank + k] * values[k] * right[j * rank + k];
      worst = Math.max(worst, Math.abs(total));
    }
  }
  return worst;
}

/** The greatest |UᵀU − I| of a matrix with `rank` columns. */
function skew(vectors: Float64Array, rank: number): number {
  let worst = 0;
  for (let k = 0; k < rank; k++) {
    for (let l = 0; l <= k; l++) {
      let product = k === l ? -1 : 0;
      for (let i = 0; i < vectors.length; i += rank) product += vectors[i + k] * vectors[i + l];
      worst = Math.max(worst, Math.abs(product));
    }
  }
  return worst;
}

test('the three factors give the matrix, with orthonormal columns and descending values, tall or wide', () => {
  const side = fc.integer({ min: 1, max: 14 });
  fc.assert(
    fc.property(side, side, fc.nat(), (rows, columns, seed) => {
      const random = new Random(seed);
      const matrix = Float64Array.from({ length: rows * columns }, () => random.normal());
      const svd = thinSvd(matrix, rows, columns);
      const rank = Math.min(rows, columns);
      expect(defect(matrix, svd)).toBeLessThan(1e-13);
      expect(skew(svd.left, rank)).toBeLessThan(1e-13);
      expect(skew(svd.right, rank)).toBeLessThan(1e-13);
      expect(Array.from(svd.values)).toEqual(Array.from(svd.values).sort((a, b) => b - a));
    }),
  );
});

test('sparse, graded, nearly vanishing and rank-deficient matrices converge', () => {
  const entries = fc.constantFrom(0, 0, 1, -1, 3, 1e-8, 1e-20, -1e-160, 1e-165, 1e-320);
  const side = fc.integer({ min: 1, max: 6 });
  fc.assert(
    fc.property(side, side, fc.array(entries, { minLength: 36, maxLength: 36 }), (rows, columns, pool) => {
      const matrix = Float64Array.from(pool.slice(0, rows * columns));
      const svd = thinSvd(matrix, rows, columns);
      expect(defect(matrix, svd)).toBeLessThan(1e-13);
      expect(skew(rows >= columns ? svd.right : svd.left, svd.values.length)).toBeLessThan(1e-13);
    }),
    { numRuns: 1000 },
  );
});

test('singular values of a 5 × 3 matrix agree with golden values, and of its transpose too', () => {
  const matrix = Float64Array.of(7, 1, 0, 2, -3, 5, 0, 4, 1, 1, 1, 1, -6, 2, 9);
  const turned = Float64Array.from({ length: 15 }, (_, at) => matrix[(at % 5) * 3 + Math.floor(at / 5)]);
  golden<number>('tallSingularValues').forEach((wanted, k) => {
    expect(relativeError(thinSvd(matrix, 5, 3).values[k], wanted)).toBeLessThan(1e-14);
    expect(relativeError(thinSvd(turned, 3, 5).values[k], wanted)).toBeLessThan(1e-14);
  });
});

test('a diagonal matrix: values are sorted, signs go to U', () => {
  const svd = thinSvd(Float64Array.of(1, 0, 0, -3), 2, 2);
  expect(svd.values).toEqual(Float64Array.of(3, 1));
  expect(Array.from(svd.right, Math.abs)).toEqual([0, 1, 1, 0]);
  expect(svd.right[2]).toBe(1);
  expect(svd.left[2]).toBe(-1);
});

test('rank shows as zeros, and small singular values keep relative accuracy', () => {
  const once = thinSvd(Float64Array.of(1, 2, 2, 4, 3, 6), 3, 2);
  expect(relativeError(once.values[0], Math.sqrt(70))).toBeLessThan(1e-15);
  expect(once.values[1]).toBeLessThan(1e-15);
  expect(thinSvd(new Float64Array(6), 3, 2).values).toEqual(new Float64Array(2));
  const graded = thinSvd(Float64Array.of(1e-100, 0, 0, 1, 0, 0), 3, 2);
  expect(graded.values).toEqual(Float64Array.of(1, 1e-100));
});

test('a matrix that is not finite is an error', () => {
  expect(() => thinSvd(Float64Array.of(1, Number.NaN), 2, 1)).toThrow(PolyaError);
});
