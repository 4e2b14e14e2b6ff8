import { refuse } from '../errors.ts';
import { requireItems, requireKind } from './arguments.ts';
import { isList } from './matrix.ts';

/** One row given as pairs of column and value, in any order. */
export type SparseRow = Iterable<readonly [column: number, value: number]>;

/**
 * A sparse matrix in compressed rows (CSR): row i has the columns `indices[k]` with the values `data[k]` for indptr[i]
 * ≤ k < indptr[i + 1]. Columns ascend within a row and no zero is stored, so equal matrices have equal arrays.
 */
export class SparseMatrix {
  readonly rows: number;
  readonly cols: number;
  readonly indptr: Uint32Array;
  readonly indices: Uint32Array;
  readonly data: Float64Array;

  /**
   * Takes the arrays of a CSR matrix, as a checked copy in canonical form: the input may be unsorted and have explicit
   * zeros.
   */
  constructor(
    rows: number,
    cols: number,
    indptr: ArrayLike<number>,
    indices: ArrayLike<number>,
    data: ArrayLike<number>,
    trusted = false,
  ) {
    const arrays = trusted ? { indptr, indices, data } : checked(rows, cols, indptr, indices, data);
    this.rows = rows;
    this.cols = cols;
    this.indptr = arrays.indptr as Uint32Array;
    this.indices = arrays.indices as Uint32Array;
    this.data = arrays.data as Float64Array;
  }

  /**
   * A matrix of arrays that are known to be canonical, without a copy.
   *
   * @internal
   */
  static tidy(rows: number, cols: number, indptr: Uint32Array, indices: Uint32Array, data: Float64Array): SparseMatrix {
    return new SparseMatrix(rows, cols, indptr, indices, data, true);
  }

  /** Builds the matrix from rows of (column, value) pairs; a `Map` is such a row. */
  static fromRows(rows: Iterable<SparseRow>, cols: number): SparseMatrix {
    requireKind(rows, 'rows of (column, value) pairs', 'iterable');
    const indptr = [0];
    const indices: number[] = [];
    const data: number[] = [];
    for (const row of rows) {
      for (const pair of requireKind(row, 'a row of (column, value) pairs', 'iterable')) {
        const [column, value] = requireItems(pair, 'a (column, value) pair');
        indices.push(column);
        data.push(value);
      }
      indptr.push(indices.length);
    }
    return new SparseMatrix(indptr.length - 1, cols, indptr, indices, data);
  }

  /** Row i as views of its columns and values. */
  row(i: number): { indices: Uint32Array; values: Float64Array } {
    const [from, to] = [this.indptr[i], this.indptr[i + 1]];
    return { indices: this.indices.subarray(from, to), values: this.data.subarray(from, to) };
  }

  /** Rows from `from` up to, excluding, `to`, with the cells as views. */
  slice(from: number, to: number): SparseMatrix {
    const indptr = this.indptr.subarray(Math.min(from, this.rows), Math.min(to, this.rows) + 1);
    const [first, last] = [indptr[0], indptr[indptr.length - 1]];
    return SparseMatrix.tidy(
      indptr.length - 1,
      this.cols,
      indptr.map((at) => at - first),
      this.indices.subarray(first, last),
      this.data.subarray(first, last),
    );
  }

  /** A dense copy as nested arrays. */
  toArray(): number[][] {
    return Array.from({ length: this.rows }, (_, i) => {
      const dense = new Array<number>(this.cols).fill(0);
      for (let k = this.indptr[i]; k < this.indptr[i + 1]; k++) dense[this.indices[k]] = this.data[k];
      return dense;
    });
  }
}

function checked(
  rows: number,
  cols: number,
  indptr: ArrayLike<number>,
  indices: ArrayLike<number>,
  data: ArrayLike<number>,
): Pick<SparseMatrix, 'indptr' | 'indices' | 'data'> {
  if (!Number.isSafeInteger(rows) || !Number.isSafeInteger(cols) || ![indptr, indices, data].every(isList)) {
    refuse('E_TYPE', 'a sparse matrix is made of its numbers of rows and columns, and three lists of numbers');
  }
  checkPointers(rows, indptr, indices.length, data.length);
  return isTidy(rows, cols, indptr, indices, data)
    ? { indptr: Uint32Array.from(indptr), indices: Uint32Array.from(indices), data: Float64Array.from(data) }
    : tidyUp(rows, cols, indptr, indices, data);
}

function checkPointers(rows: number, indptr: ArrayLike<number>, indices: number, values: number): void {
  const fits = indptr.length === rows + 1 && indptr[0] === 0 && indptr[rows] === indices && indices === values;
  if (!fits) {
    refuse('E_SHAPE', `the row pointers, ${indices} column indices and ${values} values do not fit ${rows} rows`, {
      rows,
      pointers: indptr.length,
      indices,
      values,
    });
  }
  for (let i = 0; i < rows; i++) {
    if (!(indptr[i + 1] >= indptr[i])) refuse('E_SHAPE', `the row pointers fall at row ${i}`, { row: i });
  }
}

function isTidy(
  rows: number,
  cols: number,
  indptr: ArrayLike<number>,
  indices: ArrayLike<number>,
  data: ArrayLike<number>,
): boolean {
  for (let i = 0; i < rows; i++) {
    let previous = -1;
    for (let k = indptr[i]; k < indptr[i + 1]; k++) {
      const column = indices[k];
      if (!Number.isInteger(column) || column <= previous || column >= cols || data[k] === 0) return false;
      previous = column;
    }
  }
  return true;
}

function tidyUp(
  rows: number,
  cols: number,
  indptr: ArrayLike<number>,
  indices: ArrayLike<number>,
  data: ArrayLike<number>,
): { indptr: Uint32Array; indices: Uint32Array; data: Float64Array } {
  const sorted = Uint32Array.from({ length: indices.length }, (_, k) => k);
  const pointers = new Uint32Array(rows + 1);
  const kept: number[] = [];
  for (let i = 0; i < rows; i++) {
    const order = sorted.subarray(indptr[i], indptr[i + 1]).sort((a, b) => indices[a] - indices[b]);
    let previous = -1;
    for (const k of order) {
      const column = indices[k];
      if (!Number.isInteger(column) || column < 0 || column >= cols || column === previous) {
        refuse('E_SPARSE_INDEX', `row ${i} has the bad or repeated column index ${column}; there are ${cols} columns`, {
          row: i,
          column,
          cols,
        });
      }
      previous = column;
      if (data[k] !== 0) kept.push(k);
    }
    pointers[i + 1] = kept.length;
  }
  return {
    indptr: pointers,
    indices: Uint32Array.from(kept, (k) => indices[k]),
    data: Float64Array.from(kept, (k) => data[k]),
  };
}
