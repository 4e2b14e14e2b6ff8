import type { ColumnBatch, EngineColumn, QueryOptions, SqlEngine } from '../engine.ts';
import { queryFailed } from '../failure.ts';
import { kindOf } from '../kinds.ts';
import { Mutex } from '../mutex.ts';
import { snapshots } from '../snapshot.ts';
import { quotePath } from '../sql/dialect.ts';
import { tabSeparated } from '../tab-separated.ts';
import { textColumns } from '../text-columns.ts';
import { NAME } from './failure.ts';
import { PostgresLoad } from './load.ts';
import { PostgresRows } from './rows.ts';

/** What the engine needs from a connected client of `pg`. */
export interface PostgresClient {
  query(rows: PostgresRows): unknown;
  end(): Promise<void>;
}

/** Cancels the running query from a second connection; the first is busy. */
export type CancelQuery = () => Promise<void>;

interface Session {
  readonly client: PostgresClient;
  readonly cancel: CancelQuery;
  readonly mutex: Mutex;
}

const TABLES = `SELECT n.nspname, c.relname, CASE WHEN n.nspname = current_schema() THEN 't' ELSE 'f' END
FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
ORDER BY 3 DESC, 1, 2`;

/** PostgreSQL, or a server with its protocol, behind one connection. */
export function postgresEngine(client: PostgresClient, cancel: CancelQuery): SqlEngine {
  const session: Session = { client, cancel, mutex: new Mutex() };
  const query = (sql: string, options?: QueryOptions) => ask(session, new PostgresRows(sql), options);
  const execute: SqlEngine['execute'] = async (sql, options) => {
    for await (const _ of query(sql, options));
  };
  let closed: Promise<void> | undefined;
  return {
    name: NAME,
    dialect: 'postgres',
    query,
    execute,
    inSnapshot: snapshots(execute, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'),
    async load(table, _types, rows, options) {
      const copy = new PostgresLoad(`COPY ${quotePath('postgres', table)} FROM STDIN`, tabSeparated(rows));
      for await (const _ of ask(session, copy, options));
    },
    async describe(relation, options) {
      const rows = new PostgresRows(`SELECT * FROM ${relation} LIMIT 0`);
      for await (const _ of ask(session, rows, options));
      const numbers = (key: 'dataTypeID' | 'dataTypeModifier') => rows.fields.map((field) => field[key]).join(', ');
      const [types, categories] = await textColumns(
        query(
          `SELECT pg_catalog.format_type(f.o, f.m), t.typcategory::text
FROM unnest(ARRAY[${numbers('dataTypeID')}]::oid[], ARRAY[${numbers('dataTypeModifier')}]::int[]) WITH ORDINALITY AS f(o, m, k)
JOIN pg_catalog.pg_type AS t ON t.oid = f.o ORDER BY f.k`,
          options,
        ),
        2,
      );
      return rows.fields.map(({ name }, j): EngineColumn => {
        return { name, type: types[j], kind: kindOf('postgres', `${categories[j]} ${types[j]}`) };
      });
    },
    async tables(options) {
      const [schemas, names, near] = await textColumns(query(TABLES, options), 3);
      return names.map((name, i) => (near[i] === 't' ? [name] : [schemas[i], name]));
    },
    close() {
      closed ??= client.end().catch(() => {}); // a lost connection is already closed
      return closed;
    },
  };
}

async function* ask(
  { client, cancel, mutex }: Session,
  rows: PostgresRows,
  { signal }: QueryOptions = {},
): AsyncGenerator<ColumnBatch> {
  let cancelling: Promise<void> | undefined;
  const stop = () => {
    cancelling ??= cancel().catch(() => {});
  };
  const release = await mutex.acquire();
  if (signal?.aborted) {
    release();
    queryFailed(NAME, signal.reason, signal);
  }
  try {
    signal?.addEventListener('abort', stop, { once: true });
    client.query(rows);
    void rows.ended.then(() => cancelling).then(release);
    yield* rows;
  } catch (cause) {
    queryFailed(NAME, cause, signal);
  } finally {
    signal?.removeEventListener('abort', stop);
    if (!rows.isDone) stop(); // the caller has stopped reading
    rows.drop();
    await cancelling; // a late cancel request would end the next query
  }
}
