import { requireItems, requireOptions } from './arguments.ts';
import { Matrix } from './matrix.ts';
import type { Parents } from './parents.ts';
import { SparseMatrix } from './sparse.ts';

/** The number of classes, features and levels of a statistic. */
export interface Shape {
  readonly classes: number;
  readonly features: number;
  /** The number of levels of each feature, if features are categorical. */
  readonly levels?: Int32Array;
  /** Whether cells may be missing (NaN); missing cells are counted too. */
  readonly missing?: boolean;
  /** The features that each feature depends on, most important first; null for a feature that a model leaves out. */
  readonly given?: Parents;
  /** Groups of columns, each with its own shape. */
  readonly parts?: Readonly<Record<string, Shape>>;
}

/** Dense rows of float64 cells. */
export interface DenseRows {
  readonly rows: number;
  readonly features: number;
  readonly x: Float64Array;
  readonly parts?: RowParts;
}

/** Sparse rows in compressed form; columns ascend within a row. */
export interface SparseRows {
  readonly rows: number;
  readonly features: number;
  readonly indptr: Uint32Array;
  readonly indices: Uint32Array;
  readonly values: Float64Array;
  readonly parts?: RowParts;
}

/** Groups of columns of the same rows, by name: each group has its own cells and shape. */
export type RowParts = Readonly<Record<string, Rows & Omit<Shape, 'parts'>>>;

/** The input of scoring: rows without labels. */
export type Rows = DenseRows | SparseRows;

/** The input of statistics: rows with a class number and a weight each, and a shape; parts share labels and weights. */
export type Batch = Rows &
  Shape & {
    readonly y: Int32Array;
    readonly w: Float64Array;
  };

/** One part of a batch, with the labels and weights of the whole. */
export function partOfBatch({ parts, classes, y, w }: Batch, name: string): Batch | undefined {
  const part = parts?.[name];
  return part && { ...part, classes, y, w };
}

function mapParts(parts: RowParts | undefined, change: (rows: Rows) => Rows): { parts?: RowParts } {
  if (!parts) return {};
  return {
    parts: Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, { ...part, ...change(part) }])),
  };
}

/** Whether rows are sparse. */
export function isSparse(rows: Rows): rows is SparseRows {
  return 'indptr' in rows;
}

/** The rows of a matrix, without a copy. */
export function rowsOf(matrix: Matrix | SparseMatrix): Rows {
  if (matrix instanceof SparseMatrix) {
    const { rows, cols, indptr, indices, data } = matrix;
    return { rows, features: cols, indptr, indices, values: data };
  }
  return { rows: matrix.rows, features: matrix.cols, x: matrix.data };
}

/** Rows as dense cells; copied only if they are sparse. */
export function toDense(rows: Rows): DenseRows {
  if (!isSparse(rows)) return rows;
  const x = new Float64Array(rows.rows * rows.features);
  for (let i = 0; i < rows.rows; i++) {
    for (let k = rows.indptr[i]; k < rows.indptr[i + 1]; k++) x[i * rows.features + rows.indices[k]] = rows.values[k];
  }
  return { rows: rows.rows, features: rows.features, x };
}

/** Rows as sparse cells; copied only if they are dense. */
export function toSparse(rows: Rows): SparseRows {
  if (isSparse(rows)) return rows;
  const { features, x } = rows;
  const indptr = new Uint32Array(rows.rows + 1);
  for (let i = 0; i < rows.rows; i++) {
    indptr[i + 1] = indptr[i];
    for (let k = i * features; k < (i + 1) * features; k++) if (x[k] !== 0) indptr[i + 1]++;
  }
  const indices = new Uint32Array(indptr[rows.rows]);
  const values = new Float64Array(indptr[rows.rows]);
  for (let k = 0, at = 0; k < x.length; k++) {
    if (x[k] === 0) continue;
    indices[at] = k % features;
    values[at++] = x[k];
  }
  return { rows: rows.rows, features, indptr, indices, values };
}

