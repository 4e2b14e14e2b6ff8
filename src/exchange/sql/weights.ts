import {
  doubleType,
  numberLiteral,
  quoteIdentifier,
  quotePath,
  quoteString,
  type SqlDialect,
} from '../../engines/sql/dialect.ts';
import { wordsOf } from '../../engines/sql/words.ts';

/** A row of the table of weights: which part of the model, a term, its idf, and its weight for each class. */
export interface WeightRow {
  readonly part: number;
  readonly term: string;
  readonly idf: number | null;
  readonly weights: Float64Array | null;
}

/** The table of weights of a text model as data, to load it from a file instead of by statements. */
export interface WeightTable {
  readonly name: string | readonly string[];
  readonly columns: readonly { readonly name: string; readonly type: 'integer' | 'text' | 'number' }[];
  /** Cells in the order of the columns; null is NULL. */
  rows(): Iterable<readonly (number | string | null)[]>;
}

/** The table of these rows; a part of fewer classes than others leaves the last columns empty. */
export function weightTable(name: string | readonly string[], list: readonly WeightRow[]): WeightTable {
  const classes = list.reduce((most, { weights }) => Math.max(most, weights?.length ?? 0), 0);
  const numbers = ['idf', ...Array.from({ length: classes }, (_, c) => `w${c}`)];
  return {
    name,
    columns: [
      { name: 'part', type: 'integer' },
      { name: 'term', type: 'text' },
      ...numbers.map((column) => ({ name: column, type: 'number' as const })),
    ],
    *rows() {
      for (const { part, term, idf, weights } of list) {
        yield [part, term, idf, ...Array.from({ length: classes }, (_, c) => weights?.[c] ?? null)];
      }
    },
  };
}

/** How many rows one statement inserts. */
const ROWS_AT_ONCE = 500;

/** The type of a column in a new table; in ClickHouse only a Nullable type takes NULL. */
export function columnType(dialect: SqlDialect, { type }: WeightTable['columns'][number]): string {
  const { integerType, textType } = wordsOf(dialect);
  if (type !== 'number') return type === 'integer' ? integerType : textType;
  return dialect === 'clickhouse' ? 'Nullable(Float64)' : doubleType(dialect);
}

/** The statement that makes the empty table. */
export function createStatement(dialect: SqlDialect, { name, columns }: WeightTable): string {
  const declared = columns.map((column) => `${quoteIdentifier(dialect, column.name)} ${columnType(dialect, column)}`);
  return `CREATE TABLE ${quotePath(dialect, name)} (${declared.join(', ')})${wordsOf(dialect).tableEnd}`;
}

/** Statements that make the table and fill it. */
export function tableStatements(dialect: SqlDialect, weights: WeightTable): string[] {
  const { name, columns, rows } = weights;
  const table = quotePath(dialect, name);
  const statements = [createStatement(dialect, weights)];
  let values: string[] = [];
  const flush = () => {
    if (values.length > 0) statements.push(`INSERT INTO ${table} VALUES\n${values.join(',\n')}`);
    values = [];
  };
  for (const row of rows()) {
    values.push(`(${row.map((cell, k) => literal(dialect, cell, columns[k].type)).join(', ')})`);
    if (values.length === ROWS_AT_ONCE) flush();
  }
  flush();
  return statements;
}

function literal(dialect: SqlDialect, cell: number | string | null, type: string): string {
  if (cell === null) return 'NULL';
  if (typeof cell === 'string') return quoteString(dialect, cell);
  return type === 'integer' ? String(cell) : numberLiteral(dialect, cell);
}
