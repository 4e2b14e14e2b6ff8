import { PostgresRows } from './rows.ts';

interface Connection {
  readonly stream: { readonly writableNeedDrain: boolean; once(event: 'drain', listener: () => void): unknown };
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** A `COPY … FROM STDIN` in a client of `pg`: pieces of the text format are sent as fast as the server takes them. */
export class PostgresLoad extends PostgresRows {
  private readonly pieces: Iterable<string>;

  constructor(text: string, pieces: Iterable<string>) {
    super(text);
    this.pieces = pieces;
  }

  async handleCopyInResponse(connection: Connection): Promise<void> {
    for (const piece of this.pieces) {
      if (this.isDone) return; // cancelled, or refused by the server
      connection.sendCopyFromChunk(Buffer.from(piece));
      const drained = new Promise<void>((done) => void connection.stream.once('drain', done));
      if (connection.stream.writableNeedDrain) await Promise.race([drained, this.ended]);
    }
    connection.endCopyFrom();
  }
}
