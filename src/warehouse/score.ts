import type { SqlEngine } from '../engines/engine.ts';
import { quotePath, type SqlDialect } from '../engines/sql/dialect.ts';
import { wordsOf } from '../engines/sql/words.ts';
import { refuse, show } from '../errors.ts';
import type { Exportable } from '../exchange/plan-of.ts';
import { type QueryText, wholeText } from '../exchange/sql/query.ts';
import { createStatement, tableStatements, type WeightTable } from '../exchange/sql/weights.ts';
import { type SqlExport, type SqlOptions, sqlParts } from '../exchange/sql.ts';

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

/** Creates a table from a query. */
const creating = (dialect: SqlDialect, table: string) => `CREATE TABLE ${table}${wordsOf(dialect).tableEnd} AS`;

/**
 * Spark and ClickHouse plan the stages of a query as one expression: 41 stages of an ensemble exhausted a driver of 1 GB after minutes,
 * and kept ClickHouse planning for more than four. There the rows become a table after this number of stages.
 */
const STAGES_AT_ONCE: Readonly<Partial<Record<SqlDialect, number>>> = { spark: 8, clickhouse: 8 };

/**
 * A query as several, of which each reads the table that the one before it made: a query is cut behind a stage if no later one reads an
 * earlier one. `tableOf` returns the name of a table.
 */
function cutQuery({ ctes, select }: QueryText, most: number, tableOf: (k: number) => string): QueryText[] {
  const names = ctes.map((text) => text.slice(0, text.indexOf(' AS (')));
  const texts = [...ctes, select];
  const lastUse = names.map((name, k) => texts.findLastIndex((text, at) => at > k && text.includes(name)));
  const queries: QueryText[] = [];
  let stages: string[] = [];
  ctes.forEach((text, k) => {
    stages.push(text);
    const isCut = stages.length > most && lastUse.every((last, i) => i >= k || last <= k);
    if (!isCut || k === ctes.length - 1) return;
    const table = tableOf(queries.push({ ctes: stages, select: `SELECT * FROM ${names[k]}` }) - 1);
    stages = [`${names[k]} AS (SELECT * FROM ${table})`];
  });
  return [...queries, { ctes: stages, select }];
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
 * and PostgreSQL do it in a transaction, ClickHouse in one statement. Others have neither, so the old table is restored
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
  if (dialect !== 'duckdb' && dialect !== 'postgres') {
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
  const temporary = (what: string) => beside(into, `polya_${what}_${tag}`);
  const [working, old] = ['new', 'old'].map(temporary);
  const name = (parts: TablePath) => quotePath(dialect, parts);
  const { query, weights, columns } = sqlParts(model, {
    ...rest,
    dialect,
    table,
    weights: rest.weights ?? temporary('weights'),
  });
  const stages = cutQuery(query, STAGES_AT_ONCE[dialect] ?? Infinity, (k) => name(temporary(`stage${k}`)));
  const run = (sql: string) => engine.execute(sql, { signal });
  const drop = (parts: TablePath) => engine.execute(`DROP TABLE IF EXISTS ${name(parts)}`);
  const replaces = await exists(engine, into);
  if (replaces && !replace) refuseExisting(into);
  try {
    if (weights) await makeTable(engine, weights, signal);
    for (const [k, own] of stages.entries()) {
      const made = k === stages.length - 1 ? working : temporary(`stage${k}`);
      await run(`${creating(dialect, name(made))}\n${wholeText(own)}`);
    }
    await publish(engine, { final: into, working, old }, replaces);
  } finally {
    const made = stages.slice(1).map((_, k) => temporary(`stage${k}`));
    if (weights && rest.weights === undefined) made.push(weights.name);
    for (const table of [working, old, ...made]) await drop(table);
  }
  return { rows: await countRows(engine, name(into)), columns };
}

/** Makes the table of weights. */
async function makeTable(engine: SqlEngine, table: WeightTable, signal: AbortSignal | undefined): Promise<void> {
  if (!engine.load) {
    for (const statement of tableStatements(engine.dialect, table)) await engine.execute(statement, { signal });
    return;
  }
  const types = table.columns.map(({ type }) => type);
  await engine.execute(createStatement(engine.dialect, table), { signal });
  await engine.load(table.name, types, table.rows(), { signal });
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
  return refuse('E_CONFLICT', `the table ${show(table)} already exists; choose another name, or replace it`, { table });
}

async function countRows(engine: SqlEngine, table: string): Promise<number> {
  let rows = 0;
  const sql = `SELECT ${wordsOf(engine.dialect).double('count(*)')} AS n FROM ${table}`;
  for await (const { columns } of engine.query(sql)) rows = (columns[0] as Float64Array)[0];
  return rows;
}
