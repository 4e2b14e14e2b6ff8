import type { SqlEngine } from '../engines/engine.ts';
import { type DialectName, quotePath } from '../engines/sql/dialect.ts';
import { wordsOf } from '../engines/sql/words.ts';
import { refuse } from '../errors.ts';
import type { Exportable } from '../exchange/plan-of.ts';
import { type SqlExport, type SqlOptions, toSql } from '../exchange/sql.ts';

/** How rows are scored where they lie. */
export interface ScoreOptions extends Omit<SqlOptions, 'dialect' | 'view' | 'table'> {
  /** An opened engine in which tables can be made. */
  readonly engine: SqlEngine;
  /** The table or view whose rows are scored; where none is named, that of the engine. */
  readonly table?: string | readonly string[] | undefined;
  /** The table that is made of the answers. */
  readonly into: string | readonly string[];
  /** Whether a table of that name is replaced. */
  readonly replace?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What was written. */
export interface Scored {
  readonly rows: number;
  readonly columns: SqlExport['columns'];
}

/** How engines make a table of a query, and give it another name. */
const making: Readonly<
  Record<DialectName, { create(table: string): string; rename(from: string, to: string): string }>
> = {
  duckdb: { create: (table) => `CREATE TABLE ${table} AS`, rename: alter },
  postgres: { create: (table) => `CREATE TABLE ${table} AS`, rename: alter },
  clickhouse: {
    create: (table) => `CREATE TABLE ${table} ENGINE = MergeTree ORDER BY tuple() AS`,
    rename: (from, to) => `RENAME TABLE ${from} TO ${to}`,
  },
  spark: { create: (table) => `CREATE TABLE ${table} USING parquet AS`, rename: alter },
};

function alter(from: string, to: string): string {
  return `ALTER TABLE ${from} RENAME TO ${to}`;
}

/**
 * Scores the rows of a table inside its engine with the SQL of the model, and makes a table of the answers: key, label, probability
 * of every class. The table appears when it is whole; after a failure there is none, and what was there before is still there.
 */
export async function scoreInEngine(model: Exportable, options: ScoreOptions): Promise<Scored> {
  const { engine, into, replace = false, signal, ...rest } = options;
  const { dialect } = engine;
  const table =
    options.table ?? engine.table ?? refuse('E_PARAM', `${engine.name} scores a table: name it`, { name: 'table' });
  const [final, working, weights] = ['', '__polya', '__polya_weights'].map((end) => beside(into, end));
  const { setup, select, columns } = toSql(model, { ...rest, dialect, table, weights: rest.weights ?? weights });
  const name = (parts: string | readonly string[]) => quotePath(dialect, parts);
  const run = (sql: string) => engine.execute(sql, { signal });
  const drop = (parts: string | readonly string[]) => engine.execute(`DROP TABLE IF EXISTS ${name(parts)}`);
  if (!replace) await requireAbsent(engine, into);
  const own = rest.weights ?? weights;
  await drop(working);
  try {
    if (setup.length > 0 && rest.weights === undefined) await drop(own);
    for (const statement of setup) await run(statement);
    await run(`${making[dialect].create(name(working))}\n${select}`);
    if (replace) await drop(final);
    await run(
      making[dialect].rename(
        name(working),
        dialect === 'clickhouse' || dialect === 'spark' ? name(final) : name(lastOf(final)),
      ),
    );
  } finally {
    await drop(working);
    if (setup.length > 0 && rest.weights === undefined) await drop(own);
  }
  return { rows: await countRows(engine, name(final)), columns };
}

/** A table beside another one. */
function beside(table: string | readonly string[], end: string): string | readonly string[] {
  if (typeof table === 'string') return table + end;
  return [...table.slice(0, -1), `${table.at(-1) ?? ''}${end}`];
}

const lastOf = (table: string | readonly string[]): string =>
  typeof table === 'string' ? table : (table.at(-1) ?? '');

async function requireAbsent(engine: SqlEngine, into: string | readonly string[]): Promise<void> {
  const last = lastOf(into);
  const parts = typeof into === 'string' ? [into] : into;
  const tables = await engine.tables();
  const same = (known: readonly string[]) => parts.every((part, k) => known[known.length - parts.length + k] === part);
  if (tables.some(same)) {
    refuse('E_CONFLICT', `there is a table ${JSON.stringify(last)} already; take another name, or replace it`, {
      table: last,
    });
  }
}

async function countRows(engine: SqlEngine, table: string): Promise<number> {
  let rows = 0;
  const sql = `SELECT ${wordsOf(engine.dialect).double('count(*)')} AS n FROM ${table}`;
  for await (const { columns } of engine.query(sql)) rows = (columns[0] as Float64Array)[0];
  return rows;
}
