import { refuse, show } from '../errors.ts';
import { isSparse, type Rows, rowsOf } from './batch.ts';
import { Matrix } from './matrix.ts';
import { requireWellFormed } from './order.ts';
import { SparseMatrix } from './sparse.ts';

/** Rows as objects, matched by name. */
export type NamedRow = Readonly<Record<string, unknown>>;

/** What callers may hand in as features: the same values in any of these give the same result. */
export type Features =
  | Matrix
  | SparseMatrix
  | ArrayLike<ArrayLike<number | null>>
  | readonly NamedRow[]
  | Readonly<Record<string, ArrayLike<number | null>>>;

/** What a model asks of the rows it is given. */
export interface Expectation {
  /** Names in model order, where the model knows names. */
  readonly names?: readonly string[] | undefined;
  /** The number of features, where the model knows it. */
  readonly features?: number | undefined;
  /** What to do with a named column that the model does not know. */
  readonly extra?: 'error' | 'ignore';
  /** NaN and null are missing cells rather than mistakes. */
  readonly missing?: boolean;
  /** Sparse rows are welcome. */
  readonly sparse?: boolean;
  /** Cells are counts: none is negative. */
  readonly nonNegative?: boolean;
  /** The largest magnitude that can be computed with. */
  readonly limit?: number;
}

/** Checked rows, their column names where they came with names, and the largest magnitude met. */
export interface Input {
  readonly rows: Rows;
  readonly names: readonly string[] | undefined;
  readonly peak: number;
}

/** Turns one cell into the number that stands for it, or refuses. */
export type Convert = (value: unknown, row: number, column: number) => number;

/** Reads features from any accepted container and checks every cell against what the model expects. */
export function readFeatures(X: Features, expected: Expectation = {}): Input {
  const { rows, names } = readContainer(X, expected);
  if (rows.rows > 0) requireWidth(rows, expected.features);
  return { rows, names, peak: checkCells(rows, expected) };
}

/** Refuses rows with another number of features than the model has. */
export function requireWidth(rows: Rows, features: number | undefined): void {
  if (features === undefined || rows.features === features) return;
  refuse('E_FEATURE_COUNT', `rows have ${rows.features} features, the model has ${features}`, {
    expected: features,
    actual: rows.features,
  });
}

/** Refuses to learn from no rows or no features. */
export function requireSome(rows: Rows): void {
  if (rows.rows === 0) refuse('E_EMPTY_INPUT', 'there are no rows to learn from', { rows: 0 });
  if (rows.features === 0) refuse('E_EMPTY_INPUT', 'the rows have no features', { features: 0 });
}

/** Reads any accepted container cell by cell; the cells of a matrix are numbers already and are taken as they are. */
export function readContainer(
  X: Features,
  expected: Expectation,
  convert: Convert = (value, row, column) => toNumber(value, row, column, expected.missing),
): { rows: Rows; names?: readonly string[] | undefined } {
  if (X instanceof Matrix) return { rows: rowsOf(X) };
  if (X instanceof SparseMatrix) {
    if (!expected.sparse) refuse('E_TYPE', 'sparse rows are not accepted here; pass dense rows, such as X.toArray()');
    return { rows: rowsOf(X) };
  }
  if (Array.isArray(X)) {
    if (X.length === 0) return { rows: { rows: 0, features: expected.features ?? 0, x: new Float64Array(0) } };
    return isRecord(X[0]) ? readNamed(X, expected, convert) : { rows: rowsOf(readNested(X, convert)) };
  }
  if (isRecord(X)) return readColumns(X as Readonly<Record<string, ArrayLike<number | null>>>, expected, convert);
  return refuse('E_SHAPE', `features are rows of numbers, got ${show(X)}`);
}

function isRecord(value: unknown): value is NamedRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

function toNumber(value: unknown, row: number, column: number, missing: boolean | undefined): number {
  if (typeof value === 'number') return value;
  if (missing && (value === null || value === undefined)) return Number.NaN;
  return refuse('E_TYPE', `row ${row}, column ${column}: expected a number, got ${typeof value} ${show(value)}`, {
    row,
    column,
    actual: typeof value,
  });
}

function readNested(X: ArrayLike<unknown>, convert: Convert): Matrix {
  const cols = requireRow(X[0], 0).length;
  const matrix = new Matrix(X.length, cols);
  for (let i = 0; i < X.length; i++) {
    const row = requireRow(X[i], i);
    if (row.length !== cols) {
      refuse('E_SHAPE', `row ${i} has ${row.length} values, row 0 has ${cols}`, {
        row: i,
        expected: cols,
        actual: row.length,
      });
    }
    for (let j = 0; j < cols; j++) matrix.data[i * cols + j] = convert(row[j], i, j);
  }
  return matrix;
}

