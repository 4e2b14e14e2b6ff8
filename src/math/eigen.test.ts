import fc from 'fast-check';
import { expect, test } from 'vitest';
import { golden, relativeError } from '../../test/reference/math/golden.ts';
import { PolyaError } from '../errors.ts';
import { generalisedEigen, symmetricEigen } from './eigen.ts';
import { Random } from './random.ts';

function symmetric(n: number, seed: number): Float64Array {
  const random = new Random(seed);
  const matrix = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) matrix[i * n + j] = matrix[j * n + i] = random.normal();
  return matrix;
}

/** The greatest |Av − λBv| and |vᵀBv′ − [v = v′]| over all pairs; B is the identity if not given. */
function defect(a: Float64Array, n: number, { values, vectors }: ReturnType<typeof symmetricEigen>, b?: Float64Array) {
  const times = (m: Float64Array | undefined, i: number, k: number) => {
    if (m === undefined) return vectors[i * n + k];
    let total = 0;
    for (let j = 0; j < n; j++) total += m[i * n + j] * vectors[j * n + k];
    return total;
  };
  let worst = 0;
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < n; i++) worst = Math.max(worst, Math.abs(times(a, i, k) - values[k] * times(b, i, k)));
    for (let l = 0; l <= k; l++) {
      let product = k === l ? -1 : 0;
      for (let i = 0; i < n; i++) product += vectors[i * n + l] * times(b, i, k);
      worst = Math.max(worst, Math.abs(product));
    }
  }
  return worst;
}

test('eigenvectors are orthonormal and belong to descending eigenvalues', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 25 }), fc.nat(), (n, seed) => {
      const matrix = symmetric(n, seed);
      const eigen = symmetricEigen(matrix, n);
      expect(defect(matrix, n, eigen)).toBeLessThan(1e-13 * n);
      expect(Array.from(eigen.values)).toEqual(Array.from(eigen.values).sort((a, b) => b - a));
    }),
  );
});

test('sparse, graded and nearly vanishing matrices keep orthonormal eigenvectors', () => {
  const entries = fc.constantFrom(0, 0, 1, -1, 3, 1e-8, 1e-20, -1e-160, 1e-165, 1e-320);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 7 }), fc.array(entries, { minLength: 28, maxLength: 28 }), (n, pool) => {
      const matrix = new Float64Array(n * n);
      let at = 0;
      for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) matrix[i * n + j] = matrix[j * n + i] = pool[at++];
      expect(defect(matrix, n, symmetricEigen(matrix, n))).toBeLessThan(1e-13);
    }),
    { numRuns: 1000 },
  );
});

test('eigenvalues of the Hilbert matrix of side 6 agree with golden values', () => {
  const hilbert = Float64Array.from({ length: 36 }, (_, at) => 1 / (1 + Math.floor(at / 6) + (at % 6)));
  const { values } = symmetricEigen(hilbert, 6);
  golden<number>('hilbertEigenvalues').forEach((wanted, k) => {
    expect(Math.abs(values[k] - wanted)).toBeLessThan(1e-15);
  });
});

test('the second difference of side 100 has eigenvalues 2 − 2 cos kπ/101', () => {
  const n = 100;
  const matrix = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    matrix[i * n + i] = 2;
    if (i > 0) matrix[i * n + i - 1] = matrix[(i - 1) * n + i] = -1;
  }
  const eigen = symmetricEigen(matrix, n);
  eigen.values.forEach((value, k) => {
    expect(relativeError(value, 4 * Math.sin(((n - k) * Math.PI) / (2 * (n + 1))) ** 2)).toBeLessThan(1e-12);
  });
  expect(defect(matrix, n, eigen)).toBeLessThan(1e-12);
});

test('two by two by hand: [[2, 1], [1, 2]] has 3 along (1, 1) and 1 along (1, −1)', () => {
  const { values, vectors } = symmetricEigen(Float64Array.of(2, 1, 1, 2), 2);
  const half = Math.SQRT1_2;
  [3, 1].forEach((wanted, k) => {
    expect(values[k]).toBeCloseTo(wanted, 14);
  });
  [half, half, half, -half].forEach((wanted, at) => {
    expect(vectors[at]).toBeCloseTo(wanted, 14);
  });
});

test('zeros, repeated eigenvalues and extreme scales are handled', () => {
  expect(symmetricEigen(new Float64Array(9), 3).values).toEqual(new Float64Array(3));
  expect(symmetricEigen(new Float64Array(0), 0).values.length).toBe(0);
  const unit = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  expect(symmetricEigen(unit, 3)).toEqual({ size: 3, values: Float64Array.of(1, 1, 1), vectors: unit });
  for (const scale of [1e-300, 1e300]) {
    const { values } = symmetricEigen(Float64Array.of(2 * scale, scale, scale, 2 * scale), 2);
    expect(relativeError(values[0], 3 * scale)).toBeLessThan(1e-14);
    expect(relativeError(values[1], scale)).toBeLessThan(1e-14);
  }
});

test('a matrix that is not finite is an error', () => {
  for (const bad of [Number.NaN, Infinity]) {
    expect(() => symmetricEigen(Float64Array.of(1, 0, 0, bad), 2)).toThrow(PolyaError);
  }
});

test('the generalised problem Av = λBv is solved with VᵀBV = I, and a B that is not definite gives undefined', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), fc.nat(), (n, seed) => {
      const a = symmetric(n, seed);
      const b = symmetric(n, seed + 1).map((value, at) => value + (at % (n + 1) === 0 ? 4 * n : 0));
      const eigen = generalisedEigen(a, b, n);
      expect(eigen && defect(a, n, eigen, b)).toBeLessThan(1e-11);
    }),
  );
  expect(generalisedEigen(Float64Array.of(6), Float64Array.of(4), 1)).toEqual({
    size: 1,
    values: Float64Array.of(1.5),
    vectors: Float64Array.of(0.5),
  });
  expect(generalisedEigen(Float64Array.of(1), Float64Array.of(-1), 1)).toBeUndefined();
});
