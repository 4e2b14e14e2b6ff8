import { isSparse, type Rows } from '../data/batch.ts';
import { Matrix } from '../data/matrix.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { refuse } from '../errors.ts';

/** The output of transformers. */
export type Numbers = Matrix | SparseMatrix;

/** Rows as the matrix that callers see, without a copy. */
export function matrixOf(rows: Rows): Numbers {
  return isSparse(rows)
    ? SparseMatrix.tidy(rows.rows, rows.features, rows.indptr, rows.indices, rows.values)
    : new Matrix(rows.rows, rows.features, rows.x);
}

/** The given columns, ascending, in the container they came in. */
export function takeColumns(rows: Rows, columns: readonly number[]): Numbers {
  const place = new Int32Array(rows.features).fill(-1);
  columns.forEach((j, at) => {
    place[j] = at;
  });
  if (isSparse(rows)) return moveColumns(rows, place, columns.length);
  const out = new Matrix(rows.rows, columns.length);
  for (let i = 0; i < rows.rows; i++) {
    for (let at = 0; at < columns.length; at++) {
      out.data[i * columns.length + at] = rows.x[i * rows.features + columns[at]];
    }
  }
  return out;
}

/** The inverse of `takeColumns`: columns that were left out are zero. */
export function spreadColumns(rows: Rows, columns: readonly number[], features: number): Numbers {
  if (isSparse(rows)) return moveColumns(rows, Int32Array.from(columns), features);
  const out = new Matrix(rows.rows, features);
  for (let i = 0; i < rows.rows; i++) {
    for (let at = 0; at < columns.length; at++) {
      out.data[i * features + columns[at]] = rows.x[i * columns.length + at];
    }
  }
  return out;
}

/** Sparse rows with column j moved to place[j], ascending, or left out where that is −1. */
function moveColumns(rows: Extract<Rows, { indptr: Uint32Array }>, place: Int32Array, features: number): SparseMatrix {
  const indptr = new Uint32Array(rows.rows + 1);
  const indices: number[] = [];
  const values: number[] = [];
  for (let i = 0; i < rows.rows; i++) {
    for (let k = rows.indptr[i]; k < rows.indptr[i + 1]; k++) {
      const at = place[rows.indices[k]];
      if (at < 0) continue;
      indices.push(at);
      values.push(rows.values[k]);
    }
    indptr[i + 1] = indices.length;
  }
  return SparseMatrix.tidy(rows.rows, features, indptr, Uint32Array.from(indices), Float64Array.from(values));
}

/** The share of cells that are stored: all of a dense matrix, the non-zero ones of a sparse one. */
export function density(parts: readonly Numbers[]): number {
  let [stored, cells] = [0, 0];
  for (const part of parts) {
    stored += part.data.length;
    cells += part.rows * part.cols;
  }
  return cells > 0 ? stored / cells : 0;
}

/** Matrices side by side. */
export function stackColumns(parts: readonly Numbers[], rows: number, sparse: boolean): Numbers {
  for (const part of parts) {
    if (part.rows !== rows) {
      refuse('E_SHAPE', `a transformer returned ${part.rows} rows for ${rows}`, { expected: rows, actual: part.rows });
    }
  }
  const cols = parts.reduce((sum, part) => sum + part.cols, 0);
  return sparse ? stackSparse(parts, rows, cols) : stackDense(parts, rows, cols);
}

function stackDense(parts: readonly Numbers[], rows: number, cols: number): Matrix {
  const out = new Matrix(rows, cols);
  let offset = 0;
  for (const part of parts) {
    for (let i = 0; i < rows; i++) {
      if (part instanceof Matrix) out.data.set(part.row(i), i * cols + offset);
      else {
        for (let k = part.indptr[i]; k < part.indptr[i + 1]; k++) {
          out.data[i * cols + offset + part.indices[k]] = part.data[k];
        }
      }
    }
    offset += part.cols;
  }
  return out;
}

function stackSparse(parts: readonly Numbers[], rows: number, cols: number): SparseMatrix {
  const indptr = new Uint32Array(rows + 1);
  const indices: number[] = [];
  const values: number[] = [];
  const push = (column: number, value: number) => {
    if (value === 0) return;
    indices.push(column);
    values.push(value);
  };
  for (let i = 0; i < rows; i++) {
    let offset = 0;
    for (const part of parts) {
      if (part instanceof Matrix) for (let j = 0; j < part.cols; j++) push(offset + j, part.at(i, j));
      else for (let k = part.indptr[i]; k < part.indptr[i + 1]; k++) push(offset + part.indices[k], part.data[k]);
      offset += part.cols;
    }
    indptr[i + 1] = indices.length;
  }
  return SparseMatrix.tidy(rows, cols, indptr, Uint32Array.from(indices), Float64Array.from(values));
}

/** One 1 per row and group of columns, at `code`; a negative code leaves the group empty. */
export function oneHot(codes: Matrix, sizes: ArrayLike<number>, sparse: boolean): Numbers {
  const { rows, cols } = codes;
  const offsets = new Uint32Array(cols + 1);
  for (let j = 0; j < cols; j++) offsets[j + 1] = offsets[j] + sizes[j];
  const indptr = new Uint32Array(rows + 1);
  const indices = new Uint32Array(rows * cols);
  let stored = 0;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) if (codes.at(i, j) >= 0) indices[stored++] = offsets[j] + codes.at(i, j);
    indptr[i + 1] = stored;
  }
  const ones = new Float64Array(stored).fill(1);
  const out = SparseMatrix.tidy(rows, offsets[cols], indptr, indices.slice(0, stored), ones);
  return sparse ? out : stackDense([out], rows, offsets[cols]);
}

/** The inverse of `oneHot`: the place of the highest cell of every group, −1 where all are zero. */
export function hottest(matrix: Numbers, sizes: ArrayLike<number>): Matrix {
  const cells = stackDense([matrix], matrix.rows, matrix.cols);
  const codes = new Matrix(matrix.rows, sizes.length);
  for (let i = 0; i < matrix.rows; i++) {
    let offset = 0;
    for (let j = 0; j < sizes.length; j++) {
      let [best, sum] = [0, 0];
      for (let v = 0; v < sizes[j]; v++) {
        sum += cells.at(i, offset + v);
        if (cells.at(i, offset + v) > cells.at(i, offset + best)) best = v;
      }
      codes.data[i * sizes.length + j] = sum === 0 ? -1 : best;
      offset += sizes[j];
    }
  }
  return codes;
}
