/** A column whose cells are not a list: estimators read it without creating one. */
export abstract class PackedColumn<T = unknown> {
  abstract readonly length: number;
  abstract at(row: number): T;
  abstract take(rows: ArrayLike<number>): PackedColumn<T>;
}

/** Cells as codes and a list of distinct values, in the order of their first rows; −0 is 0. */
export class CodedColumn<T = unknown> extends PackedColumn<T> {
  readonly codes: Int32Array;
  readonly values: readonly T[];

  constructor(codes: Int32Array, values: readonly T[]) {
    super();
    this.codes = codes;
    this.values = values;
  }

  /** Finds the distinct cells of a list. */
  static from<T>(cells: ArrayLike<T>): CodedColumn<T> {
    const codes = new Int32Array(cells.length);
    const known = new Map<T, number>();
    for (let i = 0; i < codes.length; i++) {
      let code = known.get(cells[i]);
      if (code === undefined) known.set(cells[i], (code = known.size));
      codes[i] = code;
    }
    return new CodedColumn(codes, [...known.keys()]);
  }

  get length(): number {
    return this.codes.length;
  }

  at(row: number): T {
    return this.values[this.codes[row]];
  }

  take(rows: ArrayLike<number>): CodedColumn<T> {
    const place = new Int32Array(this.values.length);
    const codes = new Int32Array(rows.length);
    for (let i = 0; i < codes.length; i++) codes[i] = this.codes[rows[i]];
    return dense(codes, place, this.values);
  }

  /** The column with each value replaced; values that become equal keep separate codes. */
  map<U>(change: (value: T) => U): CodedColumn<U> {
    return new CodedColumn(this.codes, this.values.map(change));
  }

  toArray(): T[] {
    return Array.from(this.codes, (code) => this.values[code]);
  }

  /** The cells of a column of numbers. */
  toNumbers(this: CodedColumn<number>): Float64Array {
    const numbers = new Float64Array(this.length);
    for (let i = 0; i < numbers.length; i++) numbers[i] = this.values[this.codes[i]];
    return numbers;
  }

  /** The first row with a value that passes; −1 if there is none. */
  findIndex(passes: (value: T) => boolean): number {
    const code = this.values.findIndex(passes);
    return code < 0 ? -1 : this.codes.indexOf(code);
  }
}

/** Renumbers codes densely in the order of their first rows. `place` has a zero for each value. */
export function dense<T>(codes: Int32Array, place: Int32Array, values: readonly T[]): CodedColumn<T> {
  const found: T[] = [];
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i];
    if (place[code] === 0) place[code] = found.push(values[code]);
    codes[i] = place[code] - 1;
  }
  return new CodedColumn(codes, found);
}

/** Numbers row by row, NaN if a cell is missing. */
export interface NumberMatrix {
  readonly x: Float64Array;
  readonly stride: number;
  /** The largest magnitude, if known. */
  readonly largest?: number | undefined;
}

/** A column of a matrix of numbers. */
export class NumberColumn extends PackedColumn<number> {
  readonly matrix: NumberMatrix;
  readonly start: number;

  constructor(matrix: NumberMatrix, start: number) {
    super();
    this.matrix = matrix;
    this.start = start;
  }

  static from(values: Float64Array): NumberColumn {
    return new NumberColumn({ x: values, stride: 1 }, 0);
  }

  get length(): number {
    const { x, stride } = this.matrix;
    return x.length / stride;
  }

  at(row: number): number {
    const { x, stride } = this.matrix;
    return x[this.start + row * stride];
  }

  take(rows: ArrayLike<number>): NumberColumn {
    return NumberColumn.from(Float64Array.from(rows, (row) => this.at(row)));
  }

  /** The matrix, if these are all of its columns in order. */
  static whole(columns: readonly unknown[]): NumberMatrix | undefined {
    const [first] = columns;
    if (!(first instanceof NumberColumn) || first.matrix.stride !== columns.length) return undefined;
    const { matrix } = first;
    const isNext = (column: unknown, j: number) =>
      column instanceof NumberColumn && column.matrix === matrix && column.start === j;
    return columns.every(isNext) ? matrix : undefined;
  }
}

/**
 * Copies the numeric cells of a column into every `stride`th element of `out`; other cells are converted by `convert`.
 */
export function copyNumbers(
  column: ArrayLike<unknown> | PackedColumn,
  out: Float64Array,
  start: number,
  stride: number,
  convert: (cell: unknown, row: number) => number,
): void {
  if (column instanceof NumberColumn)
    copyStrided(column.matrix.x, column.start, column.matrix.stride, out, start, stride);
  else if (column instanceof Float64Array) copyStrided(column, 0, 1, out, start, stride);
  else {
    for (let i = 0; i < column.length; i++) {
      const cell = cellAt(column, i);
      out[start + i * stride] = typeof cell === 'number' ? cell : convert(cell, i);
    }
  }
}

function copyStrided(
  from: Float64Array,
  start: number,
  step: number,
  to: Float64Array,
  at: number,
  stride: number,
): void {
  for (let k = start, cell = at; k < from.length; k += step, cell += stride) to[cell] = from[k];
}

/** A cell of either kind of column. */
export const cellAt = (column: ArrayLike<unknown> | PackedColumn, row: number): unknown =>
  column instanceof PackedColumn ? column.at(row) : column[row];
