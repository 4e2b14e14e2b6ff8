import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cholesky, inverse, logDeterminant, solve, solveLower, solveUpper } from './cholesky.ts';
import { Random } from './random.ts';

/** A positive definite matrix GGᵀ + I of side n. */
function positive(n: number, seed: number): Float64Array {
  const random = new Random(seed);
  const g = Float64Array.from({ length: n * n }, () => random.normal());
  return multiply(g, n, (i, k) => g[i * n + k]).map((value, at) => value + (at % (n + 1) === 0 ? 1 : 0));
}

/** g hᵀ for a row-major g of side n and elements h. */
function multiply(g: Float64Array, n: number, h: (j: number, k: number) => number): Float64Array {
  return Float64Array.from({ length: n * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    let total = 0;
    for (let k = 0; k < n; k++) total += g[i * n + k] * h(j, k);
    return total;
  });
}

function gap(a: Float64Array, b: Float64Array): number {
  return a.reduce((worst, value, i) => Math.max(worst, Math.abs(value - b[i])), 0);
}

const sides = fc.integer({ min: 1, max: 12 });

test('the factor of a small matrix: [[4, 2], [2, 5]] = LLᵀ with L = [[2, 0], [1, 2]]', () => {
  const factor = cholesky(Float64Array.of(4, 2, 2, 5), 2);
  expect(factor).toEqual({ ok: true, size: 2, lower: Float64Array.of(2, 0, 1, 2), pivot: 0.8, column: 1 });
  expect(logDeterminant(factor)).toBeCloseTo(Math.log(16), 15);
  expect(solve(factor, Float64Array.of(8, 12))).toEqual(Float64Array.of(1, 2));
  expect(gap(inverse(factor), Float64Array.of(5 / 16, -2 / 16, -2 / 16, 4 / 16))).toBeLessThan(1e-16);
});

test('the factor times its transpose is the matrix, and solving inverts multiplying', () => {
  fc.assert(
    fc.property(sides, fc.nat(), (n, seed) => {
      const matrix = positive(n, seed);
      const factor = cholesky(matrix, n);
      expect(factor.ok).toBe(true);
      const { lower } = factor;
      expect(
        gap(
          multiply(lower, n, (j, k) => lower[j * n + k]),
          matrix,
        ),
      ).toBeLessThan(1e-12);
      const x = Float64Array.from({ length: n }, (_, i) => i - 3);
      const b = x.map((_, i) => x.reduce((total, value, j) => total + matrix[i * n + j] * value, 0));
      expect(gap(solve(factor, b), x)).toBeLessThan(1e-10);
      const back = inverse(factor);
      const unit = multiply(matrix, n, (j, k) => back[j * n + k]);
      expect(
        gap(
          unit,
          unit.map((_, at) => (at % (n + 1) === 0 ? 1 : 0)),
        ),
      ).toBeLessThan(1e-10);
    }),
  );
});

test('a part of a longer array is solved in place', () => {
  const factor = cholesky(Float64Array.of(4, 2, 2, 5), 2);
  const b = Float64Array.of(7, 2, 5, 7);
  solveLower(factor, b, 1);
  expect(b).toEqual(Float64Array.of(7, 1, 2, 7));
  solveUpper(factor, b, 1);
  expect(b).toEqual(Float64Array.of(7, 0, 1, 7));
});

test('an indefinite, singular or non-finite matrix is reported with its column, without throwing', () => {
  expect(cholesky(Float64Array.of(1, 2, 2, 1), 2)).toMatchObject({ ok: false, column: 1, pivot: -3 });
  expect(cholesky(Float64Array.of(1, 1, 1, 1), 2)).toMatchObject({ ok: false, column: 1, pivot: 0 });
  expect(cholesky(Float64Array.of(0), 1).ok).toBe(false);
  expect(cholesky(Float64Array.of(Number.NaN), 1).ok).toBe(false);
  expect(cholesky(Float64Array.of(Infinity), 1).ok).toBe(false);
  // One third three times: collinear except for rounding.
  const third = 1 / 3;
  expect(cholesky(Float64Array.of(1, third, third, third * third), 2).ok).toBe(false);
});

test('the tolerance rejects nearly collinear matrices, at any scale', () => {
  for (const scale of [1e-200, 1, 1e200]) {
    const nearly = Float64Array.of(scale, scale, scale, scale * (1 + 1e-8));
    expect(cholesky(nearly, 2).ok).toBe(true);
    expect(cholesky(nearly, 2, 1e-6)).toMatchObject({ ok: false, column: 1 });
  }
});
