import { refuse, show } from '../errors.ts';
import { isSparse, type Rows, rowsOf } from './batch.ts';
import { isList, Matrix, requireSize } from './matrix.ts';
import { NameCheck } from './names.ts';
import { requireWellFormed } from './order.ts';
import { cellAt, copyNumbers, NumberColumn, PackedColumn } from './packed-columns.ts';
import { SparseMatrix } from './sparse.ts';

/** Rows as objects, matched by column name. */
export type NamedRow = Readonly<Record<string, unknown>>;

/** Accepted containers of features: the same values give the same result in any of them. */
export type Features =
  | Matrix
  | SparseMatrix
  | ArrayLike<ArrayLike<number | null>>
  | readonly NamedRow[]
  | Readonly<Record<string, ArrayLike<number | null>>>;

/** What a model expects of its input rows. */
export interface Expectation {
  /** Names in model order, if the model has names. */
  readonly names?: readonly string[] | undefined;
  /** The number of features, if it is fixed. */
  readonly features?: number | undefined;
  /** What to do with an unknown column. */
  readonly extra?: 'error' | 'ignore' | undefined;
  /** Whether NaN and null are missing cells rather than errors. */
  readonly missing?: boolean;
  /** Whether sparse rows are accepted. */
  readonly sparse?: boolean;
  /** Whether cells are counts, so none is negative. */
  readonly nonNegative?: boolean;
  /** The largest magnitude that can be computed with. */
  readonly limit?: number;
}

/** Checked rows, their column names if given, and the largest magnitude. */
export interface Input {
  readonly rows: Rows;
  readonly names: readonly string[] | undefined;
  readonly peak: number;
}

/** Converts one cell to a number, or throws. */
export type Convert = (value: unknown, row: number, column: number) => number;

/** Reads features from any accepted container and checks every cell against what the model expects. */
export function readFeatures(X: Features, expected: Expectation = {}): Input {
  const { rows, names, largest } = readContainer(X, expected);
  if (rows.rows > 0) requireWidth(rows, expected.features);
  return { rows, names, peak: checkCells(rows, expected, largest) };
}

/** Throws if rows have another number of features than the model. */
export function requireWidth(rows: Rows, features: number | undefined): void {
  if (features === undefined || rows.features === features) return;
  refuse('E_FEATURE_COUNT', `rows have ${rows.features} features, the model has ${features}`, {
    expected: features,
    actual: rows.features,
  });
}

/** Throws if there are no rows or no features. */
export function requireSome(rows: Rows): void {
  if (rows.rows === 0) refuse('E_EMPTY_INPUT', 'there are no rows to learn from', { rows: 0 });
  if (rows.features === 0) refuse('E_EMPTY_INPUT', 'the rows have no features', { features: 0 });
}

/**
 * Reads any accepted container cell by cell; matrices are used as they are. Without `convert`, so are all other
 * numbers.
 */
export function readContainer(
  X: Features,
  expected: Expectation,
  convert?: Convert,
): Pick<Named, 'rows' | 'largest'> & Partial<Named> {
  const read: Convert = convert ?? ((value, row, column) => toNumber(value, row, column, expected.missing));
  if (X instanceof SparseMatrix && !expected.sparse) {
    refuse('E_TYPE', 'sparse rows are not accepted here; pass dense rows, such as X.toArray()');
  }
  if (X instanceof Matrix || X instanceof SparseMatrix) return { rows: rowsOf(X) };
  if (!Array.isArray(X)) return readColumns(X, expected, read, convert === undefined);
  if (X.length === 0) return { rows: { rows: 0, features: expected.features ?? 0, x: new Float64Array(0) } };
  if (isRecord(X[0])) return readNamed(X, expected, read);
  return { rows: readNested(X, read) };
}

const isRecord = (value: unknown): value is NamedRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

/** A cell as a number; throws if it is not one. */
export function toNumber(value: unknown, row: number, column: number, missing?: boolean): number {
  if (typeof value === 'number') return value;
  if (missing && (value === null || value === undefined)) return Number.NaN;
  return refuse('E_TYPE', `row ${row}, column ${column}: expected a number, got ${typeof value} ${show(value)}`, {
    row,
    column,
    actual: typeof value,
  });
}

/** Reads rows that are lists of cells. */
export function readNested(X: ArrayLike<unknown>, convert: Convert): Rows {
  const features = requireRow(X[0], 0).length;
  const x = new Float64Array(X.length * features);
  for (let i = 0; i < X.length; i++) {
    const row = requireRow(X[i], i);
    requireSize(row, features, `row ${i}`, { row: i });
    for (let j = 0; j < features; j++) x[i * features + j] = convert(row[j], i, j);
  }
  return { rows: X.length, features, x };
}

function requireRow(row: unknown, i: number): ArrayLike<unknown> {
  if (isList(row)) return row;
  const code = typeof row === 'string' ? 'E_TYPE' : 'E_SHAPE';
  return refuse(code, `features are rows of numbers; row ${i} is ${typeof row} ${show(row)}`, { row: i });
}

interface Named {
  readonly rows: Rows;
  readonly names: readonly string[];
  /** The largest magnitude, if known. */
  readonly largest?: number | undefined;
}

