import { murmur3 } from '../math/murmur3.ts';
import type { NumberStyle } from './cell-number.ts';
import { cellOf, type DataRow, numberOf, wordOf } from './cells.ts';
import { CodedColumn, NumberColumn } from './packed-columns.ts';

/** One document: a string, or its bytes in UTF-8. */
export type Document = string | Uint8Array;

/** Some rows as columns. Learning and scoring read tables; rows become records only on request. */
export interface ColumnTable {
  /** The number of rows. */
  readonly length: number;
  /** The names of the columns. */
  readonly names: readonly string[];
  /** A column by its name; a column that does not exist has only missing cells. */
  column(name: string): TableColumn;
  /**
   * The numbers of several columns, valid as long as the table. Undefined for tables that are no faster at this than
   * column by column; see `numberColumns`.
   *
   * @internal
   */
  numbers?(names: readonly string[]): readonly PackedNumbers[];
  /** Some of the rows, in the given order. */
  take(rows: ArrayLike<number>): ColumnTable;
  /** A row as a record. */
  record(row: number): DataRow;
}

/** A table from a file reader. It is valid until its reader returns the next one. */
export interface BlockTable extends ColumnTable {
  take(rows: ArrayLike<number>): BlockTable;
  /** The line on which a row begins, counted from 1; for Parquet and folders, the row number. */
  line(row: number): number;
  /** All rows as records. */
  records(): readonly DataRow[];
  /**
   * The raw bytes of some rows, each with its line end. Undefined for tables that were not read from a block.
   *
   * @internal
   */
  rowBytes?(rows: ArrayLike<number>): Uint8Array<ArrayBuffer>;
  /**
   * A hash of the cells of these columns for each row: equal for rows whose trimmed cells are equal, whatever their
   * format.
   *
   * @internal
   */
  hash(columns: readonly string[], seed: number): Uint32Array;
}

/** The cells of a column. */
export interface TableColumn {
  /** The cell of a row, as in a record: undefined if it is missing. */
  cell(row: number): unknown;
  /** All cells. Equal words of a category share one string, which makes `Map` lookups fast. */
  cells(): readonly unknown[];
  /**
   * The cells as codes, and the list of distinct values.
   *
   * @internal
   */
  codes(): CodedColumn;
  /** The cells as numbers. */
  numbers(): ColumnNumbers;
  /**
   * The cells as documents; an empty document if a cell is missing. Only text cells may be returned as bytes. The bytes
   * are valid until the table is replaced by the next one.
   */
  documents(): readonly (string | Uint8Array)[];
}

/** The numbers of a column. */
export interface ColumnNumbers {
  /** One number per row; NaN if the cell is missing or not a number in plain notation. */
  readonly values: Float64Array;
  /** The rows, ascending, whose cells are neither missing nor plain numbers: see `cell`. */
  readonly odd: ArrayLike<number>;
}

/** The numbers of a column within a matrix. */
export interface PackedNumbers {
  readonly values: NumberColumn;
  readonly odd: ColumnNumbers['odd'];
}

/** The numbers of several columns, valid as long as the table. */
export function numberColumns(table: ColumnTable, names: readonly string[]): readonly PackedNumbers[] {
  if (table.numbers !== undefined) return table.numbers(names);
  return names.map((name) => {
    const { values, odd } = table.column(name).numbers();
    return { values: NumberColumn.from(values), odd };
  });
}

/** The numbers of a column in a style; `odd` are the rows whose cells are neither missing nor such numbers. */
export function numbersIn(column: TableColumn, style: NumberStyle = 'plain'): ColumnNumbers {
  const plain = column.numbers();
  if (style === 'plain' && plain.odd.length === 0) return plain;
  const values = plain.values.slice();
  const odd: number[] = [];
  // "1.234" is a different number with a decimal comma, so all cells are parsed again
  for (const i of Array.from(style === 'plain' ? plain.odd : values.keys())) {
    const cell = column.cell(i);
    values[i] = numberOf(cell, style);
    if (Number.isNaN(values[i]) && cell !== null && cell !== undefined) odd.push(i);
  }
  return { values, odd };
}

/** Records as a table. */
export class RecordTable implements BlockTable {
  private readonly rows: readonly DataRow[];
  private readonly lines: ArrayLike<number> | undefined;

  constructor(rows: readonly DataRow[], lines?: ArrayLike<number>) {
    this.rows = rows;
    this.lines = lines;
  }

  get length(): number {
    return this.rows.length;
  }

  get names(): readonly string[] {
    const names = new Set<string>();
    for (const row of this.rows) for (const name of Object.keys(row)) names.add(name);
    return [...names];
  }

  column(name: string): TableColumn {
    return new RecordColumn(this.rows, name);
  }

  take(rows: ArrayLike<number>): RecordTable {
    const lines = Array.from(rows, (row) => this.line(row));
    return new RecordTable(
      Array.from(rows, (row) => this.rows[row]),
      lines,
    );
  }

  record(row: number): DataRow {
    return this.rows[row];
  }

  records(): readonly DataRow[] {
    return this.rows;
  }

  line(row: number): number {
    return this.lines === undefined ? row + 1 : this.lines[row];
  }

  hash(columns: readonly string[], seed: number): Uint32Array {
    return Uint32Array.from(this.rows, (row) => {
      let hash = seed;
      for (const name of columns) hash = hashCell(cellOf(row, name), hash);
      return hash;
    });
  }
}

class RecordColumn implements TableColumn {
  private readonly rows: readonly DataRow[];
  private readonly name: string;

  constructor(rows: readonly DataRow[], name: string) {
    this.rows = rows;
    this.name = name;
  }

  cell(row: number): unknown {
    return cellOf(this.rows[row], this.name);
  }

  cells(): readonly unknown[] {
    return this.rows.map((row) => cellOf(row, this.name));
  }

  codes(): CodedColumn {
    return CodedColumn.from(this.cells());
  }

  numbers(): ColumnNumbers {
    const odd: number[] = [];
    const values = Float64Array.from(this.rows, (row, i) => {
      const cell = cellOf(row, this.name);
      if (typeof cell === 'number' && Number.isFinite(cell)) return cell;
      if (cell !== null && cell !== undefined) odd.push(i);
      return Number.NaN;
    });
    return { values, odd };
  }

  documents(): readonly (string | Uint8Array)[] {
    return this.rows.map((row) => {
      const cell = cellOf(row, this.name);
      return cell instanceof Uint8Array ? cell : textOfCell(cell);
    });
  }
}

const encoder = new TextEncoder();
let scratch = new Uint8Array(1024);

/** The hash of a cell as trimmed text; a missing one is an empty text. */
export function hashCell(cell: unknown, seed: number): number {
  const text = textOfCell(cell);
  if (scratch.length < 3 * text.length) scratch = new Uint8Array(6 * text.length);
  const { written } = encoder.encodeInto(text, scratch);
  return murmur3(scratch.subarray(0, written), seed);
}

/** A cell as a document; an empty one if it is missing. */
export const textOfCell = (cell: unknown): string => (cell === null || cell === undefined ? '' : wordOf(cell));
