import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { BlockReader } from '../data/block-reader.ts';
import type { Block, BlockLayout } from '../data/blocks.ts';
import type { BlockTable } from '../data/column-table.ts';
import { type ErrorCode, type ErrorDetails, PolyaError, refuse } from '../errors.ts';

/** Some rows to work on: a block of bytes with the layout of its file, or a table of a format that has no blocks. */
export type Piece = {
  readonly index: number;
  /** The number of its file among all files. */
  readonly file: number;
} & (
  | {
      readonly block: Block;
      readonly layout: BlockLayout;
      /**
       * Lets the memory of the block be used again: that of its bytes, or where these were transferred to a worker, of those that came
       * back. Workers have a copy of a block without it.
       */
      release?(bytes?: Uint8Array<ArrayBuffer>): void;
    }
  | { readonly tables: Iterable<BlockTable> }
);

type BlockPiece = Extract<Piece, { block: Block }>;

/** What is done with the pieces of a table, one after the other, in one thread. */
export interface Work<Found, Total> {
  /** Works on the tables of one piece. */
  take(tables: Iterable<BlockTable>): Found;
  /** What all pieces together gave; plain data if it is `sent` to another thread. */
  end(sent: boolean): Total;
}

/** Makes the work of a thread from plain data, which is all that can be sent to it. */
export type WorkMaker<Setup, Found, Total> = (setup: Setup) => Work<Found, Total>;

