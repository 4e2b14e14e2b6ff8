import { requireOptions } from '../data/arguments.ts';
import { type CellFormat, momentOf } from '../data/cell-format.ts';
import { cellOf, type DataRow, isBlank, isMarker, numberOf } from '../data/cells.ts';
import { type ColumnTable, numberColumns, numbersIn } from '../data/column-table.ts';
import { flattenRow } from '../data/flatten.ts';
import { NameCheck } from '../data/names.ts';
import { refuse, show } from '../errors.ts';
import type { Schema, SchemaColumn } from './schema.ts';

/** How records are checked. */
export interface RecordOptions {
  /**
   * Whether a record that does not fit the model is refused: a column that is left out although no training row left it out
   * (E_FEATURE_MISSING), one that the training table did not have (E_FEATURE_UNKNOWN), a cell of another type (E_TYPE).
   * With false, such columns are ignored and such cells count as missing. Default: true.
   */
  readonly strict?: boolean | undefined;
}

/** A column that a model reads from records. */
export interface RecordColumn {
  readonly name: string;
  /** What a cell may hold: a string; a number, or its spelling; a date as a string; any single value. */
  readonly kind: 'text' | 'number' | 'date' | 'level';
  /** Whether a record may leave the column out: some training rows had no value in it. A cell may always be null or blank. */
  readonly optional: boolean;
  /** How the cells are written. */
  readonly format?: CellFormat | undefined;
}

/** Options of methods that take records, those for learning among them. */
const recordOptions = ['strict', 'sampleWeight', 'signal', 'method', 'minRows'];

const expected = {
  text: 'a string',
  number: 'a number',
  date: 'a date such as "2023-04-05"',
  level: 'a string, a number, true or false',
} as const;

/** Decides whether records fit a classifier. Library, server, command line and studio all ask here. */
export class RecordCheck {
  readonly columns: readonly RecordColumn[];
  private readonly names: NameCheck;

  constructor(schema: Schema) {
    const features = schema.columns.filter(({ role }) => role === 'feature');
    this.columns = features.map((column) => ({
      name: column.name,
      kind: kindOf(column),
      optional: column.missing > 0,
      ...(column.format && { format: column.format }),
    }));
    this.names = new NameCheck({
      names: features.map(({ name }) => name),
      optional: new Set(features.filter(({ missing }) => missing > 0).map(({ name }) => name)),
      others: new Set(schema.columns.filter(({ role }) => role !== 'feature').map(({ name }) => name)),
      advice: 'strict: false answers without a check',
    });
  }

  /** Refuses rows that are not records, and, unless `strict` is false, records that do not fit the model. */
  check(rows: readonly DataRow[], options: RecordOptions = {}): void {
    const strict = readStrict(options);
    if (!Array.isArray(rows)) refuse('E_SHAPE', `records come as a list, got ${show(rows)}`);
    rows.forEach((row: unknown, i) => {
      if (typeof row !== 'object' || row === null || Array.isArray(row)) {
        refuse('E_TYPE', `row ${i} is ${show(row)}, not a record with named cells`, { row: i });
      }
      if (!strict) return;
      const flat = flattenRow(row as DataRow);
      for (const column of this.columns) requireCell(column, cellOf(flat, column.name), i);
      this.names.check(flat, { row: i });
    });
  }

  /** Refuses a table that does not fit the model, unless `strict` is false: its first row that `check` would refuse. */
  checkTable(table: ColumnTable, options: RecordOptions = {}): void {
    if (!readStrict(options) || table.length === 0) return;
    const plain = this.columns.filter(({ kind, format }) => kind === 'number' && !format?.numbers);
    const numbers = numberColumns(
      table,
      plain.map(({ name }) => name),
    );
    const row = this.columns.reduce((first, column) => {
      const own = numbers[plain.indexOf(column)];
      return own?.odd.length === 0 ? first : Math.min(first, firstMisfit(table, column));
    }, table.length);
    const requireCells = () => {
      for (const column of this.columns) requireCell(column, table.column(column.name).cell(row), row);
    };
    if (row === 0) requireCells();
    this.names.check(Object.fromEntries(table.names.map((name) => [name, null])), { row: 0 });
    if (row < table.length) requireCells();
  }
}

function readStrict(options: RecordOptions): boolean {
  const { strict = true } = requireOptions('a classifier', recordOptions, options);
  if (typeof strict === 'boolean') return strict;
  return refuse('E_PARAM', `strict is true or false, got ${show(strict)}`, { name: 'strict' });
}

/** The first row whose cell a column does not take; the number of rows if there is none. */
function firstMisfit(table: ColumnTable, column: RecordColumn): number {
  const { name, kind, format } = column;
  const own = table.column(name);
  const misfits = (cell: unknown) => !isBlank(cell) && !fits[kind](cell, format ?? {});
  const found = (row: number | undefined) => (row === undefined || row < 0 ? table.length : row);
  if (kind === 'number')
    return found(Array.from(numbersIn(own, format?.numbers).odd).find((i) => misfits(own.cell(i))));
  // bytes hold text, and so need no look at the cell
  if (kind === 'text')
    return found(own.documents().findIndex((text, i) => typeof text === 'string' && misfits(own.cell(i))));
  return found(own.codes().findIndex(misfits));
}

const kindOf = ({ kind, format }: SchemaColumn): RecordColumn['kind'] =>
  format?.dates ? 'date' : kind === 'text' || kind === 'number' ? kind : 'level';

function requireCell({ name, kind, format = {} }: RecordColumn, cell: unknown, row: number): void {
  if (isBlank(cell) || fits[kind](cell, format)) return;
  const where = `row ${row}: column ${show(name)}`;
  if (cell === Number.POSITIVE_INFINITY || cell === Number.NEGATIVE_INFINITY) {
    refuse('E_NOT_FINITE', `${where} is ${cell}, not a finite number`, { row, feature: name });
  }
  refuse('E_TYPE', `${where} takes ${expected[kind]}, got ${typeof cell} ${show(cell)}`, {
    row,
    feature: name,
    expected: expected[kind],
    actual: typeof cell,
  });
}

/** Whether a cell that is not blank can be read as what its column holds. */
const fits: Readonly<Record<RecordColumn['kind'], (cell: unknown, format: CellFormat) => boolean>> = {
  text: (cell) => typeof cell === 'string',
  number: (cell, { numbers }) => !Number.isNaN(numberOf(cell, numbers)) || isMarker(cell),
  date: (cell, { dates = 'day-first' }) => !Number.isNaN(momentOf(cell, dates)) || isMarker(cell),
  level: (cell) =>
    typeof cell === 'string' ||
    typeof cell === 'boolean' ||
    typeof cell === 'bigint' ||
    Number.isFinite(cell) ||
    cell instanceof Date,
};
