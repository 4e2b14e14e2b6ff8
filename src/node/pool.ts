import { availableParallelism } from 'node:os';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { BlockReader } from '../data/block-reader.ts';
import type { Block, BlockLayout } from '../data/blocks.ts';
import type { BlockTable } from '../data/column-table.ts';
import { type DocumentBlock, documentTable } from '../data/document-block.ts';
import { type ErrorCode, type ErrorDetails, PolyaError, refuse } from '../errors.ts';

/** The place of some rows in the data. */
interface Placed {
  readonly index: number;
  /** The index of its file among all files. */
  readonly file: number;
}

interface Reused {
  /**
   * Releases the memory of the block for reuse: its own bytes, or the bytes that a worker has returned. Blocks in
   * workers have no such method.
   */
  release?(bytes?: Uint8Array<ArrayBuffer>): void;
}

/** Some rows of a file: a block of bytes with the layout of the file, or a table for formats without blocks. */
export type Piece = Placed &
  (({ readonly block: Block; readonly layout: BlockLayout } & Reused) | { readonly tables: Iterable<BlockTable> });

/** Some documents that were not read from a file. */
export type DocumentPiece = Placed & Reused & { readonly documents: DocumentBlock };

/** Some rows to process. */
type PoolPiece = Piece | DocumentPiece;

/** Rows that can be sent to a worker. */
type SentPiece = Exclude<PoolPiece, { readonly tables: unknown }>;

const bytesOf = (piece: SentPiece): Uint8Array<ArrayBuffer> =>
  'block' in piece ? piece.block.bytes : piece.documents.bytes;

/** Processes pieces of a table, one after the other, in one thread. */
export interface Work<Found, Total> {
  /** Works on the tables of one piece. */
  take(tables: Iterable<BlockTable>): Found;
  /** The combined result of all pieces; plain data if it is `sent` to another thread. */
  end(sent: boolean): Total;
}

/** Creates the work of a thread from plain data, because only that can be sent to threads. */
export type WorkMaker<Setup, Found, Total> = (setup: Setup) => Work<Found, Total>;

