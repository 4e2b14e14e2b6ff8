import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'vitest';
import type { Matrix } from '../src/data/matrix.ts';
import { numberLiteral, quoteIdentifier, quotePath, quoteString } from '../src/engines/sql/dialect.ts';
import type { Exportable } from '../src/exchange/plan-of.ts';
import { type SqlExport, type SqlOptions, toSql } from '../src/exchange/sql.ts';

/** A cell of a table. */
export type SqlCell = number | string | boolean | null;

/** DuckDB in memory. */
export async function duckdb(): Promise<DuckDBConnection> {
  return (await DuckDBInstance.create(':memory:', { autoinstall_known_extensions: 'false' })).connect();
}

function literal(cell: SqlCell): string {
  if (cell === null) return 'NULL';
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  return typeof cell === 'number' ? numberLiteral('duckdb', cell) : quoteString('duckdb', cell);
}

/** Creates a table of these rows: column `key` 0, 1, …, and the named ones with their types. */
export async function makeTable(
  connection: DuckDBConnection,
  table: string | readonly string[],
  columns: Readonly<Record<string, string>>,
  rows: readonly (readonly SqlCell[])[],
): Promise<void> {
  const declared = Object.entries(columns).map(([name, type]) => `${quoteIdentifier('duckdb', name)} ${type}`);
  const name = quotePath('duckdb', table);
  await connection.run(`CREATE OR REPLACE TABLE ${name} ("key" INTEGER, ${declared.join(', ')})`);
  for (let from = 0; from < rows.length; from += 200) {
    const values = rows.slice(from, from + 200).map((row, i) => `(${from + i}, ${row.map(literal).join(', ')})`);
    await connection.run(`INSERT INTO ${name} VALUES ${values.join(', ')}`);
  }
}

/** The results of a query for every row, in the order of the keys. */
export interface SqlAnswers {
  readonly labels: readonly unknown[];
  readonly probabilities: readonly (readonly (number | null)[])[];
  readonly logOdds: readonly (readonly (number | null)[])[];
  readonly exported: SqlExport;
}

/** Runs the exported SQL of a model on an existing table. */
export async function scoreTable(
  connection: DuckDBConnection,
  model: Exportable,
  options: Partial<SqlOptions> = {},
): Promise<SqlAnswers> {
  const exported = toSql(model, { dialect: 'duckdb', table: 't', key: 'key', ...options });
  if (exported.weights) await connection.run(`DROP TABLE IF EXISTS ${quotePath('duckdb', exported.weights.name)}`);
  for (const statement of exported.setup) await connection.run(statement);
  const result = await connection.runAndReadAll(`SELECT * FROM (${exported.select}) ORDER BY 1`);
  const rows = result.getRows();
  const { probabilities, logOdds } = exported.columns;
  return {
    labels: rows.map((row) => (typeof row[1] === 'bigint' ? Number(row[1]) : row[1])),
    probabilities: rows.map((row) => row.slice(2, 2 + probabilities.length) as number[]),
    logOdds: rows.map(
      (row) => row.slice(2 + probabilities.length, 2 + probabilities.length + logOdds.length) as number[],
    ),
    exported,
  };
}

/**
 * Expects the results of the engine to equal those of the library: posteriors within 1e-9, and labels except for ties.
 */
export function expectSame(
  answers: SqlAnswers,
  proba: Matrix,
  labels: readonly unknown[],
  rows?: readonly number[],
): void {
  const asked = rows ?? [...answers.labels.keys()];
  expect(proba.rows).toBe(asked.length);
  asked.forEach((row, i) => {
    const expected = proba.row(i);
    answers.probabilities[row].forEach((p, c) => {
      if (typeof p === 'number' && Math.abs(p - expected[c]) <= 1e-9) return;
      expect.fail(`row ${row}, class ${c}: ${p} is not within 1e-9 of ${expected[c]}`);
    });
    const [first, second] = [...expected].sort((a, b) => b - a);
    if (!(first - second < 1e-9)) expect(answers.labels[row]).toBe(labels[i]);
  });
}
