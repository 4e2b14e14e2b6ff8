import { randomUUID } from 'node:crypto';
import type { ColumnBatch, EngineColumn, QueryOptions, SqlEngine } from '../engine.ts';
import { withRetry } from '../failure.ts';
import { kindOf } from '../kinds.ts';
import { quotePath, quoteString } from '../sql/dialect.ts';
import { tabSeparated } from '../tab-separated.ts';
import { textColumns } from '../text-columns.ts';
import { clickHouseFailed, isConnectionLost, NAME } from './failure.ts';
import { nativeBlocks } from './native.ts';

interface Statement {
  readonly query: string;
  readonly query_id?: string;
  readonly abort_signal?: AbortSignal;
  readonly clickhouse_settings?: Settings;
}

type Settings = Readonly<Record<string, string | number>>;

/**
 * What the engine needs from a client of `@clickhouse/client`: connected to a server, or to ClickHouse in the same
 * process.
 */
export interface ClickHouseClient {
  exec(statement: Statement): Promise<{ readonly stream: AsyncIterable<Uint8Array> }>;
  command(statement: Statement): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Settings of a profile with which a count of some rows would look like a count of all: limits that truncate a result
 * instead of failing, shards that are not merged, replicas that each respond, cached results.
 */
const COMPLETE: Readonly<Record<string, string>> = {
  read_overflow_mode: 'throw',
  read_overflow_mode_leaf: 'throw',
  group_by_overflow_mode: 'throw',
  sort_overflow_mode: 'throw',
  result_overflow_mode: 'throw',
  set_overflow_mode: 'throw',
  join_overflow_mode: 'throw',
  distinct_overflow_mode: 'throw',
  transfer_overflow_mode: 'throw',
  timeout_overflow_mode: 'throw',
  timeout_overflow_mode_leaf: 'throw',
  distributed_group_by_no_merge: '0',
  max_parallel_replicas: '1',
  limit: '0',
  offset: '0',
  use_query_cache: '0',
  empty_result_for_aggregation_by_empty_set: '0',
};

/** The settings to override: those of `COMPLETE` that this server has, with another value. */
async function overrides(client: ClickHouseClient): Promise<Settings> {
  const names = Object.keys(COMPLETE).map((name) => quoteString('clickhouse', name));
  const sql = `SELECT name, value FROM system.settings WHERE name IN (${names.join(', ')})`;
  const [known, values] = await textColumns(rowsOf(client, sql, EVERY_SHARD), 2);
  const wrong = known.filter((name, k) => values[k] !== COMPLETE[name]);
  return { ...EVERY_SHARD, ...Object.fromEntries(wrong.map((name) => [name, COMPLETE[name]])) };
}

/**
 * A shard that does not respond is an error, whatever the server's settings. Queries that score by many columns or trees
 * are longer than servers accept by default.
 */
const EVERY_SHARD: Settings = {
  skip_unavailable_shards: 0,
  max_query_size: 2 ** 28,
  max_ast_elements: 1e8,
  max_expanded_ast_elements: 1e8,
};

/**
 * ClickHouse behind a client. Results are in the Native format, which every version of the last decade writes, and are
 * sent only when the server has them complete: an error in the middle of a result could otherwise look like its end.
 */
export function clickHouseEngine(client: ClickHouseClient): SqlEngine {
  let known: Promise<Settings> | undefined;
  const complete = () => {
    known ??= overrides(client);
    return known;
  };
  async function* query(sql: string, options?: QueryOptions): AsyncGenerator<ColumnBatch> {
    yield* rowsOf(client, sql, await complete(), options);
  }
  const execute: SqlEngine['execute'] = async (sql, { signal } = {}) => {
    const clickhouse_settings = await complete();
    await watched(client, signal, (how) => client.command({ query: sql, clickhouse_settings, ...how }));
  };
  let closed: Promise<void> | undefined;
  return {
    name: NAME,
    dialect: 'clickhouse',
    query,
    execute,
    async load(table, _types, rows, options) {
      const begin = `INSERT INTO ${quotePath('clickhouse', table)} FORMAT TabSeparated\n`;
      for (const piece of tabSeparated(rows)) await execute(begin + piece, options);
    },
    async describe(relation, options) {
      const [names, types] = await textColumns(query(`DESCRIBE TABLE (SELECT * FROM ${relation})`, options), 2);
      return names.map((name, j): EngineColumn => ({ name, type: types[j], kind: kindOf('clickhouse', types[j]) }));
    },
    async tables(options) {
      const own = 'SELECT name FROM system.tables WHERE database = currentDatabase() ORDER BY name';
      const others =
        "SELECT database, name FROM system.tables WHERE database NOT IN (currentDatabase(), 'system', 'information_schema', " +
        "'INFORMATION_SCHEMA') ORDER BY database, name";
      const [near] = await textColumns(query(own, options), 1);
      const [databases, far] = await textColumns(query(others, options), 2);
      return [...near.map((name) => [name]), ...far.map((name, i) => [databases[i], name])];
    },
    close() {
      closed ??= client.close();
      return closed;
    },
  };
}

async function* rowsOf(
  client: ClickHouseClient,
  sql: string,
  settings: Settings,
  { signal }: QueryOptions = {},
): AsyncGenerator<ColumnBatch> {
  const statement = { query: `${sql}\nFORMAT Native`, clickhouse_settings: { ...settings, wait_end_of_query: 1 } };
  const ask = () => watched(client, signal, (how) => client.exec({ ...statement, ...how }));
  const { stream } = await withRetry(ask, isConnectionLost, signal);
  try {
    for await (const block of nativeBlocks(stream)) if (block.rows > 0) yield block;
  } catch (cause) {
    clickHouseFailed(cause, signal);
  }
}

/** Runs a statement; an abort ends the request here and the query on the server. */
async function watched<Answer>(
  client: ClickHouseClient,
  signal: AbortSignal | undefined,
  run: (how: Pick<Statement, 'query_id' | 'abort_signal'>) => Promise<Answer>,
): Promise<Answer> {
  const query_id = randomUUID();
  const kill = () =>
    void client
      .command({ query: `KILL QUERY WHERE query_id = ${quoteString('clickhouse', query_id)}` })
      .catch(() => {});
  signal?.addEventListener('abort', kill, { once: true });
  try {
    signal?.throwIfAborted();
    return await run({ query_id, ...(signal && { abort_signal: signal }) });
  } catch (cause) {
    return clickHouseFailed(cause, signal);
  } finally {
    signal?.removeEventListener('abort', kill);
  }
}