/** How pieces are processed. */
export interface PoolOptions<Setup, Found, Total, Given extends PoolPiece = Piece> {
  /** The module that workers run; it calls `serveWork` with all makers. */
  readonly worker: URL;
  /** The name of the work among the worker's makers. */
  readonly name: string;
  readonly make: WorkMaker<Setup, Found, Total>;
  readonly setup: Setup;
  /** Creates the setup for workers, if it costs more than this thread needs. */
  readonly sent?: (() => Setup) | undefined;
  /** The maximum number of threads, including this one. */
  readonly threads: number;
  /**
   * The size of all pieces, Infinity if it is unknown; if given, a worker is started only after a warm-up, and only if it saves time. Of
   * an unknown size, as much is expected as has been given so far.
   */
  readonly bytes?: number | undefined;
  /**
   * Pieces after the warm-up are assigned round-robin to this many works, whatever the number of threads, so that sums
   * that depend on the order of additions don't depend on the threads. Without it, every thread has one work and takes the next piece when
   * it is free.
   */
  readonly lanes?: number | undefined;
  /** Receives the result of each piece, in order. */
  readonly onFound?: ((found: Found, piece: Given) => void | Promise<void>) | undefined;
  /** Throws the error of the first bad piece in the caller's form. Default: the error as it is. */
  readonly refuse?: ((error: unknown, piece: Given) => never) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The number of available cores. */
export const cores = (): number => Math.max(1, availableParallelism());

/** The number of pieces queued per worker, so that it does not wait for the reader. */
const WAITING = 3;

/**
 * The remaining work, in milliseconds of processor time, that justifies starting a worker. A worker loads code and model
 * again and its counts are merged, which takes up to 0.6 s of processor time; it should save more than that.
 */
const WORTH_A_WORKER = 1500;

/**
 * The number of pieces that this thread processes before it estimates the remaining work: the first ones include
 * compilation and the weights of most terms.
 */
const WARM_UP = 4;

/** The number of results per thread that may wait for an earlier, slow piece; beyond it the reader waits too. */
const AHEAD = 8;

/**
 * Processes all pieces, here and in workers; returns the totals in the order of lanes or threads. The error of the
 * first bad piece is thrown.
 */
export async function runPool<Setup, Found, Total, Given extends PoolPiece = Piece>(
  pieces: AsyncIterable<Given>,
  options: PoolOptions<Setup, Found, Total, Given>,
): Promise<Total[]> {
  const pool = new Pool(options as PoolOptions<Setup, Found, Total, PoolPiece>); // it hands back what it is given
  const { signal } = options;
  try {
    try {
      for await (const piece of pieces) {
        if (signal?.aborted) refuse('E_CANCELLED', 'the work was cancelled', {}, signal.reason);
        if (!(await pool.give(piece))) break;
      }
    } catch (error) {
      if (!signal?.aborted) await pool.settle(); // a piece before the failure may be bad; its error comes first
      throw error;
    }
    return await pool.end();
  } finally {
    await pool.close();
  }
}

/** A message to a worker. */
type Order<Setup> =
  | { readonly start: { readonly name: string; readonly setup: Setup } }
  | { readonly piece: SentPiece; readonly lane: number }
  | { readonly end: true };

/** A message from a worker. */
type Report<Found, Total> =
  | (Result<Found> & { readonly bytes: Uint8Array<ArrayBuffer> })
  | { readonly totals: readonly (readonly [lane: number, total: Total])[] };

/** The processor time of this process in milliseconds: other processes do not make work look larger. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

class Pool<Setup, Found, Total> {
  private readonly options: PoolOptions<Setup, Found, Total, PoolPiece>;
  private readonly here: Lanes<Setup, Found, Total>;
  /** Workers are started on demand. */
  private readonly workers: (BusyWorker<Setup, Found, Total> | undefined)[];
  private readonly found = new Map<number, { readonly piece: PoolPiece; readonly found: Found }>();
  private readonly failures = new Map<number, Failure>();
  private next = 0; // the first piece whose result has not been delivered
  private readonly places = new Map<number, number>(); // by lane: its worker, or −1 for this thread
  private given = 0; // bytes of all pieces so far
  private measured = 0; // pieces processed on this thread
  private pace = Number.POSITIVE_INFINITY; // their minimum processor time per byte
  private noted: () => void = () => undefined;

  constructor(options: PoolOptions<Setup, Found, Total, PoolPiece>) {
    this.options = options;
    this.here = new Lanes(options.make, options.setup);
    this.workers = Array.from({ length: options.threads - 1 }, () => undefined);
  }

  /** Processes a piece; returns false after a failure. */
  async give(piece: PoolPiece): Promise<boolean> {
    const { index } = piece;
    const { lanes, threads } = this.options;
    await this.until(index - AHEAD * threads);
    if (this.failures.size > 0) return false;
    const lane = lanes === undefined ? undefined : Math.max(0, index - WARM_UP + 1) % lanes;
    const place = 'tables' in piece ? -1 : this.placeFor(lane);
    if (!('tables' in piece)) this.given += bytesOf(piece).length;
    if (place >= 0 && !('tables' in piece)) {
      this.workers[place] ??= new BusyWorker(this.options);
      const worker = this.workers[place];
      await worker.until(WAITING);
      void worker.give(piece, lane ?? place + 1).then((result) => this.note(piece, result));
    } else {
      const start = processorTime();
      this.note(piece, this.here.take(piece, lane ?? 0));
      if (!('tables' in piece)) {
        this.measured++;
        this.pace = Math.min(this.pace, (processorTime() - start) / bytesOf(piece).length);
        piece.release?.();
      }
    }
    await this.handOn();
    return this.failures.size === 0;
  }

  /** The worker that owns a lane, or, without lanes, an idle one; −1 for this thread. */
  private placeFor(lane: number | undefined): number {
    if (lane === undefined) return this.freeOr(this.workers.findIndex((own) => !own || own.waiting < WAITING));
    const place = this.places.get(lane) ?? this.freeOr((lane % this.options.threads) - 1);
    this.places.set(lane, place);
    return place;
  }

  /** This worker if it has started or is worth starting, otherwise −1. */
  private freeOr(place: number): number {
    if (place < 0 || this.workers[place]) return place;
    const { bytes } = this.options;
    if (bytes === undefined) return this.measured > 0 ? place : -1;
    const rest = bytes === Number.POSITIVE_INFINITY ? this.given : bytes - this.given;
    return this.measured >= WARM_UP && rest * this.pace > WORTH_A_WORKER ? place : -1;
  }

