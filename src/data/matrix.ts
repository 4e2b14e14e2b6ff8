import { type ErrorDetails, refuse, show } from '../errors.ts';

/** Whether a value is a list of numbers: an array or a typed array. */
export function isList(value: unknown): value is ArrayLike<number> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

/** Throws if a row or column has another length than the first. */
export function requireSize(
  { length: actual }: { readonly length: number },
  expected: number,
  what: string,
  where: ErrorDetails,
): void {
  if (actual === expected) return;
  refuse('E_SHAPE', `${what} has ${actual} values, the first one has ${expected}`, { ...where, expected, actual });
}

/** A dense matrix of float64 values, row by row: the cell (i, j) is `data[i * cols + j]`. */
export class Matrix {
  readonly rows: number;
  readonly cols: number;
  readonly data: Float64Array;

  constructor(rows: number, cols: number, data?: Float64Array) {
    const whole = Number.isInteger(rows) && Number.isInteger(cols) && rows >= 0 && cols >= 0;
    const actual = data ? data.length : whole ? rows * cols : 0;
    if (!whole || actual !== rows * cols) {
      refuse('E_SHAPE', `a matrix of ${show(rows)} × ${show(cols)} needs that many values, got ${show(actual)}`);
    }
    this.rows = rows;
    this.cols = cols;
    this.data = data ?? new Float64Array(rows * cols);
  }

  /** A copy of rows of equal length. */
  static from(rows: ArrayLike<ArrayLike<number>>): Matrix {
    if (!isList(rows) || !Array.from<unknown>(rows).every(isList)) {
      refuse('E_SHAPE', 'a matrix is made of rows of numbers');
    }
    const cols = rows.length > 0 ? rows[0].length : 0;
    const matrix = new Matrix(rows.length, cols);
    for (let i = 0; i < rows.length; i++) {
      requireSize(rows[i], cols, `row ${i}`, { row: i });
      matrix.data.set(rows[i], i * cols);
    }
    return matrix;
  }

  /** Row i as a view: writing to it changes the matrix. */
  row(i: number): Float64Array {
    return this.data.subarray(i * this.cols, (i + 1) * this.cols);
  }

  /** Rows from `from` up to, excluding, `to`, as a view. */
  slice(from: number, to: number): Matrix {
    const [start, end] = [Math.min(from, this.rows), Math.min(to, this.rows)];
    return new Matrix(end - start, this.cols, this.data.subarray(start * this.cols, end * this.cols));
  }

  /** The value in row i and column j. */
  at(i: number, j: number): number {
    return this.data[i * this.cols + j];
  }

  /** A copy as nested arrays. */
  toArray(): number[][] {
    return Array.from({ length: this.rows }, (_, i) => Array.from(this.row(i)));
  }
}