function requireRow(row: unknown, i: number): ArrayLike<unknown> {
  if (Array.isArray(row) || (ArrayBuffer.isView(row) && !(row instanceof DataView))) {
    return row as unknown as ArrayLike<unknown>;
  }
  const code = typeof row === 'string' ? 'E_TYPE' : 'E_SHAPE';
  return refuse(code, `features are rows of numbers; row ${i} is ${typeof row} ${show(row)}`, { row: i });
}

function readNamed(
  X: ArrayLike<unknown>,
  expected: Expectation,
  convert: Convert,
): { rows: Rows; names: readonly string[] } {
  const names = expected.names ?? checkNames(Object.keys(X[0] as NamedRow));
  const known = new Set(names);
  const matrix = new Matrix(X.length, names.length);
  for (let i = 0; i < X.length; i++) {
    const row = X[i];
    if (!isRecord(row)) refuse('E_SHAPE', `row 0 has named columns, row ${i} is ${show(row)}`, { row: i });
    for (let j = 0; j < names.length; j++) {
      const present = Object.hasOwn(row, names[j]);
      if (!present && !expected.missing) refuseMissing(names[j], i);
      matrix.data[i * names.length + j] = convert(present ? row[names[j]] : null, i, j);
    }
    if (expected.extra !== 'ignore') refuseUnknown(Object.keys(row), known, i);
  }
  return { rows: rowsOf(matrix), names };
}

function readColumns(
  X: Readonly<Record<string, ArrayLike<number | null>>>,
  expected: Expectation,
  convert: Convert,
): { rows: Rows; names: readonly string[] } {
  const given = Object.keys(X);
  const names = expected.names ?? checkNames(given);
  for (const name of names) if (!Object.hasOwn(X, name)) refuseMissing(name);
  if (expected.extra !== 'ignore') refuseUnknown(given, new Set(names));
  const length = names.length > 0 ? requireRow(X[names[0]], 0).length : 0;
  const matrix = new Matrix(length, names.length);
  for (let j = 0; j < names.length; j++) {
    const column = requireRow(X[names[j]], 0);
    if (column.length !== length) {
      refuse('E_SHAPE', `column ${show(names[j])} has ${column.length} values, ${show(names[0])} has ${length}`, {
        feature: names[j],
        expected: length,
        actual: column.length,
      });
    }
    for (let i = 0; i < length; i++) matrix.data[i * names.length + j] = convert(column[i], i, j);
  }
  return { rows: rowsOf(matrix), names };
}

/** Checks column names: well-formed and each used once. */
export function checkNames(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  for (const name of names) {
    requireWellFormed(name, 'column name');
    if (seen.has(name)) refuse('E_FEATURE_DUPLICATE', `two columns are called ${show(name)}`, { feature: name });
    seen.add(name);
  }
  return [...names];
}

function refuseMissing(feature: string, row?: number): never {
  const where = row === undefined ? '' : ` in row ${row}`;
  return refuse('E_FEATURE_MISSING', `column ${show(feature)} is missing${where}`, {
    feature,
    ...(row === undefined ? {} : { row }),
  });
}

function refuseUnknown(given: readonly string[], known: ReadonlySet<string>, row?: number): void {
  for (const feature of given) {
    if (known.has(feature)) continue;
    refuse('E_FEATURE_UNKNOWN', `column ${show(feature)} is not part of the model; extra: 'ignore' passes over it`, {
      feature,
      ...(row === undefined ? {} : { row }),
    });
  }
}

/** Checks every cell and returns the largest magnitude. */
function checkCells(rows: Rows, { missing, nonNegative, limit }: Expectation): number {
  const most = limit ?? Number.MAX_VALUE;
  const least = nonNegative ? 0 : -most;
  const cells = isSparse(rows) ? rows.values : rows.x;
  let peak = 0;
  for (let k = 0; k < cells.length; k++) {
    const value = cells[k];
    if (value >= least && value <= most) {
      const size = Math.abs(value);
      if (size > peak) peak = size;
    } else if (!(missing && Number.isNaN(value))) refuseCell(rows, k, value, most);
  }
  return peak;
}

function refuseCell(rows: Rows, k: number, value: number, limit: number): never {
  const [row, column] = locate(rows, k);
  const where = `row ${row}, column ${column}`;
  if (!Number.isFinite(value)) refuse('E_NOT_FINITE', `${where}: ${value} is not a finite number`, { row, column });
  if (Math.abs(value) > limit) {
    refuse('E_VALUE_RANGE', `${where}: ${value} is larger than ${limit}`, { row, column, limit, actual: value });
  }
  return refuse('E_NEGATIVE', `${where}: ${value} is negative, counts are not`, { row, column, actual: value });
}

/** Row and column of the k-th stored cell. */
function locate(rows: Rows, k: number): [row: number, column: number] {
  if (!isSparse(rows)) return [Math.floor(k / rows.features), k % rows.features];
  return [rows.indptr.findLastIndex((start) => start <= k), rows.indices[k]];
}