  private get started(): BusyWorker<Setup, Found, Total>[] {
    return this.workers.filter((worker) => worker !== undefined);
  }

  /** Waits for all pieces, and throws the error of the first bad one. */
  async settle(): Promise<void> {
    await Promise.all(this.started.map((worker) => worker.until(1)));
    await this.handOn();
    const [first] = [...this.failures.keys()].sort((a, b) => a - b);
    if (first !== undefined) this.report(this.failures.get(first)!);
  }

  /** Waits for all pieces and collects the totals. */
  async end(): Promise<Total[]> {
    await this.settle();
    const totals = await Promise.all([this.here.end(false), ...this.started.map((worker) => worker.end())]);
    return totals
      .flat()
      .sort(([a], [b]) => a - b)
      .map(([, total]) => total);
  }

  /** Terminates the workers, which frees their memory for the caller. */
  async close(): Promise<void> {
    await Promise.all(this.started.map((worker) => worker.close()));
  }

  private report({ error, piece }: Failure): never {
    this.options.refuse?.(error, piece);
    throw error;
  }

  private note(piece: PoolPiece, result: Result<Found>): void {
    if ('error' in result) this.failures.set(piece.index, { piece, error: result.error });
    else this.found.set(piece.index, { piece, found: result.found });
    this.noted();
  }

  /** Waits until the results of all earlier pieces have been delivered, or a piece has failed. */
  private async until(index: number): Promise<void> {
    while (this.next < index && this.failures.size === 0) {
      // A result that arrived while a piece was read is already recorded: no further event would end the wait.
      if (!this.found.has(this.next)) {
        await new Promise<void>((resolve) => {
          this.noted = resolve;
        });
      }
      await this.handOn();
    }
  }

  private async handOn(): Promise<void> {
    for (let next = this.found.get(this.next); next; next = this.found.get(this.next)) {
      this.found.delete(this.next);
      await this.options.onFound?.(next.found, next.piece);
      this.next++;
    }
  }
}

interface Failure {
  readonly piece: PoolPiece;
  readonly error: unknown;
}

type Result<Found> = { readonly found: Found } | { readonly error: unknown };

/** The works of one thread's lanes. */
class Lanes<Setup, Found, Total> {
  private readonly works = new Map<number, Work<Found, Total>>();
  private reader: { readonly file: number; readonly blocks: BlockReader } | undefined;
  private readonly make: WorkMaker<Setup, Found, Total>;
  private readonly setup: Setup;

  constructor(make: WorkMaker<Setup, Found, Total>, setup: Setup) {
    this.make = make;
    this.setup = setup;
  }

  take(piece: PoolPiece, lane: number): Result<Found> {
    try {
      const work = this.works.get(lane) ?? this.make(this.setup);
      this.works.set(lane, work);
      return { found: work.take('tables' in piece ? piece.tables : this.read(piece)) };
    } catch (error) {
      return { error };
    }
  }

  private read(piece: SentPiece): Iterable<BlockTable> {
    if ('documents' in piece) return [documentTable(piece.documents)];
    const { file, layout, block } = piece;
    if (!this.reader || this.reader.file !== file) this.reader = { file, blocks: new BlockReader(layout) };
    return this.reader.blocks.read(block);
  }

  end(sent: boolean): (readonly [lane: number, total: Total])[] {
    return Array.from(this.works, ([lane, work]) => [lane, work.end(sent)] as const);
  }
}

/** A worker and its unfinished pieces. */
class BusyWorker<Setup, Found, Total> {
  waiting = 0;
  private readonly worker: Worker;
  private readonly results: { resolve(result: Result<Found>): void; readonly piece: SentPiece }[] = [];
  private readonly idle: (() => void)[] = [];
  private ended: ((totals: (readonly [number, Total])[]) => void) | undefined;
  private failed: ((error: unknown) => void) | undefined;
  /** Why the worker exited, if it has. */
  private death: { readonly error: unknown } | undefined;

