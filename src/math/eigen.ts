import { refuse } from '../errors.ts';
import { cholesky, solveLower, solveUpper } from './cholesky.ts';
import { binaryScale, fixSign, reflect, transpose } from './householder.ts';
import { diagonalise } from './tridiagonal.ts';

/** Eigenvalues, descending, and eigenvectors: column k of the row-major `vectors` belongs to `values[k]`. */
export interface Eigen {
  readonly size: number;
  readonly values: Float64Array;
  readonly vectors: Float64Array;
}

/**
 * The eigendecomposition A = VΛVᵀ of a symmetric matrix, row-major of side `size`; only the lower triangle is read.
 * Householder tridiagonalisation, then implicit QL (Golub & Van Loan, Matrix Computations, §8.3). Eigenvalues descend;
 * eigenvectors are orthonormal, and the greatest component of each (the first of ties) is positive.
 */
export function symmetricEigen(matrix: Float64Array, size: number): Eigen {
  const scale = binaryScale(matrix);
  if (!Number.isFinite(scale)) refuse('E_NOT_FINITE', 'a matrix to decompose must be finite', { size });
  const work = matrix.map((value) => (scale === 0 ? 0 : value / scale));
  const values = new Float64Array(size);
  const beside = new Float64Array(size);
  const factors = tridiagonalise(work, size, values, beside);
  const vectors = accumulate(work, size, factors);
  if (!diagonalise(values, beside, vectors, size)) {
    refuse('E_INTERNAL', 'the eigenvalues of a symmetric matrix did not converge', { size });
  }
  return arrange(values, vectors, size, scale);
}

/**
 * Reduces to the tridiagonal T = QᵀAQ: its diagonal into `diagonal`, the elements below it into `beside[1 …]`.
 * Row k of the upper triangle of `a` keeps the Householder vector of step k, whose factor is returned.
 */
function tridiagonalise(a: Float64Array, n: number, diagonal: Float64Array, beside: Float64Array): Float64Array {
  const factors = new Float64Array(n);
  const w = new Float64Array(n);
  for (let k = 0; k < n - 1; k++) {
    const row = k * n;
    diagonal[k] = a[row + k];
    for (let i = k + 1; i < n; i++) a[row + i] = a[i * n + k];
    const { factor, image } = reflect(a, row + k + 1, n - k - 1);
    factors[k] = factor;
    beside[k + 1] = image;
    if (factor !== 0) updateBothSides(a, n, k, factor, w);
  }
  if (n > 0) diagonal[n - 1] = a[n * n - 1];
  return factors;
}

/** A ← (I − fvvᵀ) A (I − fvvᵀ) on the lower triangle after step k, as A − vwᵀ − wvᵀ. */
function updateBothSides(a: Float64Array, n: number, k: number, factor: number, w: Float64Array): void {
  const v = k * n;
  w.fill(0);
  for (let i = k + 1; i < n; i++) {
    const vi = a[v + i];
    let total = a[i * n + i] * vi;
    for (let j = k + 1; j < i; j++) {
      total += a[i * n + j] * a[v + j];
      w[j] += a[i * n + j] * vi;
    }
    w[i] += total;
  }
  let product = 0;
  for (let i = k + 1; i < n; i++) product += w[i] * a[v + i];
  const half = 0.5 * factor * factor * product;
  for (let i = k + 1; i < n; i++) w[i] = factor * w[i] - half * a[v + i];
  for (let i = k + 1; i < n; i++) {
    for (let j = k + 1; j <= i; j++) a[i * n + j] -= a[v + i] * w[j] + w[i] * a[v + j];
  }
}

/** Qᵀ by rows, from the Householder vectors that `tridiagonalise` stored. */
function accumulate(a: Float64Array, n: number, factors: Float64Array): Float64Array {
  const q = new Float64Array(n * n);
  for (let i = 0; i < n; i++) q[i * n + i] = 1;
  for (let k = n - 2; k >= 0; k--) {
    if (factors[k] === 0) continue;
    for (let i = k + 1; i < n; i++) {
      let product = 0;
      for (let j = k + 1; j < n; j++) product += q[i * n + j] * a[k * n + j];
      product *= factors[k];
      for (let j = k + 1; j < n; j++) q[i * n + j] -= product * a[k * n + j];
    }
  }
  return q;
}

/** Sorts, undoes the scale and fixes the signs; `rows` holds one eigenvector per row. */
function arrange(values: Float64Array, rows: Float64Array, n: number, scale: number): Eigen {
  const order = Array.from(values.keys()).sort((i, j) => values[j] - values[i]);
  const sorted = new Float64Array(n * n);
  order.forEach((from, to) => {
    sorted.set(rows.subarray(from * n, from * n + n), to * n);
    fixSign(sorted.subarray(to * n, to * n + n));
  });
  return { size: n, values: Float64Array.from(order, (i) => values[i] * scale), vectors: transpose(sorted, n, n) };
}

/**
 * The generalised problem Av = λBv of a symmetric A and a symmetric positive definite B, through B = LLᵀ and C =
 * L⁻¹AL⁻ᵀ (Golub & Van Loan, §8.7.2). Eigenvalues descend; VᵀBV = I. Undefined if B is not positive definite.
 */
export function generalisedEigen(a: Float64Array, b: Float64Array, size: number): Eigen | undefined {
  const factor = cholesky(b, size);
  if (!factor.ok) return undefined;
  const half = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) half[j * size + i] = a[Math.max(i, j) * size + Math.min(i, j)];
  }
  for (let j = 0; j < size; j++) solveLower(factor, half, j * size);
  const whole = transpose(half, size, size);
  for (let j = 0; j < size; j++) solveLower(factor, whole, j * size);
  const { values, vectors } = symmetricEigen(whole, size);
  const rows = transpose(vectors, size, size);
  for (let k = 0; k < size; k++) {
    solveUpper(factor, rows, k * size);
    fixSign(rows.subarray(k * size, k * size + size));
  }
  return { size, values, vectors: transpose(rows, size, size) };
}
