import { requireKind } from '../data/arguments.ts';
import { rowsOf, takeRows } from '../data/batch.ts';
import { Matrix } from '../data/matrix.ts';
import { PackedColumn } from '../data/packed-columns.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { refuse, show } from '../errors.ts';

/** Anything that has rows: matrices, lists of rows, documents, labels or weights, and columns by name. */
export type Splittable = Matrix | SparseMatrix | ArrayLike<unknown> | Readonly<Record<string, ArrayLike<unknown>>>;

/** The type of a subset of rows: the same container, or a list for a fixed-length list. */
export type PartOf<T> = T extends readonly (infer U)[] ? U[] : T;

const isList = (value: unknown): value is ArrayLike<unknown> =>
  typeof value === 'object' && value !== null && Number.isInteger((value as { length?: unknown }).length);

/** The rows of a column, which may be a matrix of its own, such as the words of a text; −1 where it has none. */
function lengthOf(column: unknown): number {
  if (column instanceof Matrix || column instanceof SparseMatrix) return column.rows;
  return isList(column) ? column.length : -1;
}

/** How many rows there are. */
export function countRows(X: unknown, name = 'X'): number {
  if (X instanceof Matrix || X instanceof SparseMatrix) return X.rows;
  if (isList(X)) return X.length;
  if (typeof X !== 'object' || X === null) return refuse('E_SHAPE', `${name} has no rows: ${show(X)}`, { name });
  const columns = Object.entries(X);
  if (columns.length === 0) return refuse('E_SHAPE', `${name} is an object without columns`, { name });
  const length = lengthOf(columns[0][1]);
  for (const [column, values] of columns) {
    if (length >= 0 && lengthOf(values) === length) continue;
    refuse('E_SHAPE', `column ${show(column)} of ${name} is not a list of ${Math.max(length, 0)} values`, {
      name,
      feature: column,
    });
  }
  return length;
}

/** The rows with the given numbers, in that order and in the same container. */
export function selectRows<T extends Splittable>(X: T, rows: ArrayLike<number>): PartOf<T> {
  countRows(X);
  requireKind(rows, 'a list of row numbers', 'list');
  return select(X, rows) as PartOf<T>;
}

function select(X: Splittable, rows: ArrayLike<number>): unknown {
  if (X instanceof Matrix || X instanceof SparseMatrix) {
    const part = takeRows(rowsOf(X), rows);
    return 'indptr' in part
      ? SparseMatrix.tidy(part.rows, part.features, part.indptr, part.indices, part.values)
      : new Matrix(part.rows, part.features, part.x);
  }
  if (X instanceof PackedColumn) return X.take(rows);
  if (ArrayBuffer.isView(X)) {
    const Typed = X.constructor as new (length: number) => { [i: number]: unknown };
    const part = new Typed(rows.length);
    for (let i = 0; i < rows.length; i++) part[i] = (X as unknown as ArrayLike<unknown>)[rows[i]];
    return part;
  }
  if (isList(X)) return Array.from(rows, (i) => X[i]);
  return Object.fromEntries(Object.entries(X).map(([name, column]) => [name, select(column, rows)]));
}

/** A key for each row that equal rows share, for finding duplicates. */
export function rowKeys(X: Splittable): string[] {
  const count = countRows(X);
  if (X instanceof Matrix) return Array.from({ length: count }, (_, i) => X.row(i).join());
  if (X instanceof SparseMatrix) {
    return Array.from({ length: count }, (_, i) => {
      const { indices, values } = X.row(i);
      return `${indices.join()};${values.join()}`;
    });
  }
  if (isList(X)) return Array.from({ length: count }, (_, i) => keyOf(X[i]));
  const columns = Object.keys(X).sort();
  return Array.from({ length: count }, (_, i) => columns.map((name) => keyOf(X[name][i])).join());
}

function keyOf(value: unknown): string {
  if (value === 0) return '0'; // −0 too
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return `${typeof value === 'bigint' ? 'n' : ''}${String(value)}`;
  if (value instanceof Date) return `date ${value.getTime()}`;
  if (isList(value)) return `[${Array.from(value, keyOf).join()}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${keyOf(inner)}`).join()}}`;
}

/** A number for every row, the same for rows with equal keys: 0, 1, … in the order of their first rows. */
export function numberRows(keys: ArrayLike<unknown>): Int32Array {
  const numbers = new Map<unknown, number>();
  return Int32Array.from({ length: keys.length }, (_, i) => {
    const known = numbers.get(keys[i]) ?? numbers.size;
    numbers.set(keys[i], known);
    return known;
  });
}
