import { checkNames, type NamedRow } from '../data/input.ts';
import { Matrix } from '../data/matrix.ts';
import { NameCheck } from '../data/names.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { refuse, show } from '../errors.ts';

/** Rows whose cells may be of any kind: arrays, objects, columns by name, or a matrix. */
export type TableRows =
  | ArrayLike<ArrayLike<unknown>>
  | readonly NamedRow[]
  | Readonly<Record<string, ArrayLike<unknown>>>
  | Matrix
  | SparseMatrix;

/** Cells by column, with names where the rows came with names. */
export interface Table {
  readonly rows: number;
  readonly names: readonly string[] | undefined;
  readonly columns: readonly ArrayLike<unknown>[];
}

/** The expected columns. */
export interface KnownColumns {
  readonly names?: readonly string[] | undefined;
  readonly features?: number | undefined;
  /** What to do with a named column that is not known. */
  readonly extra?: 'error' | 'ignore' | undefined;
  /** Treat an absent cell or column as missing (null) instead of an error. */
  readonly absent?: boolean | undefined;
}

/** Reads rows of any kind into columns; a cell that is absent or undefined is null. Columns that need no change are not copied. */
export function readTable(X: TableRows, known: KnownColumns = {}): Table {
  const table = readAny(X, known);
  if (known.features !== undefined && table.columns.length !== known.features && table.rows > 0) {
    refuse('E_FEATURE_COUNT', `rows have ${table.columns.length} features, the model has ${known.features}`, {
      expected: known.features,
      actual: table.columns.length,
    });
  }
  return table;
}

function readAny(X: TableRows, known: KnownColumns): Table {
  if (X instanceof SparseMatrix) return readAny(Matrix.from(X.toArray()), known);
  if (X instanceof Matrix) {
    const columns = Array.from({ length: X.cols }, (_, j) => Array.from({ length: X.rows }, (_, i) => X.at(i, j)));
    return { rows: X.rows, names: undefined, columns };
  }
  if (Array.isArray(X)) {
    if (X.length === 0) return { rows: 0, names: known.names, columns: emptyColumns(known) };
    return isRecord(X[0]) ? readRecords(X, known) : readArrays(X);
  }
  if (isRecord(X)) return readColumns(X as Readonly<Record<string, ArrayLike<unknown>>>, known);
  return refuse('E_SHAPE', `a table is rows of cells, got ${show(X)}`);
}

const emptyColumns = ({ names, features = names?.length ?? 0 }: KnownColumns) =>
  Array.from({ length: features }, () => []);

function isRecord(value: unknown): value is NamedRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

function readArrays(X: readonly unknown[]): Table {
  const width = isList(X[0]) ? X[0].length : 0;
  X.forEach((row, i) => {
    if (!isList(row)) refuse('E_SHAPE', `a table is rows of cells; row ${i} is ${show(row)}`, { row: i });
    if (row.length !== width) {
      refuse('E_SHAPE', `row ${i} has ${row.length} cells, row 0 has ${width}`, {
        row: i,
        expected: width,
        actual: row.length,
      });
    }
  });
  const rows = X as readonly ArrayLike<unknown>[];
  const columns = Array.from({ length: width }, (_, j) => rows.map((row) => row[j] ?? null));
  return { rows: X.length, names: undefined, columns };
}

function readRecords(X: readonly unknown[], known: KnownColumns): Table {
  const names = known.names ?? checkNames(known.absent ? allKeys(X) : Object.keys(X[0] as NamedRow));
  const check = nameCheck(names, known);
  const columns = names.map(() => new Array<unknown>(X.length).fill(null));
  X.forEach((row, i) => {
    if (!isRecord(row)) refuse('E_SHAPE', `row 0 has named cells, row ${i} is ${show(row)}`, { row: i });
    check.check(row, { row: i });
    names.forEach((name, j) => {
      if (Object.hasOwn(row, name)) columns[j][i] = row[name] ?? null;
    });
  });
  return { rows: X.length, names, columns };
}

/** Every key of any row, in order of appearance. */
function allKeys(X: readonly unknown[]): string[] {
  return [...new Set(X.flatMap((row) => (isRecord(row) ? Object.keys(row) : [])))];
}

function readColumns(X: Readonly<Record<string, ArrayLike<unknown>>>, known: KnownColumns): Table {
  const given = Object.keys(X);
  const names = known.names ?? checkNames(given);
  nameCheck(names, known).check(X);
  const length = Object.values(X).find(isList)?.length ?? 0;
  const columns = names.map((name) => {
    if (!Object.hasOwn(X, name)) return new Array<unknown>(length).fill(null);
    const column: unknown = X[name];
    if (!isList(column)) refuse('E_SHAPE', `column ${show(name)} is not a list of cells`, { feature: name });
    const whole = ArrayBuffer.isView(column) || !Array.prototype.includes.call(column, undefined);
    return whole ? column : Array.from(column, (cell) => cell ?? null);
  });
  const rows = columns[0]?.length ?? 0;
  columns.forEach((column, j) => {
    if (column.length === rows) return;
    refuse('E_SHAPE', `column ${show(names[j])} has ${column.length} cells, ${show(names[0])} has ${rows}`, {
      feature: names[j],
      expected: rows,
      actual: column.length,
    });
  });
  return { rows, names, columns };
}

const nameCheck = (names: readonly string[], { absent, extra }: KnownColumns) =>
  new NameCheck({ names, optional: absent ? 'all' : undefined, extra });
