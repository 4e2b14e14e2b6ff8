import type { SqlEngine } from '../engines/engine.ts';
import { type DialectName, quotePath } from '../engines/sql/dialect.ts';
import { wordsOf } from '../engines/sql/words.ts';
import { refuse, show } from '../errors.ts';
import type { Exportable } from '../exchange/plan-of.ts';
import { type SqlExport, type SqlOptions, toSql } from '../exchange/sql.ts';

/** How rows are scored inside an engine. */
export interface ScoreOptions extends Omit<SqlOptions, 'dialect' | 'view' | 'table'> {
  /** An open engine in which tables can be created. */
  readonly engine: SqlEngine;
  /** The table or view whose rows are scored. Default: the table of the engine. */
  readonly table?: string | readonly string[] | undefined;
  /** The table to create. */
  readonly into: string | readonly string[];
  /** Whether an existing table is replaced. Default: false. */
  readonly replace?: boolean | undefined;
  /** Aborts scoring with E_CANCELLED. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of scoring. */
export interface Scored {
  readonly rows: number;
  readonly columns: SqlExport['columns'];
}

/** How engines create a table from a query. */
const creating: Readonly<Record<DialectName, (table: string) => string>> = {
  duckdb: (table) => `CREATE TABLE ${table} AS`,
  postgres: (table) => `CREATE TABLE ${table} AS`,
  clickhouse: (table) => `CREATE TABLE ${table} ENGINE = MergeTree ORDER BY tuple() AS`,
  spark: (table) => `CREATE TABLE ${table} USING parquet AS`,
};

/**
 * Spark and ClickHouse inline the stages of a query into each other while they plan: an ensemble of 41 stages exhausted a
 * driver of 1 GB after minutes, and kept ClickHouse planning for more than four. Families by name and ensembles of text
 * have fewer than these.
 */
const MOST_STAGES = 20;

function requirePlannable({ name, dialect }: SqlEngine, select: string): void {
  const inlines = dialect === 'spark' || dialect === 'clickhouse';
  const stages = inlines ? [...select.matchAll(/`polya_\d+` AS \(/g)].length : 0;
  if (stages > MOST_STAGES) {
    refuse(
      'E_ENGINE_CAPABILITY',
      `${name} cannot plan the ${stages} stages of this ensemble; fit a family by name, or predict outside of the engine`,
      { stages, limit: MOST_STAGES },
    );
  }
}

/** The table names involved in publishing a finished table. */
interface Places {
  readonly final: TablePath;
  /** The finished table. */
  readonly working: TablePath;
  /** The temporary name of the replaced table until it is dropped. */
  readonly old: TablePath;
}

type TablePath = string | readonly string[];

/**
 * Renames the finished table, replacing an older one if there is one. Readers see the old table or the new one: DuckDB
 * and PostgreSQL do it in a transaction, ClickHouse in one statement. Spark has neither, so the old table is restored
 * after a failure.
 */
async function publish(engine: SqlEngine, { final, working, old }: Places, replaces: boolean): Promise<void> {
  const { dialect } = engine;
  const name = (table: TablePath) => quotePath(dialect, table);
  const run = (sql: string) => engine.execute(sql);
  if (dialect === 'clickhouse') {
    const renames = [...(replaces ? [[final, old]] : []), [working, final]];
    await run(`RENAME TABLE ${renames.map(([from, to]) => `${name(from)} TO ${name(to)}`).join(', ')}`);
    return;
  }
  if (dialect === 'spark') {
    const rename = (from: TablePath, to: TablePath) => run(`ALTER TABLE ${name(from)} RENAME TO ${name(to)}`);
    if (replaces) await rename(final, old);
    try {
      await rename(working, final);
    } catch (error) {
      if (replaces) await rename(old, final);
      throw error;
    }
    return;
  }
  await run('BEGIN');
  try {
    if (replaces) await run(`DROP TABLE ${name(final)}`);
    await run(`ALTER TABLE ${name(working)} RENAME TO ${name(lastOf(final))}`);
    await run('COMMIT');
  } catch (error) {
    await run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/**
 * Scores the rows of a table inside its engine with the SQL of the model, and creates a table of the results: key,
 * label, probability of every class. The table appears when it is complete; after a failure there is none, and an
 * existing table is unchanged.
 */
export async function scoreInEngine(model: Exportable, options: ScoreOptions): Promise<Scored> {
  const { engine, into, replace = false, signal, ...rest } = options;
  const { dialect } = engine;
  const table =
    options.table ?? engine.table ?? refuse('E_PARAM', `${engine.name} scores a table: name it`, { name: 'table' });
  const tag = crypto.randomUUID().slice(-12); // a unique name, so only our own table is dropped
  const [working, old, weights] = ['new', 'old', 'weights'].map((what) => beside(into, `polya_${what}_${tag}`));
  const { setup, select, columns } = toSql(model, { ...rest, dialect, table, weights: rest.weights ?? weights });
  requirePlannable(engine, select);
  const name = (parts: TablePath) => quotePath(dialect, parts);
  const run = (sql: string) => engine.execute(sql, { signal });
  const drop = (parts: TablePath) => engine.execute(`DROP TABLE IF EXISTS ${name(parts)}`);
  const replaces = await exists(engine, into);
  if (replaces && !replace) refuseExisting(into);
  try {
    for (const statement of setup) await run(statement);
    await run(`${creating[dialect](name(working))}\n${select}`);
    await publish(engine, { final: into, working, old }, replaces);
  } finally {
    for (const table of [working, old]) await drop(table);
    if (setup.length > 0 && rest.weights === undefined) await drop(weights);
  }
  return { rows: await countRows(engine, name(into)), columns };
}

/** A table of another name in the same schema. */
function beside(table: TablePath, name: string): TablePath {
  return typeof table === 'string' ? name : [...table.slice(0, -1), name];
}

const lastOf = (table: TablePath): string => (typeof table === 'string' ? table : (table.at(-1) ?? ''));

async function exists(engine: SqlEngine, into: TablePath): Promise<boolean> {
  const parts = typeof into === 'string' ? [into] : into;
  const tables = await engine.tables();
  const same = (known: readonly string[]) => parts.every((part, k) => known[known.length - parts.length + k] === part);
  return tables.some(same);
}

function refuseExisting(into: TablePath): never {
  const table = lastOf(into);
  return refuse('E_CONFLICT', `there is a table ${show(table)} already; take another name, or replace it`, { table });
}

async function countRows(engine: SqlEngine, table: string): Promise<number> {
  let rows = 0;
  const sql = `SELECT ${wordsOf(engine.dialect).double('count(*)')} AS n FROM ${table}`;
  for await (const { columns } of engine.query(sql)) rows = (columns[0] as Float64Array)[0];
  return rows;
}
