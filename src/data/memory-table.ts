import type { DataRow } from './cells.ts';
import { type BlockTable, type ColumnNumbers, hashCell, type TableColumn, textOfCell } from './column-table.ts';
import { grown } from './grown.ts';
import { CodedColumn } from './packed-columns.ts';
import { emptyRecord } from './table.ts';
import { TableRows } from './table-rows.ts';

/** A column of fractions with at least this many distinct values in its first rows is stored as numbers. */
const MANY_NUMBERS = 100;

/**
 * Rows of many blocks in memory, column by column: fractions as numbers, all other cells as codes of distinct values.
 */
export class MemoryTable implements BlockTable {
  private columns = new Map<string, MemoryColumn>();
  private lines = new Float64Array(1024);
  length = 0;

  /** Adds the rows of a table. */
  add(table: BlockTable): void {
    const end = this.length + table.length;
    this.lines = grown(this.lines, end);
    for (let i = 0; i < table.length; i++) this.lines[this.length + i] = table.line(i);
    for (const name of table.names) {
      const own = this.columns.get(name) ?? new MemoryColumn(isMeasured(table.column(name)));
      this.columns.set(name, own);
      own.pad(this.length);
      own.add(table.column(name), table.length);
    }
    this.length = end;
    for (const column of this.columns.values()) column.pad(end);
  }

  get names(): readonly string[] {
    return [...this.columns.keys()];
  }

  column(name: string): TableColumn {
    const known = this.columns.get(name);
    if (known) return known;
    const empty = new MemoryColumn(false);
    empty.pad(this.length);
    return empty;
  }

  take(rows: ArrayLike<number>): BlockTable {
    return new TableRows(this, rows);
  }

  record(row: number): DataRow {
    const record = emptyRecord<unknown>();
    for (const [name, column] of this.columns) {
      const cell = column.cell(row);
      if (cell !== undefined) record[name] = cell;
    }
    return record;
  }

  records(): DataRow[] {
    return Array.from({ length: this.length }, (_, i) => this.record(i));
  }

  line(row: number): number {
    return this.lines[row];
  }

  hash(columns: readonly string[], seed: number): Uint32Array {
    const own = columns.map((name) => this.column(name));
    return Uint32Array.from({ length: this.length }, (_, i) => {
      let hash = seed;
      for (const column of own) hash = hashCell(column.cell(i), hash);
      return hash;
    });
  }
}

/** Whether the first cells of a column are fractions, most of them distinct. */
function isMeasured(column: TableColumn): boolean {
  const { values, odd } = column.numbers();
  if (odd.length > 0 || !values.some((value) => value % 1 !== 0 && !Number.isNaN(value))) return false;
  return new Set(values).size >= MANY_NUMBERS;
}

class MemoryColumn implements TableColumn {
  private length = 0;
  /** The numbers of a column of fractions. */
  private values: Float64Array | undefined;
  private readonly odd: number[] = [];
  /**
   * Its cells that JavaScript would format differently: words, blanks, and numbers such as 5.10. Rows are duplicates by
   * their texts.
   */
  private readonly texts = new Map<number, unknown>();
  /** The cells of any other column. */
  private codes32 = new Int32Array(0);
  private readonly list: unknown[] = [];
  private readonly known = new Map<unknown, number>();
  /** The cells as numbers, which every selection of rows asks for. */
  private converted: ColumnNumbers | undefined;

  constructor(measured: boolean) {
    if (measured) this.values = new Float64Array(0);
  }

  add(column: TableColumn, rows: number): void {
    const from = this.length;
    this.converted = undefined;
    if (this.values) {
      const { values, odd } = column.numbers();
      this.values = grown(this.values, from + rows);
      this.values.set(values, from);
      for (const i of Array.from(odd)) this.odd.push(from + i);
      for (let i = 0; i < rows; i++) {
        const cell = column.cell(i);
        if (cell !== undefined && String(cell) !== String(values[i])) this.texts.set(from + i, cell);
      }
    } else {
      const { codes, values } = column.codes();
      const places = Int32Array.from(values, (value) => this.codeOf(value));
      this.codes32 = grown(this.codes32, from + rows);
      for (let i = 0; i < rows; i++) this.codes32[from + i] = places[codes[i]];
    }
    this.length += rows;
  }

  /** Appends missing cells up to a number of rows. */
  pad(rows: number): void {
    if (rows <= this.length) return;
    this.converted = undefined;
    if (this.values) this.values = grown(this.values, rows).fill(Number.NaN, this.length, rows);
    else this.codes32 = grown(this.codes32, rows).fill(this.codeOf(undefined), this.length, rows);
    this.length = rows;
  }

  private codeOf(cell: unknown): number {
    const known = this.known.get(cell) ?? this.list.push(cell) - 1;
    this.known.set(cell, known);
    return known;
  }

  cell(row: number): unknown {
    if (!this.values) return this.list[this.codes32[row]];
    const value = this.values[row];
    return this.texts.has(row) || Number.isNaN(value) ? this.texts.get(row) : value;
  }

  cells(): readonly unknown[] {
    return Array.from({ length: this.length }, (_, i) => this.cell(i));
  }

  codes(): CodedColumn {
    return this.values
      ? CodedColumn.from(this.cells())
      : new CodedColumn(this.codes32.subarray(0, this.length), this.list);
  }

  numbers(): ColumnNumbers {
    this.converted ??= this.convert();
    return this.converted;
  }

  private convert(): ColumnNumbers {
    if (this.values) return { values: this.values.subarray(0, this.length), odd: this.odd };
    const numbers = this.list.map((cell) => (typeof cell === 'number' && Number.isFinite(cell) ? cell : Number.NaN));
    const isOdd = this.list.map((cell, v) => cell !== null && cell !== undefined && Number.isNaN(numbers[v]));
    const odd: number[] = [];
    const values = Float64Array.from(this.codes32.subarray(0, this.length), (code, i) => {
      if (isOdd[code]) odd.push(i);
      return numbers[code];
    });
    return { values, odd };
  }

  documents(): readonly string[] {
    return Array.from({ length: this.length }, (_, i) => textOfCell(this.cell(i)));
  }
}
