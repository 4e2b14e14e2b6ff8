import { randomUUID } from 'node:crypto';
import type { ColumnBatch, EngineColumn, QueryOptions, SqlEngine } from '../engine.ts';
import { withRetry } from '../failure.ts';
import { kindOf } from '../kinds.ts';
import { quoteIdentifier, quotePath } from '../sql/dialect.ts';
import { textColumns } from '../text-columns.ts';
import type { SparkAddress } from './address.ts';
import { type Arrow, arrowBatches, arrowPieces } from './arrow.ts';
import type { SparkConnection } from './connection.ts';
import { isConnectionLost, NAME, sparkFailed } from './failure.ts';
import {
  executePlan,
  interrupt,
  queryPlan,
  readResponse,
  releaseSession,
  type SparkPlan,
  type SparkSession,
  statementPlan,
  viewPlan,
} from './messages.ts';

/** The maximum number of schemas listed if a table is not found. */
const MOST_SCHEMAS = 50;

/** Spark behind a Spark Connect server: SQL goes in, Arrow comes out. */
export function sparkEngine(
  connection: SparkConnection,
  arrow: Arrow,
  { user, session: given }: Pick<SparkAddress, 'user' | 'session'>,
): SqlEngine {
  const session: SparkSession = { id: given ?? randomUUID(), user };
  const query = (sql: string, options?: QueryOptions) => ask(connection, arrow, session, queryPlan(sql), true, options);
  const run = async (plan: SparkPlan, options?: QueryOptions) => {
    for await (const _ of ask(connection, arrow, session, plan, false, options));
  };
  const execute: SqlEngine['execute'] = (sql, options) => run(statementPlan(sql), options);
  const leave = async () => {
    if (given === undefined) await connection.tell('ReleaseSession', releaseSession(session));
  };
  let closed: Promise<void> | undefined;
  return {
    name: NAME,
    dialect: 'spark',
    query,
    execute,
    async load(table, types, rows, options) {
      const view = `polya_rows_${randomUUID().replaceAll('-', '_')}`;
      for (const piece of arrowPieces(arrow, types, rows)) {
        await run(viewPlan(view, piece), options);
        await execute(`INSERT INTO ${quotePath('spark', table)} SELECT * FROM ${view}`, options);
      }
      await execute(`DROP VIEW IF EXISTS ${view}`, options);
    },
    async describe(relation, options) {
      const [names, types] = await textColumns(query(`DESCRIBE QUERY SELECT * FROM ${relation}`, options), 2);
      return names.map((name, j): EngineColumn => ({ name, type: types[j], kind: kindOf('spark', types[j]) }));
    },
    async tables(options) {
      const [near] = await textColumns(query('SELECT current_schema()', options), 1);
      const [schemas] = await textColumns(query('SHOW SCHEMAS', options), 1);
      const found: string[][] = [];
      for (const schema of [...new Set([...near, ...schemas])].slice(0, MOST_SCHEMAS)) {
        const [places, names] = await textColumns(
          query(`SHOW TABLES IN ${quoteIdentifier('spark', schema)}`, options),
          2,
        );
        names.forEach((name, i) => void found.push(places[i] === '' || schema === near[0] ? [name] : [schema, name]));
      }
      return found;
    },
    close() {
      closed ??= leave().then(() => connection.close());
      return closed;
    },
  };
}

async function* ask(
  connection: SparkConnection,
  arrow: Arrow,
  session: SparkSession,
  plan: SparkPlan,
  isRead: boolean,
  { signal, onShare }: QueryOptions = {},
): AsyncGenerator<ColumnBatch> {
  let operation = '';
  let running = true;
  let call: ReturnType<SparkConnection['execute']> | undefined;
  const begin = async () => {
    operation = randomUUID();
    call = connection.execute(executePlan(session, operation, plan));
    const messages: AsyncIterator<Buffer> = call[Symbol.asyncIterator]();
    return { messages, first: await messages.next() };
  };
  const stop = () => {
    if (!running) return;
    running = false;
    void connection.tell('Interrupt', interrupt(session, operation)).then(() => call?.cancel());
  };
  signal?.addEventListener('abort', stop, { once: true });
  let rows = 0;
  try {
    signal?.throwIfAborted();
    const { messages, first } = await (isRead ? withRetry(begin, isConnectionLost, signal) : begin());
    for (let next = first; !next.done; next = await messages.next()) {
      const { batch, share } = readResponse(next.value);
      if (share !== undefined) onShare?.(share);
      if (!batch) continue;
      requireNext(batch.start, rows);
      rows += batch.rows;
      for (const columns of arrowBatches(arrow, batch.arrow)) if (columns.rows > 0) yield columns;
    }
    running = false;
  } catch (cause) {
    running = false;
    sparkFailed(cause, signal);
  } finally {
    signal?.removeEventListener('abort', stop);
    if (call) stop(); // the caller has stopped reading
  }
}

function requireNext(start: number | undefined, rows: number): void {
  if (start !== undefined && start !== rows) throw new Error(`a batch starts at row ${start} where ${rows} was due`);
}