/** How pieces are worked on. */
export interface PoolOptions<Setup, Found, Total> {
  /** The module that workers run; it calls `serveWork` with all makers. */
  readonly worker: URL;
  /** The name of the work among the makers of the worker. */
  readonly name: string;
  readonly make: WorkMaker<Setup, Found, Total>;
  readonly setup: Setup;
  /** Makes the setup that workers get, where it takes more than this thread needs. */
  readonly sent?: (() => Setup) | undefined;
  /** The most threads, this one included. */
  readonly threads: number;
  /** The size of all pieces; with it a worker is started only if it saves time. */
  readonly bytes?: number | undefined;
  /**
   * Pieces are dealt to this many works in turn, whatever the number of threads, so that sums which depend on the order of additions do
   * not depend on the threads. Without it, every thread has one work and takes the next piece when it is free.
   */
  readonly lanes?: number | undefined;
  /** Receives what each piece gave, in the order of the pieces. */
  readonly onFound?: ((found: Found, piece: Piece) => void | Promise<void>) | undefined;
  /** Reports an error of the first bad piece in its own words. */
  readonly refuse?: ((error: unknown, piece: Piece) => never) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** As many threads as there are cores to run them. */
export const cores = (): number => Math.max(1, availableParallelism());

/** As many pieces wait for a worker, so that it does not wait for the reader. */
const WAITING = 3;

/**
 * What is left to do must take longer than this, in milliseconds, for a worker to be started. A worker loads code and model again and its
 * counts are merged, which takes up to 0.4 s of processor time.
 */
const WORTH_A_WORKER = 1500;

/** As many results per thread wait for that of a slow piece before them; then the reader waits too. */
const AHEAD = 8;

/** Works on all pieces, here and in workers; returns the totals in the order of lanes or threads. The first bad piece decides the error. */
export async function runPool<Setup, Found, Total>(
  pieces: AsyncIterable<Piece>,
  options: PoolOptions<Setup, Found, Total>,
): Promise<Total[]> {
  const pool = new Pool(options);
  const { signal } = options;
  try {
    try {
      for await (const piece of pieces) {
        if (signal?.aborted) refuse('E_CANCELLED', 'the work was cancelled', {}, signal.reason);
        if (!(await pool.give(piece))) break;
      }
    } catch (error) {
      if (!signal?.aborted) await pool.settle(); // a piece before the failure may be bad, and is then reported
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
  | { readonly piece: BlockPiece; readonly lane: number }
  | { readonly end: true };

/** A message from a worker. */
type Report<Found, Total> =
  | (Result<Found> & { readonly bytes: Uint8Array<ArrayBuffer> })
  | { readonly totals: readonly (readonly [lane: number, total: Total])[] };

class Pool<Setup, Found, Total> {
  private readonly options: PoolOptions<Setup, Found, Total>;
  private readonly here: Lanes<Setup, Found, Total>;
  /** Workers start when they are first needed. */
  private readonly workers: (BusyWorker<Setup, Found, Total> | undefined)[];
  private readonly found = new Map<number, { readonly piece: Piece; readonly found: Found }>();
  private readonly failures = new Map<number, Failure>();
  private next = 0; // the first piece whose result has not been handed on
  private readonly places = new Map<number, number>(); // by lane: its worker, or −1 for this thread
  private given = 0; // bytes of all pieces so far
  private pace = 0; // milliseconds for a byte of the last piece that was worked on here
  private noted: () => void = () => undefined;

  constructor(options: PoolOptions<Setup, Found, Total>) {
    this.options = options;
    this.here = new Lanes(options.make, options.setup);
    this.workers = Array.from({ length: options.threads - 1 }, () => undefined);
  }

  /** Has a piece worked on; false after a failure. */
  async give(piece: Piece): Promise<boolean> {
    const { index } = piece;
    const { lanes, threads } = this.options;
    await this.until(index - AHEAD * threads);
    if (this.failures.size > 0) return false;
    const lane = lanes === undefined ? undefined : index % lanes;
    const place = 'tables' in piece ? -1 : this.placeFor(lane);
    if ('block' in piece) this.given += piece.block.bytes.length;
    if (place >= 0 && 'block' in piece) {
      this.workers[place] ??= new BusyWorker(this.options);
      const worker = this.workers[place];
      await worker.until(WAITING);
      void worker.give(piece, lane ?? place + 1).then((result) => this.note(piece, result));
    } else {
      const start = performance.now();
      this.note(piece, this.here.take(piece, lane ?? 0));
      if ('block' in piece) {
        if (index > 0) this.pace = (performance.now() - start) / piece.block.bytes.length; // the first one waits for compilers
        piece.release?.();
      }
    }
    await this.handOn();
    return this.failures.size === 0;
  }

  /** The worker that owns a lane, or without lanes one that has time; −1 for this thread. */
  private placeFor(lane: number | undefined): number {
    if (lane === undefined) return this.freeOr(this.workers.findIndex((own) => !own || own.waiting < WAITING));
    const place = this.places.get(lane) ?? this.freeOr((lane % this.options.threads) - 1);
    this.places.set(lane, place);
    return place;
  }

  /** This worker if it has started or is worth starting, otherwise −1. */
  private freeOr(place: number): number {
    if (place < 0 || this.workers[place]) return place;
    const { bytes = Number.POSITIVE_INFINITY } = this.options;
    return (bytes - this.given) * this.pace > WORTH_A_WORKER ? place : -1;
  }

  private get started(): BusyWorker<Setup, Found, Total>[] {
    return this.workers.filter((worker) => worker !== undefined);
  }

  /** Waits for all pieces, and reports the first bad one. */
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

  /** Ends the workers. Their memory is free afterwards, which the caller may need. */
  async close(): Promise<void> {
    await Promise.all(this.started.map((worker) => worker.close()));
  }

  private report({ error, piece }: Failure): never {
    this.options.refuse?.(error, piece);
    throw error;
  }

  private note(piece: Piece, result: Result<Found>): void {
    if ('error' in result) this.failures.set(piece.index, { piece, error: result.error });
    else this.found.set(piece.index, { piece, found: result.found });
    this.noted();
  }

  /** Waits until the results of all pieces before this one have been handed on, or a piece has failed. */
  private async until(index: number): Promise<void> {
    while (this.next < index && this.failures.size === 0) {
      // A result that came while a piece was read was noted already: nobody would end a wait for it.
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
  readonly piece: Piece;
  readonly error: unknown;
}

type Result<Found> = { readonly found: Found } | { readonly error: unknown };

/** The works of the lanes of one thread. */
class Lanes<Setup, Found, Total> {
  private readonly works = new Map<number, Work<Found, Total>>();
  private reader: { readonly file: number; readonly blocks: BlockReader } | undefined;
  private readonly make: WorkMaker<Setup, Found, Total>;
  private readonly setup: Setup;

  constructor(make: WorkMaker<Setup, Found, Total>, setup: Setup) {
    this.make = make;
    this.setup = setup;
  }

  take(piece: Piece, lane: number): Result<Found> {
    try {
      const work = this.works.get(lane) ?? this.make(this.setup);
      this.works.set(lane, work);
      return { found: work.take('tables' in piece ? piece.tables : this.read(piece)) };
    } catch (error) {
      return { error };
    }
  }

  private read({ file, layout, block }: BlockPiece): Iterable<BlockTable> {
    if (!this.reader || this.reader.file !== file) this.reader = { file, blocks: new BlockReader(layout) };
    return this.reader.blocks.read(block);
  }

  end(sent: boolean): (readonly [lane: number, total: Total])[] {
    return Array.from(this.works, ([lane, work]) => [lane, work.end(sent)] as const);
  }
}

/** A worker with the pieces that it was given and has not finished. */
class BusyWorker<Setup, Found, Total> {
  waiting = 0;
  private readonly worker: Worker;
  private readonly results: { resolve(result: Result<Found>): void; readonly piece: BlockPiece }[] = [];
  private readonly idle: (() => void)[] = [];
  private ended: ((totals: (readonly [number, Total])[]) => void) | undefined;
  private failed: ((error: unknown) => void) | undefined;
  /** Why the worker ended, once it has. */
  private death: { readonly error: unknown } | undefined;

  constructor({ worker, name, setup, sent }: PoolOptions<Setup, Found, Total>) {
    this.worker = new Worker(builtFrom(worker), { resourceLimits: { maxYoungGenerationSizeMb: 8 } });
    this.worker.on('message', (report: Report<Found, Total>) => this.hear(report));
    this.worker.on('error', (error) => this.fail(error));
    this.worker.on('exit', (code) => this.fail(new Error(`a worker ended with ${code}`)));
    this.send({ start: { name, setup: sent?.() ?? setup } });
  }

  give(piece: BlockPiece, lane: number): Promise<Result<Found>> {
    if (this.death) return Promise.resolve(this.death);
    this.waiting++;
    const { index, file, block, layout } = piece;
    this.send({ piece: { index, file, block, layout }, lane }, piece.release ? [block.bytes.buffer] : []);
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

/** Where sources run, as in tests, workers run what was built from them. */
export function builtFrom(worker: URL): URL {
  const source = worker.href.endsWith('.ts');
  return source ? new URL(worker.href.replace(/\/src\/(.*)\.ts$/, '/dist/$1.js')) : worker;
}

/** What a worker does: the work that it is told to, until it is told to end. */
export function serveWork(
  port: NonNullable<typeof import('node:worker_threads').parentPort>,
  makers: Readonly<Record<string, WorkMaker<never, unknown, unknown>>>,
): void {
  let lanes: Lanes<never, unknown, unknown> | undefined;
  port.on('message', (order: Order<never>) => {
    if ('start' in order) lanes = new Lanes(makers[order.start.name], order.start.setup);
    else if ('piece' in order) {
      const result = lanes!.take(order.piece, order.lane);
      const { bytes } = order.piece.block; // goes back, so that its memory is used again
      port.postMessage({ ...('error' in result ? { error: dataOf(result.error) } : result), bytes }, [bytes.buffer]);
    } else {
      const totals = lanes!.end(true);
      port.postMessage({ totals }, buffersOf(totals));
    }
  });
}

/** The buffers of all arrays in plain data, which can be moved to another thread instead of being copied. */
function buffersOf(data: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(data)) {
    const { buffer, byteLength } = data;
    return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []; // not a part of a larger one
  }
  if (typeof data !== 'object' || data === null) return [];
  return [...new Set(Object.values(data).flatMap(buffersOf))];
}

/** A refusal as plain data, with what a subclass adds to it; other errors are cloned as they are. */
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
