import type { DuckDbOptions } from '../engines/duckdb/index.ts';
import type { SqlEngine } from '../engines/engine.ts';
import { refuse, show } from '../errors.ts';
import type { EngineRows, TableName } from './source.ts';

/** How an engine is opened by its address; the options for files, memory and threads apply to DuckDB. */
export interface OpenOptions extends DuckDbOptions {
  /** User names and passwords that the address does not contain. Default: the environment of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The forms of an address. */
const FORMS = 'duckdb, duckdb:FILE, clickhouse://host:8123/database, sc://host:15002, postgres://host:5432/database';

/**
 * Opens an engine by its address: `duckdb` for files, `duckdb:FILE` for a database file, `clickhouse://…`, `sc://…` for
 * Spark Connect, `postgres://…`. Loads its client, and throws E_ENGINE_UNAVAILABLE if that is not installed.
 */
export async function openEngine(address: string, { environment, ...options }: OpenOptions = {}): Promise<SqlEngine> {
  const scheme = schemeOf(address);
  if (scheme === 'duckdb') {
    const database = /^duckdb:(?:\/\/)?(.+)$/.exec(address)?.[1];
    const { openDuckDb } = await import('../engines/duckdb/index.ts');
    return openDuckDb({ ...options, environment, ...(database !== undefined && { database }) });
  }
  if (options.files !== undefined) {
    refuse('E_PARAM', `files are read by DuckDB; ${scheme} counts a table`, { name: 'files' });
  }
  if (scheme === 'clickhouse')
    return (await import('../engines/clickhouse/index.ts')).openClickHouse(address, environment);
  if (scheme === 'sc') return (await import('../engines/spark/index.ts')).openSpark(address, environment);
  return (await import('../engines/postgres/index.ts')).openPostgres(address, environment);
}

/** The environment variable with the password or token of an engine, by the scheme of its address. */
const SECRETS: Readonly<Record<string, string>> = {
  clickhouse: 'CLICKHOUSE_PASSWORD',
  clickhouses: 'CLICKHOUSE_PASSWORD',
  postgres: 'PGPASSWORD',
  postgresql: 'PGPASSWORD',
  sc: 'SPARK_CONNECT_TOKEN',
};

/** A password before the host, or a parameter of the address whose name suggests a secret. */
const SECRET = /:\/\/[^/@]*:[^/@]*@|[?&;][^=&;]*(pass|pwd|token|secret|credential|key)[^=&;]*=/i;

/**
 * The environment variable to use instead, if an address contains a password, token or key. Command lines are visible
 * in process lists, stored in shell histories and written into model files, so they must not contain secrets.
 */
export function variableForSecret(address: string): string | undefined {
  return SECRET.test(address) ? SECRETS[address.split(':')[0]] : undefined;
}

/** The scheme of an address; the rest may contain a password and is never part of a message. */
function schemeOf(address: string): 'duckdb' | 'clickhouse' | 'sc' | 'postgres' {
  const scheme = address.split(':')[0];
  if (scheme === 'duckdb' || scheme === 'sc') return scheme;
  if (scheme === 'clickhouse' || scheme === 'clickhouses') return 'clickhouse';
  if (scheme === 'postgres' || scheme === 'postgresql') return 'postgres';
  return refuse('E_PARAM', `there is no engine ${show(scheme.slice(0, 20))}; addresses are ${FORMS}`, {
    name: 'engine',
  });
}

/** Rows inside an engine that is open, or that is opened for them. */
export interface EngineSource extends Omit<EngineRows, 'engine' | 'table'>, Omit<OpenOptions, 'write'> {
  /** An open engine, which stays open, or an address that is opened and closed: see `openEngine`. */
  readonly engine: SqlEngine | string;
  /** The table or view. Default: the files that the engine was opened with. */
  readonly table?: TableName | undefined;
}

/** Calls `use` with the rows of an open engine, and closes an engine that was opened for it. */
export async function withEngine<T>(source: EngineSource, use: (rows: EngineRows) => Promise<T>): Promise<T> {
  const { engine: given, ...rest } = source;
  if (typeof given !== 'string') {
    if (rest.files !== undefined)
      refuse('E_PARAM', 'an open engine has its tables; name files when it is opened', { name: 'files' });
    return use({ ...rest, engine: given, table: tableOf(given, rest.table) });
  }
  const engine = await openEngine(given, rest);
  try {
    return await use({ ...rest, engine, table: tableOf(engine, rest.table) });
  } finally {
    await engine.close();
  }
}

function tableOf(engine: SqlEngine, table: TableName | undefined): TableName {
  return table ?? engine.table ?? refuse('E_PARAM', `${engine.name} counts a table: name it`, { name: 'table' });
}