function readNamed(X: readonly unknown[], expected: Expectation, convert: Convert): Named {
  const names = expected.names ?? checkNames(Object.keys(X[0] as NamedRow));
  const check = nameCheck(names, expected);
  const x = new Float64Array(X.length * names.length);
  for (let i = 0; i < X.length; i++) {
    const row = X[i];
    if (!isRecord(row)) refuse('E_SHAPE', `row 0 has named columns, row ${i} is ${show(row)}`, { row: i });
    check.check(row, { row: i });
    for (let j = 0; j < names.length; j++) {
      x[i * names.length + j] = convert(Object.hasOwn(row, names[j]) ? row[names[j]] : null, i, j);
    }
  }
  return { rows: { rows: X.length, features: names.length, x }, names };
}

function readColumns(X: unknown, expected: Expectation, convert: Convert, numeric: boolean): Named {
  if (!isRecord(X)) return refuse('E_SHAPE', `features are rows of numbers, got ${show(X)}`);
  const names = expected.names ?? checkNames(Object.keys(X));
  nameCheck(names, { extra: expected.extra }).check(X);
  const columns = names.map((name) => {
    const column = X[name];
    return column instanceof PackedColumn ? column : requireRow(column, 0);
  });
  const rows = columns[0]?.length ?? 0;
  const features = names.length;
  for (const [j, column] of columns.entries()) {
    requireSize(column, rows, `column ${show(names[j])}`, { feature: names[j] });
  }
  const whole = numeric ? NumberColumn.whole(columns) : undefined;
  if (whole) return { rows: { rows, features, x: whole.x }, names, largest: whole.largest };
  const x = new Float64Array(rows * features);
  for (const [j, column] of columns.entries()) {
    if (numeric) copyNumbers(column, x, j, features, (cell, i) => convert(cell, i, j));
    else for (let i = 0; i < rows; i++) x[i * features + j] = convert(cellAt(column, i), i, j);
  }
  return { rows: { rows, features, x }, names };
}

const nameCheck = (names: readonly string[], { missing, extra }: Pick<Expectation, 'missing' | 'extra'>) =>
  new NameCheck({
    names,
    optional: missing ? 'all' : undefined,
    extra,
    advice: "extra: 'ignore' passes over further columns",
  });

/** Checks column names: well-formed and each used once. */
export function checkNames(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  for (const name of names) {
    requireWellFormed(name, 'column name');
    if (seen.has(name)) refuse('E_FEATURE_DUPLICATE', `two columns are named ${show(name)}`, { feature: name });
    seen.add(name);
  }
  return [...names];
}

/** Checks every cell and returns the largest magnitude, unless it is already known. */
export function checkCells(
  rows: Rows,
  { missing = false, nonNegative = false, limit }: Expectation,
  known?: number,
): number {
  const most = limit ?? Number.MAX_VALUE;
  const cells = isSparse(rows) ? rows.values : rows.x;
  const high = known !== undefined && missing && !nonNegative ? known : largestOf(cells, { missing, nonNegative });
  if (high <= most) return high;
  const isWrong = (value: number) =>
    Number.isNaN(value) ? !missing : Math.abs(value) > most || (nonNegative && value < 0);
  const k = cells.findIndex(isWrong);
  return refuseCell(rows, k, cells[k], most);
}

/** The largest magnitude of numbers; NaN if one is negative or missing but must not be. */
export function largestOf(
  cells: Float64Array,
  { missing, nonNegative }: { readonly missing: boolean; readonly nonNegative: boolean },
): number {
  const whole = cells.length & ~3;
  let high = 0;
  for (let k = 0; k < cells.length; k += 4) {
    // four cells in one test: nearly all are no larger than the maximum so far
    if (k < whole) {
      const a = cells[k];
      const b = cells[k + 1];
      const c = cells[k + 2];
      const d = cells[k + 3];
      const small = Math.abs(a) <= high && Math.abs(b) <= high && Math.abs(c) <= high && Math.abs(d) <= high;
      if (small && !(nonNegative && (a < 0 || b < 0 || c < 0 || d < 0))) continue;
    }
    for (let i = k; i < cells.length && i < k + 4; i++) {
      const value = cells[i];
      if (Number.isNaN(value) ? !missing : nonNegative && value < 0) return Number.NaN;
      if (Math.abs(value) > high) high = Math.abs(value);
    }
  }
  return high;
}

function refuseCell(rows: Rows, k: number, value: number, limit: number): never {
  const sparse = isSparse(rows);
  const row = sparse ? rows.indptr.findLastIndex((start) => start <= k) : Math.floor(k / rows.features);
  const column = sparse ? rows.indices[k] : k % rows.features;
  const where = `row ${row}, column ${column}: ${value} is`;
  if (!Number.isFinite(value)) refuse('E_NOT_FINITE', `${where} not a finite number`, { row, column });
  const details = { row, column, limit, actual: value };
  if (Math.abs(value) > limit) refuse('E_VALUE_RANGE', `${where} larger than ${limit}`, details);
  return refuse('E_NEGATIVE', `${where} negative, counts are not`, details);
}
