import { randomUUID } from 'node:crypto';
import type { ColumnBatch, ColumnKind, EngineColumn, QueryOptions, SqlEngine } from '../engine.ts';
import { quoteString } from '../sql/dialect.ts';
import { textColumns } from '../text-columns.ts';
import { clickHouseFailed, NAME } from './failure.ts';
import { nativeBlocks } from './native.ts';

interface Statement {
  readonly query: string;
  readonly query_id?: string;
  readonly abort_signal?: AbortSignal;
  readonly clickhouse_settings?: Readonly<Record<string, number>>;
}

/** What the engine needs of a client of `@clickhouse/client`: connected to a server, or to ClickHouse in the same process. */
export interface ClickHouseClient {
  exec(statement: Statement): Promise<{ readonly stream: AsyncIterable<Uint8Array> }>;
  command(statement: Statement): Promise<unknown>;
  close(): Promise<void>;
}

/** A shard that does not answer is an error: the server may be told to leave it out, and would count too little without a word. */
const everyShard = { skip_unavailable_shards: 0 };

/**
 * ClickHouse behind a client. Answers come in the Native format, which every version of the last decade writes, and only when
 * the server has them whole: an error in the middle of an answer could otherwise look like its end.
 */
export function clickHouseEngine(client: ClickHouseClient): SqlEngine {
  const query = (sql: string, options?: QueryOptions) => ask(client, sql, options);
  let closed: Promise<void> | undefined;
  return {
    name: NAME,
    dialect: 'clickhouse',
    query,
    async execute(sql, { signal } = {}) {
      await watched(client, signal, (how) => client.command({ query: sql, clickhouse_settings: everyShard, ...how }));
    },
    async describe(relation, options) {
      const [names, types] = await textColumns(query(`DESCRIBE TABLE (SELECT * FROM ${relation})`, options), 2);
      return names.map((name, j): EngineColumn => ({ name, type: types[j], kind: kindOf(types[j]) }));
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

async function* ask(client: ClickHouseClient, sql: string, { signal }: QueryOptions = {}): AsyncGenerator<ColumnBatch> {
  const statement = { query: `${sql}\nFORMAT Native`, clickhouse_settings: { ...everyShard, wait_end_of_query: 1 } };
  const { stream } = await watched(client, signal, (how) => client.exec({ ...statement, ...how }));
  try {
    for await (const block of nativeBlocks(stream)) if (block.rows > 0) yield block;
  } catch (cause) {
    clickHouseFailed(cause, signal);
  }
}

/** Runs a statement that an abort ends on both sides: the request here, and the query at the server. */
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

function kindOf(type: string): ColumnKind {
  const inner = /^(?:Nullable|LowCardinality)\((.*)\)$/.exec(type)?.[1];
  if (inner !== undefined) return kindOf(inner);
  if (/^U?Int\d+$/.test(type)) return 'integer';
  if (/^(Float|BFloat|Decimal)/.test(type)) return 'real';
  if (type === 'Bool') return 'boolean';
  return /^(String|FixedString|Enum|UUID)/.test(type) ? 'text' : 'other';
}
