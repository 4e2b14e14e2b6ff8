import type { ColumnKind, SqlEngine } from '../../src/engines/engine.ts';
import { doubleType, numberLiteral, quoteIdentifier, quotePath, quoteString } from '../../src/engines/sql/dialect.ts';

/** A cell of a table. */
export type Cell = number | string | boolean | null;

/** A table in a test: columns in order, each with its kind, and rows of cells; dates and times are texts of ISO. */
export interface TestTable {
  readonly columns: readonly (readonly [name: string, kind: Exclude<ColumnKind, 'other'> | 'time'])[];
  readonly rows: readonly (readonly Cell[])[];
}

/** The type of a column in a new table. */
export function typeOf({ dialect }: SqlEngine, kind: TestTable['columns'][number][1]): string {
  const types = {
    duckdb: { integer: 'BIGINT', boolean: 'BOOLEAN', text: 'VARCHAR', date: 'DATE', time: 'TIMESTAMP' },
    postgres: { integer: 'BIGINT', boolean: 'BOOLEAN', text: 'TEXT', date: 'DATE', time: 'TIMESTAMP' },
    clickhouse: { integer: 'Int64', boolean: 'UInt8', text: 'String', date: 'Date32', time: 'DateTime64(3)' },
    spark: { integer: 'BIGINT', boolean: 'BOOLEAN', text: 'STRING', date: 'DATE', time: 'TIMESTAMP' },
  } as const;
  return kind === 'real' ? doubleType(dialect) : types[dialect as keyof typeof types][kind];
}

/** A cell as a literal. */
export function literal({ dialect }: SqlEngine, cell: Cell): string {
  if (cell === null) return 'NULL';
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  if (typeof cell === 'string') return quoteString(dialect, cell);
  return Number.isSafeInteger(cell) && !Object.is(cell, -0) ? String(cell) : numberLiteral(dialect, cell);
}

/** Creates a table of these rows with plain statements, for engines without shards. */
export async function makeTable(
  engine: SqlEngine,
  name: string | readonly string[],
  { columns, rows }: TestTable,
  end = '',
): Promise<void> {
  const table = quotePath(engine.dialect, name);
  const declared = columns.map(
    ([column, kind]) => `${quoteIdentifier(engine.dialect, column)} ${typeOf(engine, kind)}`,
  );
  await engine.execute(`DROP TABLE IF EXISTS ${table}`);
  await engine.execute(`CREATE TABLE ${table} (${declared.join(', ')})${end}`);
  for (let from = 0; from < rows.length; from += 200) {
    const values = rows
      .slice(from, from + 200)
      .map((row) => `(${row.map((cell) => literal(engine, cell)).join(', ')})`);
    await engine.execute(`INSERT INTO ${table} VALUES ${values.join(', ')}`);
  }
}