  constructor({ worker, name, setup, sent }: PoolOptions<Setup, Found, Total, PoolPiece>) {
    this.worker = startWorker(worker, { resourceLimits: { maxYoungGenerationSizeMb: 8 } });
    this.worker.on('message', (report: Report<Found, Total>) => this.hear(report));
    this.worker.on('error', (error) => this.fail(error));
    this.worker.on('exit', (code) => this.fail(new Error(`a worker ended with ${code}`)));
    this.send({ start: { name, setup: sent?.() ?? setup } });
  }

  give(piece: SentPiece, lane: number): Promise<Result<Found>> {
    if (this.death) return Promise.resolve(this.death);
    this.waiting++;
    const { release: _, ...sent } = piece;
    this.send({ piece: sent, lane }, piece.release ? [bytesOf(piece).buffer] : []);
    return new Promise((resolve) => this.results.push({ resolve, piece }));
  }

  /** Waits until fewer than `most` pieces are unfinished. */
  async until(most: number): Promise<void> {
    while (this.waiting >= most) await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  end(): Promise<(readonly [lane: number, total: Total])[]> {
    if (this.death) return Promise.reject(this.death.error);
    this.send({ end: true });
    return new Promise((resolve, reject) => {
      this.ended = resolve;
      this.failed = reject;
    });
  }

  async close(): Promise<void> {
    this.worker.removeAllListeners('exit');
    await this.worker.terminate();
  }

  private send(order: Order<Setup>, transfer: readonly ArrayBuffer[] = []): void {
    this.worker.postMessage(order, transfer);
  }

  private hear(report: Report<Found, Total>): void {
    if ('totals' in report) this.ended?.([...report.totals]);
    else {
      this.results[0]?.piece.release?.(report.bytes);
      this.finish('error' in report ? { error: errorFrom(report.error) } : report);
    }
  }

  private finish(result: Result<Found>): void {
    this.waiting--;
    this.results.shift()?.resolve(result);
    for (const resolve of this.idle.splice(0)) resolve();
  }

  private fail(error: unknown): void {
    this.death ??= { error };
    this.failed?.(error);
    while (this.results.length > 0) this.finish({ error });
  }
}

/** Starts a worker. When running from sources, as in tests, the worker registers a loader of TypeScript first. */
export function startWorker(module: URL, options: WorkerOptions): Worker {
  if (!module.pathname.endsWith('.ts')) return new Worker(module, options);
  const code = `import('tsx/esm/api').then(({ register }) => { register(); return import('${module.href}'); })`;
  return new Worker(code, { ...options, eval: true });
}

/** The main loop of a worker: does the requested work until the end message. */
export function serveWork(
  port: NonNullable<typeof import('node:worker_threads').parentPort>,
  makers: Readonly<Record<string, WorkMaker<never, unknown, unknown>>>,
): void {
  let lanes: Lanes<never, unknown, unknown> | undefined;
  port.on('message', (order: Order<never>) => {
    if ('start' in order) lanes = new Lanes(makers[order.start.name], order.start.setup);
    else if ('piece' in order) {
      const result = lanes!.take(order.piece, order.lane);
      const bytes = bytesOf(order.piece); // returned, so that its memory is reused
      port.postMessage({ ...('error' in result ? { error: dataOf(result.error) } : result), bytes }, [bytes.buffer]);
    } else {
      const totals = lanes!.end(true);
      port.postMessage({ totals }, buffersOf(totals));
    }
  });
}

/** The buffers of all arrays in plain data, for transfer instead of copying. */
function buffersOf(data: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(data)) {
    const { buffer, byteLength } = data;
    return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []; // not a part of a larger buffer
  }
  if (typeof data !== 'object' || data === null) return [];
  return [...new Set(Object.values(data).flatMap(buffersOf))];
}

/** A `PolyaError` as plain data, with the properties of a subclass; other errors are cloned. */
function dataOf(error: unknown): unknown {
  if (!(error instanceof PolyaError)) return error;
  const { message, cause: _, ...more } = error;
  return { message, ...more };
}

function errorFrom(error: unknown): unknown {
  if (error instanceof Error) return error;
  const data = error as { code: ErrorCode; message: string; details: ErrorDetails };
  const { code, message, details, ...more } = data;
  return Object.assign(new PolyaError(code, message, details), more);
}
