import { type DenseRows, mapCells, type Rows, rowsOf } from '../data/batch.ts';
import { largestOf, readFeatures } from '../data/input.ts';
import type { Matrix } from '../data/matrix.ts';
import { cellAt, NumberColumn, type PackedColumn } from '../data/packed-columns.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { refuse, show } from '../errors.ts';
import type { Family } from '../models/mixed.ts';

/** Beyond this, squares and factorials leave the range of numbers. */
const LARGEST_CELL = 1e150;

/** Whether a cell is missing. */
export const isMissing = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'number' && Number.isNaN(value));

/** Whether a cell is a list: several features in one column. */
export function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

/** The family of a column by its first cell that is there; numbers where none is. */
export function inferFamily(first: unknown, cells: ArrayLike<unknown> | PackedColumn, column: number): Family {
  if (first === undefined || typeof first === 'number') return 'gaussian';
  if (typeof first === 'boolean') return 'bernoulli';
  if (isList(first)) return typeof first[0] === 'string' ? 'categorical' : 'multinomial';
  if (typeof first === 'string') return 'categorical';
  let row = 0;
  while (cellAt(cells, row) !== first) row++;
  return refuseCell(first, 'a number, a word, true or false', row, column);
}

/** A cell as the number that its family counts. */
export function readCell(value: unknown, family: Family, row: number, column: number): number {
  if (isMissing(value)) return family === 'multinomial' ? 0 : Number.NaN;
  if (family === 'bernoulli') return readToss(value, row, column);
  if (typeof value !== 'number') refuseCell(value, 'a number', row, column);
  const where = `row ${row}, column ${column}`;
  if (!Number.isFinite(value)) refuse('E_NOT_FINITE', `${where}: ${value} is not a finite number`, { row, column });
  if (Math.abs(value) > LARGEST_CELL) {
    const details = { row, column, limit: LARGEST_CELL, actual: value };
    refuse('E_VALUE_RANGE', `${where}: ${value} is larger than ${LARGEST_CELL}`, details);
  }
  if (value < 0 && family !== 'gaussian') {
    refuse('E_NEGATIVE', `${where}: ${value} is negative, counts are not`, { row, column, actual: value });
  }
  return value;
}

function readToss(value: unknown, row: number, column: number): number {
  if (value === true || value === 1) return 1;
  if (value === false || value === 0) return 0;
  if (typeof value !== 'number') refuseCell(value, 'true or false', row, column);
  if (!Number.isFinite(value)) {
    refuse('E_NOT_FINITE', `row ${row}, column ${column}: ${value} is not a finite number`, { row, column });
  }
  const details = { row, column, actual: value };
  return refuse('E_VALUE_RANGE', `row ${row}, column ${column}: expected true, false, 0 or 1, got ${value}`, details);
}

function refuseCell(value: unknown, expected: string, row: number, column: number): never {
  return refuse('E_TYPE', `row ${row}, column ${column}: expected ${expected}, got ${typeof value} ${show(value)}`, {
    row,
    column,
    actual: typeof value,
  });
}

/** Single columns of one family side by side. */
export function readSingles(
  columns: readonly (ArrayLike<unknown> | PackedColumn)[],
  numbers: readonly number[],
  family: Family,
  rows: number,
): DenseRows {
  const features = columns.length;
  const whole = family === 'bernoulli' ? undefined : NumberColumn.whole(columns);
  if (whole) {
    const { x, largest } = whole;
    const expected = { missing: family !== 'multinomial', nonNegative: family !== 'gaussian', limit: LARGEST_CELL };
    const high = family === 'gaussian' && largest !== undefined ? largest : largestOf(x, expected);
    if (high <= LARGEST_CELL) return { rows, features, x };
  }
  const x = new Float64Array(rows * features);
  for (const [j, column] of columns.entries()) readSingle(column, numbers[j], family, x, j, features);
  return { rows, features, x };
}

function readSingle(
  cells: ArrayLike<unknown> | PackedColumn,
  column: number,
  family: Family,
  x: Float64Array,
  start: number,
  stride: number,
): void {
  const least = family === 'gaussian' ? -LARGEST_CELL : 0;
  const most = family === 'bernoulli' ? -1 : LARGEST_CELL; // a toss is never taken as it is
  for (let i = 0; i < cells.length; i++) {
    const value = cellAt(cells, i);
    const plain = typeof value === 'number' && value >= least && value <= most;
    x[start + i * stride] = plain ? value : readCell(value, family, i, column);
  }
}

/** A block that came as a matrix. */
export function readMatrix(block: Matrix | SparseMatrix, family: Family): Rows {
  if (block.rows === 0) return rowsOf(block);
  const { rows } = readFeatures(block, {
    sparse: true,
    missing: family !== 'multinomial',
    nonNegative: family !== 'gaussian',
    limit: LARGEST_CELL,
  });
  if (family === 'bernoulli') {
    return mapCells(rows, (value, column) => (Number.isNaN(value) ? value : readToss(value, -1, column)));
  }
  return rows;
}

/** A block that came as one list per row; a missing list is a row of missing cells. */
export function readLists(
  cells: ArrayLike<unknown> | PackedColumn,
  family: Family,
  column: number,
  width: number,
): DenseRows {
  const x = new Float64Array(cells.length * width);
  for (let i = 0; i < cells.length; i++) {
    const list = requireList(cellAt(cells, i), i, column, width);
    for (let j = 0; j < width; j++) x[i * width + j] = readCell(list?.[j], family, i, column);
  }
  return { rows: cells.length, features: width, x };
}

/** The list in a cell, of this length; undefined where it is missing. */
export function requireList(cell: unknown, row: number, column: number, width: number): ArrayLike<unknown> | undefined {
  if (isMissing(cell)) return undefined;
  if (!isList(cell)) return refuseCell(cell, 'a list', row, column);
  if (cell.length === width) return cell;
  return refuse('E_SHAPE', `row ${row}, column ${column}: the list has ${cell.length} cells, expected ${width}`, {
    row,
    column,
    expected: width,
    actual: cell.length,
  });
}
