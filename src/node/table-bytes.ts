import { chunksOf } from '../data/source.ts';
import { refuse } from '../errors.ts';
import { nameOf, readBytes } from './file.ts';
import type { OpenTableOptions, TableSource } from './table-options.ts';

/** The bytes of a table, counted as they are read. */
export class TableBytes {
  readonly name: string;
  /** The path of the file, if there is one. */
  readonly path: string | URL | undefined;
  bytesTotal: number | undefined;
  bytesRead = 0;
  private readonly raw: AsyncGenerator<Uint8Array, void, undefined>;
  private readonly signal: AbortSignal | undefined;
  private readonly onRead: () => void;
  private readonly onBytes: ((bytes: Uint8Array) => void) | undefined;
  private stop: ((cause: unknown) => void) | undefined;

  constructor(source: TableSource, { name, signal, onBytes }: OpenTableOptions, onRead: () => void) {
    this.onBytes = onBytes;
    this.signal = signal;
    this.onRead = onRead;
    const isPath = source instanceof URL || (typeof source === 'string' && source !== '-');
    this.path = isPath ? source : undefined;
    this.name = name ?? (isPath ? nameOf(source) : source === '-' ? 'stdin' : 'the source');
    if (isPath) this.raw = readBytes(source, (size) => (this.bytesTotal = size));
    else this.raw = chunksOf(source === '-' ? process.stdin : (source as Exclude<typeof source, string>));
  }

  /** The bytes, once; aborting ends a pending read. */
  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    const abort = () => this.stop?.(this.signal!.reason);
    this.signal?.addEventListener('abort', abort);
    try {
      for (;;) {
        const { done, value } = await this.next();
        if (done) return;
        this.count(value.length);
        this.onBytes?.(value);
        yield value;
      }
    } finally {
      this.signal?.removeEventListener('abort', abort);
      void this.close();
    }
  }

  /** Counts bytes that were read, here or by a reader with random access, which may read some twice. */
  count(bytes: number): void {
    this.bytesRead = Math.min(this.bytesRead + bytes, this.bytesTotal ?? Number.POSITIVE_INFINITY);
    this.onRead();
  }

  private next(): Promise<IteratorResult<Uint8Array, void>> {
    if (this.signal?.aborted) cancel(this.signal.reason);
    return new Promise((resolve, reject) => {
      this.stop = (cause) => {
        try {
          cancel(cause);
        } catch (error) {
          reject(error);
        }
      };
      this.raw.next().then(resolve, reject);
    });
  }

  /** Closes the source. A read that never ends, such as from a terminal, is not awaited. */
  async close(): Promise<void> {
    const closed = this.raw.return().catch(() => undefined);
    if (this.path !== undefined) await closed;
  }
}

function cancel(cause: unknown): never {
  refuse('E_CANCELLED', 'reading was aborted by the caller', {}, cause);
}
