import type { SqlDialect } from './sql/dialect.ts';

/** Progress and cancellation of a count. */
export interface CountOptions {
  /** Aborts the work, inside the engine too, with E_CANCELLED. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of rows counted so far. Default: none. */
  readonly onProgress?: ((rows: number) => void) | undefined;
}

/** Progress and cancellation of a query. */
export interface QueryOptions {
  /** Aborts the work, inside the engine too, with E_CANCELLED. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether the result is rows of the table, which need not fit into memory: it is read while the query runs, if the
   * engine can do that. Default: false.
   */
  readonly streamed?: boolean | undefined;
  /** Called with the completed share of the query, from 0 to 1, if the engine reports it. Default: none. */
  readonly onShare?: ((share: number) => void) | undefined;
}

/** A column of a result: numbers, with NaN for NULL, or texts; bytes where a query asks for them, which is only done of DuckDB. */
export type ResultColumn = Float64Array | readonly (string | null)[] | readonly (Uint8Array | null)[];

/** Some rows of a result, column by column. */
export interface ColumnBatch {
  readonly rows: number;
  readonly columns: readonly ResultColumn[];
}

/** The cells of one row for loading; null is NULL. */
export type LoadedRow = readonly (number | string | null)[];

/** The type of a column for loading. */
export type LoadedType = 'integer' | 'text' | 'number';

/** The kind of a column for counting: UUIDs are texts, timestamps are dates, and `other` are lists and everything else. */
export type ColumnKind = 'integer' | 'real' | 'boolean' | 'text' | 'date' | 'other';

/** A column of a table or of a query. */
export interface EngineColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** The type in the engine's notation. */
  readonly type: string;
}

/**
 * A database that counts: it takes SQL of its dialect and returns columns. It is independent of statistics and models;
 * the SQL is written elsewhere. Queries cast their numbers to 64-bit floating point and everything else to text, so an
 * adapter transfers only these two types. Errors are E_ENGINE_UNAVAILABLE if the engine cannot be reached or is not
 * installed, E_ENGINE_QUERY if it rejects or loses a query, E_CANCELLED after an abort. No error contains SQL or
 * credentials.
 */
export interface SqlEngine {
  /** Its name in error messages, such as `DuckDB`. */
  readonly name: string;
  readonly dialect: SqlDialect;
  /** The default table, such as the files that DuckDB was opened with. */
  readonly table?: string | undefined;
  /**
   * Whether that table is text that every query parses again, so that one scan that counts everything is cheaper than
   * several.
   */
  readonly oneScan?: boolean | undefined;
  /** The number of threads that may count in this process what the engine reads. Default: one per core. */
  readonly threads?: number | undefined;
  /** The result of a query, batch by batch; a result without rows may have no batch. */
  query(sql: string, options?: QueryOptions): AsyncIterable<ColumnBatch>;
  /** Runs a statement without a result. */
  execute(sql: string, options?: QueryOptions): Promise<void>;
  /**
   * Loads rows into an existing table as the engine loads files, because parsing megabytes of literals takes it minutes; `types` are
   * those of the columns. Engines without it get INSERT statements.
   */
  load?(
    table: string | readonly string[],
    types: readonly LoadedType[],
    rows: Iterable<LoadedRow>,
    options?: QueryOptions,
  ): Promise<void>;
  /** The columns of a FROM clause: a quoted table, a function call, a query in brackets with an alias. */
  describe(relation: string, options?: QueryOptions): Promise<readonly EngineColumn[]>;
  /** The readable tables and views, as the parts of their names: used to correct a mistyped name. */
  tables(options?: QueryOptions): Promise<readonly (readonly string[])[]>;
  /**
   * Runs work whose queries all see one state of the tables, whatever is written meanwhile. Undefined for engines
   * without transactions.
   */
  inSnapshot?<T>(work: () => Promise<T>): Promise<T>;
  /** Closes the connection and removes everything created for it. May be called twice. */
  close(): Promise<void>;
}
