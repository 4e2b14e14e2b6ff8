import { cellOf, type DataRow, wordOf } from '../src/data/cells.ts';
import { type ColumnNumbers, type ColumnTable, RecordTable, type TableColumn } from '../src/data/column-table.ts';
import { CodedColumn } from '../src/data/packed-columns.ts';

/** A column of an `ArrayTable`: numbers, NaN if missing, or words and other cells. */
export type ArrayColumn = Float64Array | readonly unknown[];

/** A table whose columns are arrays, like those of file readers: numbers are typed arrays, and texts are bytes. */
export class ArrayTable implements ColumnTable {
  readonly length: number;
  private readonly columns: ReadonlyMap<string, ArrayColumn>;

  constructor(columns: ReadonlyMap<string, ArrayColumn>, length: number) {
    this.columns = columns;
    this.length = length;
  }

  /** Records as columns: one whose cells are all numbers or missing is a typed array. */
  static from(rows: readonly DataRow[]): ArrayTable {
    const columns = new RecordTable(rows).names.map((name): [string, ArrayColumn] => {
      const cells = rows.map((row) => cellOf(row, name) ?? undefined);
      const numeric = cells.every((cell) => cell === undefined || Number.isFinite(cell));
      return [name, numeric ? Float64Array.from(cells as number[], (cell) => cell ?? Number.NaN) : cells];
    });
    return new ArrayTable(new Map(columns), rows.length);
  }

  get names(): readonly string[] {
    return [...this.columns.keys()];
  }

  column(name: string): TableColumn {
    return new Column(this.columns.get(name) ?? new Array(this.length).fill(undefined));
  }

  take(rows: ArrayLike<number>): ArrayTable {
    const take = (cells: ArrayColumn) =>
      cells instanceof Float64Array
        ? Float64Array.from(rows, (row) => cells[row])
        : Array.from(rows, (row) => cells[row]);
    return new ArrayTable(new Map(Array.from(this.columns, ([name, cells]) => [name, take(cells)])), rows.length);
  }

  /** The rows from `from` up to `to`, without a copy of the numbers. */
  slice(from: number, to: number): ArrayTable {
    const cut = (cells: ArrayColumn) =>
      cells instanceof Float64Array ? cells.subarray(from, to) : cells.slice(from, to);
    return new ArrayTable(new Map(Array.from(this.columns, ([name, cells]) => [name, cut(cells)])), to - from);
  }

  record(row: number): DataRow {
    return Object.fromEntries(this.names.map((name) => [name, this.column(name).cell(row)]));
  }
}

class Column implements TableColumn {
  private readonly own: ArrayColumn;

  constructor(own: ArrayColumn) {
    this.own = own;
  }

  cell(row: number): unknown {
    return Number.isNaN(this.own[row]) ? undefined : this.own[row];
  }

  cells(): readonly unknown[] {
    return this.own instanceof Float64Array ? Array.from(this.own, (_, i) => this.cell(i)) : this.own;
  }

  codes(): CodedColumn {
    return CodedColumn.from(this.cells());
  }

  numbers(): ColumnNumbers {
    if (this.own instanceof Float64Array) return { values: this.own, odd: [] };
    const odd: number[] = [];
    const values = Float64Array.from(this.own, (cell, i) => {
      if (typeof cell === 'number' && Number.isFinite(cell)) return cell;
      if (cell !== null && cell !== undefined) odd.push(i);
      return Number.NaN;
    });
    return { values, odd };
  }

  documents(): readonly (string | Uint8Array)[] {
    return this.cells().map((cell) => {
      if (cell === null || cell === undefined) return '';
      return typeof cell === 'string' ? new TextEncoder().encode(wordOf(cell)) : wordOf(cell);
    });
  }
}
