import type { DialectName } from './sql/dialect.ts';

/** How a long count is watched and stopped. */
export interface CountOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of rows counted so far. */
  readonly onProgress?: ((rows: number) => void) | undefined;
}

/** How a query is watched and stopped. */
export interface QueryOptions {
  /** When it is aborted, the query ends inside the engine too, and the caller gets E_CANCELLED. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the share of the query that is done, from 0 to 1, where the engine can tell. */
  readonly onShare?: ((share: number) => void) | undefined;
}

/** A column of an answer: numbers, where NULL is NaN, or texts. */
export type ResultColumn = Float64Array | readonly (string | null)[];

/** Some rows of an answer, column by column. */
export interface ColumnBatch {
  readonly rows: number;
  readonly columns: readonly ResultColumn[];
}

/** What a column of a table holds, as far as counting cares; `other` are dates, lists and what else there is. */
export type ColumnKind = 'integer' | 'real' | 'boolean' | 'text' | 'other';

/** A column of a table or of a query. */
export interface EngineColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** The type as the engine spells it. */
  readonly type: string;
}

/**
 * A database that counts: it takes SQL of its dialect and answers with columns. It knows statistics as little as models; the SQL
 * is written elsewhere. Queries cast their numbers to 64-bit floating point and everything else to text, so that an adapter has
 * these two types to carry. What goes wrong is a refusal: E_ENGINE_UNAVAILABLE when the engine cannot be reached or is not
 * installed, E_ENGINE_QUERY when it refuses or loses a query, E_CANCELLED after an abort. No refusal tells SQL or credentials.
 */
export interface SqlEngine {
  /** What it is called in refusals, such as `DuckDB`. */
  readonly name: string;
  readonly dialect: DialectName;
  /** The table that is meant where none is named, such as the files that DuckDB was opened with. */
  readonly table?: string | undefined;
  /** That table is text, read anew by every query, so that one scan that counts everything is cheaper than several. */
  readonly oneScan?: boolean | undefined;
  /** The answer of a query, batch by batch; an answer without rows may have no batch. */
  query(sql: string, options?: QueryOptions): AsyncIterable<ColumnBatch>;
  /** Runs a statement that answers nothing. */
  execute(sql: string, options?: QueryOptions): Promise<void>;
  /** The columns of what may stand behind FROM: a quoted table, a function call, a query in brackets with an alias. */
  describe(relation: string, options?: QueryOptions): Promise<readonly EngineColumn[]>;
  /** The tables and views that can be read, as the parts of their names: what a mistyped name is compared with. */
  tables(options?: QueryOptions): Promise<readonly (readonly string[])[]>;
  /**
   * Runs work whose queries all see one state of the tables, whatever others write meanwhile. Engines without transactions do not have
   * it.
   */
  inSnapshot?<T>(work: () => Promise<T>): Promise<T>;
  /** Ends the connection and removes whatever was made for it. Closing twice is closing once. */
  close(): Promise<void>;
}
