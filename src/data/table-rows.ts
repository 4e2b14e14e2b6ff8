import type { DataRow } from './cells.ts';
import {
  type BlockTable,
  type ColumnNumbers,
  type Document,
  numberColumns,
  type PackedNumbers,
  type TableColumn,
} from './column-table.ts';
import { type CodedColumn, NumberColumn } from './packed-columns.ts';

/** Some rows of a table. */
export class TableRows implements BlockTable {
  private readonly table: BlockTable;
  private readonly rows: ArrayLike<number>;

  constructor(table: BlockTable, rows: ArrayLike<number>) {
    this.table = table;
    this.rows = rows;
  }

  get length(): number {
    return this.rows.length;
  }

  get names(): readonly string[] {
    return this.table.names;
  }

  column(name: string): TableColumn {
    return new RowsColumn(this.table.column(name), this.rows, this.table.length);
  }

  numbers(names: readonly string[]): readonly PackedNumbers[] {
    const all = numberColumns(this.table, names);
    const whole = NumberColumn.whole(all.map(({ values }) => values));
    const odd = (rows: ArrayLike<number>) => pickOdd(rows, this.rows, this.table.length);
    if (!whole) return all.map(({ values, odd: own }) => ({ values: values.take(this.rows), odd: odd(own) }));
    const { stride } = whole;
    const x = new Float64Array(stride * this.length);
    pickRows(whole.x, this.rows, stride, x);
    return all.map((own, j) => ({ values: new NumberColumn({ x, stride }, j), odd: odd(own.odd) }));
  }

  take(rows: ArrayLike<number>): BlockTable {
    return new TableRows(
      this.table,
      Uint32Array.from(rows, (row) => this.rows[row]),
    );
  }

  record(row: number): DataRow {
    return this.table.record(this.rows[row]);
  }

  records(): readonly DataRow[] {
    return Array.from(this.rows, (row) => this.table.record(row));
  }

  line(row: number): number {
    return this.table.line(this.rows[row]);
  }

  hash(columns: readonly string[], seed: number): Uint32Array {
    const hashes = this.table.hash(columns, seed);
    return Uint32Array.from(this.rows, (row) => hashes[row]);
  }
}

class RowsColumn implements TableColumn {
  private readonly column: TableColumn;
  private readonly rows: ArrayLike<number>;
  private readonly height: number;

  /** The table of the column has `height` rows. */
  constructor(column: TableColumn, rows: ArrayLike<number>, height: number) {
    this.column = column;
    this.rows = rows;
    this.height = height;
  }

  cell(row: number): unknown {
    return this.column.cell(this.rows[row]);
  }

  cells(): readonly unknown[] {
    return pick(this.column.cells(), this.rows);
  }

  codes(): CodedColumn {
    return this.column.codes().take(this.rows);
  }

  numbers(): ColumnNumbers {
    const { values, odd } = this.column.numbers();
    const picked = new Float64Array(this.rows.length);
    pickRows(values, this.rows, 1, picked);
    return { values: picked, odd: pickOdd(odd, this.rows, this.height) };
  }

  documents(): readonly Document[] {
    return pick(this.column.documents(), this.rows);
  }
}

function pick<T>(cells: readonly T[], rows: ArrayLike<number>): T[] {
  const picked = new Array<T>(rows.length);
  for (let i = 0; i < rows.length; i++) picked[i] = cells[rows[i]];
  return picked;
}

/** Copies rows of a row-major matrix. */
function pickRows(x: Float64Array, rows: ArrayLike<number>, stride: number, out: Float64Array): void {
  for (let i = 0, to = 0; i < rows.length; i++) {
    for (let at = rows[i] * stride, end = at + stride; at < end; at++, to++) out[to] = x[at];
  }
}

/** Which of the selected rows are odd; there are `height` rows to select from. */
function pickOdd(odd: ArrayLike<number>, rows: ArrayLike<number>, height: number): ArrayLike<number> {
  if (odd.length === 0) return odd;
  const isOdd = new Uint8Array(height);
  for (let k = 0; k < odd.length; k++) isOdd[odd[k]] = 1;
  const found: number[] = [];
  for (let i = 0; i < rows.length; i++) if (isOdd[rows[i]] === 1) found.push(i);
  return found;
}