/** Rows with every non-zero cell replaced; cells that become zero are removed. */
export function mapCells(rows: Rows, change: (value: number, column: number) => number): SparseRows {
  const cells = toSparse(rows);
  const indptr = new Uint32Array(rows.rows + 1);
  const indices = new Uint32Array(cells.indices.length);
  const values = new Float64Array(cells.values.length);
  let kept = 0;
  for (let i = 0; i < rows.rows; i++) {
    for (let k = cells.indptr[i]; k < cells.indptr[i + 1]; k++) {
      const value = change(cells.values[k], cells.indices[k]);
      if (value === 0) continue;
      indices[kept] = cells.indices[k];
      values[kept++] = value;
    }
    indptr[i + 1] = kept;
  }
  return {
    rows: rows.rows,
    features: rows.features,
    indptr,
    indices: indices.subarray(0, kept),
    values: values.subarray(0, kept),
  };
}

/** Rows from `from` up to, excluding, `to`, as views. */
export function sliceRows(rows: Rows, from: number, to: number): Rows {
  const { features } = rows;
  const parts = mapParts(rows.parts, (part) => sliceRows(part, from, to));
  return isSparse(rows)
    ? { ...rows, rows: to - from, indptr: rows.indptr.subarray(from, to + 1), ...parts }
    : { rows: to - from, features, x: rows.x.subarray(from * features, to * features), ...parts };
}

/** Part of a batch, as views. */
export function sliceBatch(batch: Batch, from: number, to: number): Batch {
  return { ...batch, ...sliceRows(batch, from, to), y: batch.y.subarray(from, to), w: batch.w.subarray(from, to) };
}

/** The rows with these indices, in that order. */
export function takeRows(rows: Rows, order: ArrayLike<number>): Rows {
  const { features } = rows;
  const parts = mapParts(rows.parts, (part) => takeRows(part, order));
  if (!isSparse(rows)) {
    const x = new Float64Array(order.length * features);
    for (let i = 0; i < order.length; i++) {
      x.set(rows.x.subarray(order[i] * features, (order[i] + 1) * features), i * features);
    }
    return { rows: order.length, features, x, ...parts };
  }
  const indptr = new Uint32Array(order.length + 1);
  for (let i = 0; i < order.length; i++) {
    indptr[i + 1] = indptr[i] + rows.indptr[order[i] + 1] - rows.indptr[order[i]];
  }
  const indices = new Uint32Array(indptr[order.length]);
  const values = new Float64Array(indptr[order.length]);
  for (let i = 0; i < order.length; i++) {
    indices.set(rows.indices.subarray(rows.indptr[order[i]], rows.indptr[order[i] + 1]), indptr[i]);
    values.set(rows.values.subarray(rows.indptr[order[i]], rows.indptr[order[i] + 1]), indptr[i]);
  }
  return { rows: order.length, features, indptr, indices, values, ...parts };
}

/**
 * Adds labels, weights and a shape to rows; without labels every row has class 0, without weights each has weight 1.
 */
export function label(rows: Rows, shape: Omit<Shape, 'parts'>, y?: Int32Array, w?: Float64Array): Batch {
  return { ...shape, ...rows, y: y ?? new Int32Array(rows.rows), w: w ?? new Float64Array(rows.rows).fill(1) };
}

/** Creates a batch from plain arrays or a matrix, for direct use of count, estimate and score. */
export function batch(
  x: readonly (readonly number[])[] | Matrix | SparseMatrix,
  y?: readonly number[],
  w?: readonly number[],
  shape: Partial<Omit<Shape, 'parts'>> = {},
): Batch {
  requireOptions('batch', ['classes', 'features', 'levels', 'missing', 'given'], shape);
  const rows = rowsOf(x instanceof Matrix || x instanceof SparseMatrix ? x : Matrix.from(x));
  for (const list of [y, w]) if (list !== undefined) requireItems(list, 'a list of numbers');
  const classes = y === undefined ? 1 : y.reduce((most, c) => Math.max(most, c + 1), 0);
  return label(
    rows,
    { classes, features: rows.features, ...shape },
    y && Int32Array.from(y),
    w && Float64Array.from(w),
  );
}
