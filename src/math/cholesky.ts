/** A = LLᵀ, or the column where it failed. Matrices are row-major and square of side `size`. */
export interface Cholesky {
  /** Whether A is positive definite beyond rounding; if not, `lower` is meaningless from row `column` on. */
  readonly ok: boolean;
  readonly size: number;
  /** L, with zeros above the diagonal. */
  readonly lower: Float64Array;
  /**
   * The smallest pivot relative to its diagonal element, (A[j,j] − Σ L[j,k]²) / A[j,j]: the share of variable j that
   * the variables before it do not explain, 1 for a diagonal matrix, near 0 for a collinear one. That of the failing
   * column if not `ok`.
   */
  readonly pivot: number;
  /** The column of that pivot. */
  readonly column: number;
}

/**
 * The lower Cholesky factor of a symmetric matrix; only its lower triangle is read (Golub & Van Loan, Matrix
 * Computations, 4th ed., §4.2.5). If a pivot is not above `tolerance` times its diagonal element (default: the level of
 * rounding, size · 2⁻⁵²), the result is not `ok`; nothing is thrown.
 */
export function cholesky(matrix: Float64Array, size: number, tolerance: number = size * 2 ** -52): Cholesky {
  const lower = new Float64Array(size * size);
  let pivot = 1;
  let column = 0;
  for (let i = 0; i < size; i++) {
    const row = i * size;
    for (let j = 0; j < i; j++) {
      lower[row + j] = (matrix[row + j] - rowProduct(lower, row, j * size, j)) / lower[j * size + j];
    }
    const left = matrix[row + i] - rowProduct(lower, row, row, i);
    const share = left / matrix[row + i];
    if (!(left > 0 && share > tolerance && left < Infinity)) return { ok: false, size, lower, pivot: share, column: i };
    if (share < pivot) {
      pivot = share;
      column = i;
    }
    lower[row + i] = Math.sqrt(left);
  }
  return { ok: true, size, lower, pivot, column };
}

function rowProduct(lower: Float64Array, left: number, right: number, length: number): number {
  let total = 0;
  for (let k = 0; k < length; k++) total += lower[left + k] * lower[right + k];
  return total;
}

/** Solves Lz = b in place, for `size` elements of b from `from` (forward substitution). ‖z‖² is bᵀA⁻¹b. */
export function solveLower({ lower, size }: Cholesky, b: Float64Array, from = 0): void {
  for (let i = 0; i < size; i++) {
    let left = b[from + i];
    for (let k = 0; k < i; k++) left -= lower[i * size + k] * b[from + k];
    b[from + i] = left / lower[i * size + i];
  }
}

/** Solves Lᵀz = b in place, for `size` elements of b from `from` (back substitution, by rows of L). */
export function solveUpper({ lower, size }: Cholesky, b: Float64Array, from = 0): void {
  for (let i = size - 1; i >= 0; i--) {
    const value = b[from + i] / lower[i * size + i];
    b[from + i] = value;
    for (let k = 0; k < i; k++) b[from + k] -= lower[i * size + k] * value;
  }
}

/** Solves Ax = b; b is not changed. */
export function solve(factor: Cholesky, b: Float64Array): Float64Array {
  const x = b.slice();
  solveLower(factor, x);
  solveUpper(factor, x);
  return x;
}

/** ln det A = 2 Σ ln L[i,i]. */
export function logDeterminant({ lower, size }: Cholesky): number {
  let total = 0;
  for (let i = 0; i < size; i++) total += Math.log(lower[i * size + i]);
  return 2 * total;
}

/** A⁻¹, exactly symmetric. */
export function inverse(factor: Cholesky): Float64Array {
  const { size } = factor;
  const out = new Float64Array(size * size);
  for (let j = 0; j < size; j++) {
    out[j * size + j] = 1;
    solveLower(factor, out, j * size);
    solveUpper(factor, out, j * size);
  }
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < i; j++) out[i * size + j] = out[j * size + i] = 0.5 * (out[i * size + j] + out[j * size + i]);
  }
  return out;
}
