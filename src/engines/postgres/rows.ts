import type { Duplex } from 'node:stream';
import type { ColumnBatch, ResultColumn } from '../engine.ts';

/** A column as the server announces it. */
export interface PostgresField {
  readonly name: string;
  readonly dataTypeID: number;
  readonly dataTypeModifier: number;
}

interface Connection {
  readonly stream: Duplex;
  query(text: string): void;
}

/** The types that are numbers: int8, int2, int4, oid, float4, float8, numeric. */
const numberTypes = new Set([20, 21, 23, 26, 700, 701, 1700]);

const ROWS_IN_BATCH = 4096;
const MOST_WAITING = 8;

/**
 * One query in a client of `pg`, which calls the handlers as messages arrive. Rows are added to columns at once, and
 * the socket is paused while no batch is taken, so a result of any length needs little memory.
 */
export class PostgresRows implements AsyncIterable<ColumnBatch> {
  /** Known from the first message on, also for a result without rows. */
  fields: readonly PostgresField[] = [];
  private readonly text: string;
  private readonly ready: ColumnBatch[] = [];
  private columns: (Float64Array | (string | null)[])[] = [];
  private rows = 0;
  private stream: Duplex | undefined;
  private done = false;
  private wanted = true;
  private failure: unknown;
  private wake = () => {};
  private end = () => {};
  /** Settles when the server has finished the query. */
  readonly ended: Promise<void>;

  constructor(text: string) {
    this.text = text;
    this.ended = new Promise((end) => {
      this.end = end;
    });
  }

  get isDone(): boolean {
    return this.done;
  }

  submit(connection: Connection): void {
    this.stream = connection.stream;
    connection.query(this.text);
  }

  handleRowDescription({ fields }: { readonly fields: readonly PostgresField[] }): void {
    this.fields = fields;
    this.startBatch();
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (!this.wanted) return;
    const row = this.rows++;
    for (let j = 0; j < fields.length; j++) {
      const cell = fields[j];
      const column = this.columns[j];
      column[row] = column instanceof Float64Array ? (cell === null ? NaN : Number(cell)) : cell;
    }
    if (this.rows === ROWS_IN_BATCH) this.endBatch();
  }

  handleCommandComplete(): void {
    this.endBatch();
  }

  handleEmptyQuery(): void {}

  handleError(error: unknown): void {
    this.failure ??= error;
    this.finish();
  }

  handleReadyForQuery(): void {
    this.finish();
  }

  /** Stops reading: further rows are dropped, and the connection is free for the next query. */
  drop(): void {
    this.wanted = false;
    this.ready.length = 0;
    this.stream?.resume();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ColumnBatch> {
    for (;;) {
      const batch = this.ready.shift();
      if (batch) {
        if (this.ready.length < MOST_WAITING / 2) this.stream?.resume();
        yield batch;
      } else if (this.done) {
        if (this.failure !== undefined) throw this.failure;
        return;
      } else {
        await new Promise<void>((wake) => {
          this.wake = wake;
        });
      }
    }
  }

  private startBatch(): void {
    this.rows = 0;
    this.columns = this.fields.map(({ dataTypeID }) =>
      numberTypes.has(dataTypeID) ? new Float64Array(ROWS_IN_BATCH) : [],
    );
  }

  private endBatch(): void {
    if (this.rows === 0 || !this.wanted) return;
    const { rows } = this;
    const columns = this.columns.map(
      (column): ResultColumn => (column instanceof Float64Array ? column.subarray(0, rows) : column),
    );
    this.ready.push({ rows, columns });
    this.startBatch();
    if (this.ready.length >= MOST_WAITING) this.stream?.pause();
    this.wake();
  }

  private finish(): void {
    this.done = true;
    this.stream?.resume();
    this.wake();
    this.end();
  }
}
