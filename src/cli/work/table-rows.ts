import type { Classifier } from '../../auto/classifier.ts';
import { type DataRow, isBlank, numberOf, wordOf } from '../../data/cells.ts';
import {
  type BlockTable,
  type ColumnNumbers,
  numberColumns,
  type PackedNumbers,
  RecordTable,
  type TableColumn,
} from '../../data/column-table.ts';
import type { CodedColumn } from '../../data/packed-columns.ts';
import { emptyRecord } from '../../data/table.ts';

/** Which rows of the data are used, and how their cells are read. */
export interface RowRules {
  /** Columns with the value that a row must have in them. */
  readonly filters: readonly (readonly [column: string, value: string])[];
  /** Whether texts with a decimal comma are numbers. */
  readonly commas: boolean;
  /** Names of columns in the data, by the name that the model knows them by. */
  readonly names: Readonly<Record<string, string>>;
}

/** The rows that pass the filters, under the names of the model. */
export function takeRows(table: BlockTable, { filters, commas, names }: RowRules): BlockTable {
  const read = commas ? withCommas(table) : table;
  const taken = filters.length === 0 ? read : read.take(passing(read, filters));
  return Object.keys(names).length === 0 ? taken : new RenamedTable(taken, names);
}

/** Rows without a label. */
export interface Unlabelled {
  /** How many there are. */
  readonly unlabelled: number;
  /** The line of the first one. */
  readonly firstUnlabelled: number | undefined;
}

/** The rows with a label; the others are counted in `found`. */
export function withLabels(
  table: BlockTable,
  target: string,
  found: { -readonly [K in keyof Unlabelled]: Unlabelled[K] },
): BlockTable {
  const labels = table.column(target).codes();
  const first = labels.findIndex(isBlank);
  if (first < 0) return table;
  const blank = labels.values.map(isBlank);
  const known = [...labels.codes.keys()].filter((i) => !blank[labels.codes[i]]);
  found.firstUnlabelled ??= table.line(first);
  found.unlabelled += table.length - known.length;
  return table.take(known);
}

function passing(table: BlockTable, filters: RowRules['filters']): number[] {
  const columns = filters.map(([name, value]) => [table.column(name).cells(), value] as const);
  const rows = Array.from({ length: table.length }, (_, i) => i);
  return rows.filter((i) => columns.every(([cells, value]) => String(cells[i] ?? '') === value));
}

/** The lines of the rows of a table. */
export const linesOf = (table: BlockTable): number[] => Array.from({ length: table.length }, (_, i) => table.line(i));

function withCommas(table: BlockTable): BlockTable {
  return new RecordTable(table.records().map(commasRead), linesOf(table));
}

/** A row whose texts with a decimal comma are read as numbers, for a model fitted to decimal points. */
export function commasRead(row: DataRow): DataRow {
  const read = emptyRecord<unknown>();
  for (const [name, cell] of Object.entries(row)) {
    const number = typeof cell === 'string' && /[,.]/.test(cell) ? numberOf(cell, 'comma') : Number.NaN;
    read[name] = Number.isNaN(number) ? cell : number;
  }
  return read;
}

/** A view of another table. */
abstract class TableView implements BlockTable {
  protected readonly table: BlockTable;

  constructor(table: BlockTable) {
    this.table = table;
  }

  abstract readonly names: readonly string[];
  abstract column(name: string): TableColumn;
  abstract take(rows: ArrayLike<number>): BlockTable;

  get length(): number {
    return this.table.length;
  }

  numbers(names: readonly string[]): readonly PackedNumbers[] {
    return numberColumns(this.table, names);
  }

  record(row: number): DataRow {
    const record = emptyRecord<unknown>();
    for (const name of this.names) record[name] = this.column(name).cell(row);
    return record;
  }

  records(): DataRow[] {
    return Array.from({ length: this.length }, (_, i) => this.record(i));
  }

  line(row: number): number {
    return this.table.line(row);
  }

  hash(columns: readonly string[], seed: number): Uint32Array {
    return this.table.hash(columns, seed);
  }
}

/** A table with other names for some columns. */
class RenamedTable extends TableView {
  private readonly renamed: Readonly<Record<string, string>>;

  constructor(table: BlockTable, renamed: Readonly<Record<string, string>>) {
    super(table);
    this.renamed = renamed;
  }

  get names(): readonly string[] {
    return [...new Set([...this.table.names, ...Object.keys(this.renamed)])];
  }

  column(name: string): TableColumn {
    return this.table.column(this.nameOf(name));
  }

  private nameOf(name: string): string {
    return Object.hasOwn(this.renamed, name) ? this.renamed[name] : name;
  }

  override numbers(names: readonly string[]): readonly PackedNumbers[] {
    return super.numbers(names.map((name) => this.nameOf(name)));
  }

  take(rows: ArrayLike<number>): BlockTable {
    return new RenamedTable(this.table.take(rows), this.renamed);
  }
}

/**
 * A table as a classifier needs it: further columns are dropped, a column that does not exist has missing cells, and cells of
 * columns of words are strings, as when the model was fitted.
 */
export class FittingTable extends TableView {
  readonly names: readonly string[];
  private readonly model: Classifier;
  private readonly words: ReadonlySet<string>;

  constructor(model: Classifier, table: BlockTable) {
    super(table);
    this.model = model;
    const { columns, schema, target } = model;
    const present = new Set(table.names);
    const others = schema.columns.filter(({ role }) => role !== 'feature').map(({ name }) => name);
    const known = [target, ...others].filter((name) => present.has(name));
    this.names = [...new Set([...known, ...columns.map(({ name }) => name)])];
    this.words = new Set(columns.filter(({ kind }) => kind !== 'number').map(({ name }) => name));
  }

  column(name: string): TableColumn {
    const column = this.table.column(name);
    return this.words.has(name) ? new SpelledColumn(column) : column;
  }

  take(rows: ArrayLike<number>): BlockTable {
    return new FittingTable(this.model, this.table.take(rows));
  }
}

/** A column of words, in which other values are converted to strings. */
class SpelledColumn implements TableColumn {
  private readonly column: TableColumn;

  constructor(column: TableColumn) {
    this.column = column;
  }

  cell(row: number): unknown {
    return spelled(this.column.cell(row));
  }

  cells(): readonly unknown[] {
    const cells = this.column.cells();
    return cells.every((cell) => typeof cell === 'string') ? cells : cells.map(spelled);
  }

  codes(): CodedColumn {
    return this.column.codes().map(spelled);
  }

  numbers(): ColumnNumbers {
    return this.column.numbers();
  }

  documents(): readonly (string | Uint8Array)[] {
    return this.column.documents();
  }
}

const spelled = (cell: unknown): unknown =>
  cell === null || cell === undefined ? null : typeof cell === 'string' ? cell : wordOf(cell);
