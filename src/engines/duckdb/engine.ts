import type { DuckDBConnection, DuckDBInstance, DuckDBResult } from '@duckdb/node-api';
import type { ColumnBatch, EngineColumn, LoadedRow, LoadedType, QueryOptions, SqlEngine } from '../engine.ts';
import { queryFailed } from '../failure.ts';
import { kindOf } from '../kinds.ts';
import { snapshots } from '../snapshot.ts';
import { textColumns } from '../text-columns.ts';
import { batchOf, type ColumnReading } from './batches.ts';

const NAME = 'DuckDB';
const PROGRESS_EVERY = 200;
/** The number of rows loaded between two checks of the abort signal. */
const ROWS_AT_ONCE = 10_000;

/** DuckDB in this process: one connection, one query at a time. */
export class DuckDbEngine implements SqlEngine {
  readonly name: string = NAME;
  readonly dialect = 'duckdb';
  /** The files that it was opened with, as a table. */
  source: { readonly table: string; readonly oneScan: boolean } | undefined;
  readonly threads: number | undefined;
  private readonly instance: DuckDBInstance;
  private readonly connection: DuckDBConnection;
  private readonly cleanUp: () => Promise<void>;
  /** Tables of a database are read in one transaction; files have none. */
  readonly inSnapshot: NonNullable<SqlEngine['inSnapshot']> = snapshots(
    (sql) => this.execute(sql),
    'BEGIN TRANSACTION READ ONLY',
  );
  private closed = false;

  constructor(instance: DuckDBInstance, connection: DuckDBConnection, cleanUp: () => Promise<void>, threads?: number) {
    this.threads = threads;
    this.instance = instance;
    this.connection = connection;
    this.cleanUp = cleanUp;
  }

  get table(): string | undefined {
    return this.source?.table;
  }

  get oneScan(): boolean {
    return this.source?.oneScan ?? false;
  }

  async *query(sql: string, options: QueryOptions = {}): AsyncGenerator<ColumnBatch> {
    const { signal } = options;
    const stop = this.watch(options);
    try {
      signal?.throwIfAborted();
      // a streamed UNION ALL hangs once its result exceeds the streaming buffer, so only scans are streamed
      const result = await (options.streamed ? this.connection.stream(sql) : this.connection.run(sql));
      const readings = readingsOf(result);
      for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
        signal?.throwIfAborted();
        yield batchOf(chunk, readings);
      }
    } catch (cause) {
      queryFailed(NAME, cause, signal);
    } finally {
      stop();
    }
  }

  async execute(sql: string, options: QueryOptions = {}): Promise<void> {
    const stop = this.watch(options);
    try {
      options.signal?.throwIfAborted();
      await this.connection.run(sql);
    } catch (cause) {
      queryFailed(NAME, cause, options.signal);
    } finally {
      stop();
    }
  }

  async load(
    table: string | readonly string[],
    types: readonly LoadedType[],
    rows: Iterable<LoadedRow>,
    { signal }: QueryOptions = {},
  ): Promise<void> {
    const [name, schema, catalog] = (typeof table === 'string' ? [table] : [...table]).reverse();
    try {
      const appender = await this.connection.createAppender(name, schema, catalog);
      let count = 0;
      for (const row of rows) {
        if (count++ % ROWS_AT_ONCE === 0) signal?.throwIfAborted();
        row.forEach((cell, k) => {
          if (cell === null) appender.appendNull();
          else if (typeof cell === 'string') appender.appendVarchar(cell);
          else if (types[k] === 'integer') appender.appendInteger(cell);
          else appender.appendDouble(cell);
        });
        appender.endRow();
      }
      appender.closeSync();
    } catch (cause) {
      queryFailed(NAME, cause, signal);
    }
  }

  async describe(relation: string, options: QueryOptions = {}): Promise<readonly EngineColumn[]> {
    const [names, types] = await textColumns(this.query(`DESCRIBE SELECT * FROM ${relation}`, options), 2);
    return names.map((name, j) => ({ name, type: types[j], kind: kindOf('duckdb', types[j]) }));
  }

  async tables(options: QueryOptions = {}): Promise<readonly (readonly string[])[]> {
    const sql = `SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal UNION ALL SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal`;
    const [schemas, names] = await textColumns(this.query(sql, options), 2);
    return names.map((name, i) => [schemas[i], name]);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.connection.closeSync();
    this.instance.closeSync();
    await this.cleanUp();
  }

  /** Reports the progress of a query and interrupts it on abort; returns a function that stops watching. */
  private watch({ signal, onShare }: QueryOptions): () => void {
    const interrupt = () => this.connection.interrupt();
    signal?.addEventListener('abort', interrupt, { once: true });
    const report = () => {
      const { percentage } = this.connection.progress;
      if (percentage >= 0) onShare?.(Math.min(1, percentage / 100));
    };
    const timer = onShare && setInterval(report, PROGRESS_EVERY);
    return () => {
      signal?.removeEventListener('abort', interrupt);
      clearInterval(timer);
    };
  }
}

function readingsOf(result: DuckDBResult): ColumnReading[] {
  return result.columnTypes().map((type) => {
    const name = String(type);
    return name === 'BLOB' ? 'bytes' : /^(integer|real)$/.test(kindOf('duckdb', name)) ? 'numbers' : 'texts';
  });
}
