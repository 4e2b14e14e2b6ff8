import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ErrorCode, PolyaError } from '../errors.ts';
import { bracketed } from './http/guard.ts';
import type { Facts, Level, Log } from './http/log.ts';
import { MemoryStore } from './memory-store.ts';
import { type RunningServer, startServer } from './server.ts';
import type { ServerOptions } from './service.ts';
import type { Change } from './store/records.ts';
import { TurnQueue } from './turn-queue.ts';

/*
 * Several processes on one port. The first one, the writer, owns the store: it learns, and publishes what became durable. The others hold
 * copies of the models, answer predictions from them and forward everything else to the writer over a socket. A copy applies the same
 * changes in the same order, so that it is the model of the version that it names.
 */

/** Options of a server that can be sent to another process. */
type PlainOptions = Omit<ServerOptions, 'store' | 'log' | 'startThread' | 'trace' | 'behind' | 'otherMetrics'>;

/** What the writer sends to a worker. */
type ToWorker =
  | { readonly kind: 'start'; readonly options: PlainOptions; readonly changes: readonly Change[] }
  | { readonly kind: 'changes'; readonly changes: readonly Change[] }
  | { readonly kind: 'metrics' }
  | { readonly kind: 'close' };

/** What a worker sends to the writer. */
type FromWorker =
  | { readonly kind: 'online' }
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
  | { readonly kind: 'metrics'; readonly metrics: readonly object[] }
  | { readonly kind: 'log'; readonly level: Level; readonly event: string; readonly facts: Facts };

/** The environment variable that makes a process a worker. */
export const WORKER_VARIABLE = 'POLYA_WORKER';

/** Milliseconds before a worker that ended is replaced. */
const RESTART_AFTER = 500;

/** Starts a server of several processes; the program is run again for each of them, with `WORKER_VARIABLE` set. */
export async function startWorkers(options: ServerOptions, count: number): Promise<RunningServer> {
  const { store, log = () => undefined, startThread: _, trace: __, ...plain } = options;
  const folder = await mkdtemp(join(tmpdir(), 'polya-workers-'));
  const socket = join(folder, 'writer.sock');
  let known: (port: number) => void = () => undefined;
  const port = new Promise<number>((resolve) => {
    known = resolve;
  });
  cluster.setupPrimary({ serialization: 'advanced' });
  const workers = new Set<Worker>();
  const changes = new TurnQueue<Change>((all) => {
    for (const worker of workers) send(worker, { kind: 'changes', changes: all });
  });
  store.onChange = (change) => changes.add(change);
  let closing = false;
  let own: PlainOptions = { ...plain, writer: socket };
  const start = async (): Promise<number> => {
    const worker = cluster.fork({ [WORKER_VARIABLE]: '1' });
    closeOnExit(worker);
    const listening = portOf(worker, log, () => {
      const models = store.list().map(({ name, version, model }) => {
        return { kind: 'model', model: name, version, bytes: model.toBytes() } as const;
      });
      send(worker, { kind: 'start', options: own, changes: models });
      workers.add(worker); // changes from now on follow the models
    });
    worker.on('exit', () => workers.delete(worker));
    try {
      const found = await listening;
      worker.on('exit', replace);
      return found;
    } catch (cause) {
      worker.kill();
      throw cause;
    }
  };
  const replace = () => {
    if (closing) return;
    log('warn', 'worker', { text: 'a worker ended and is replaced' });
    setTimeout(() => {
      if (!closing) start().catch(replace);
    }, RESTART_AFTER);
  };
  const otherMetrics = () => Promise.all(Array.from(workers, metricsOf));
  const writer = startServer({ ...options, behind: { socket, port }, otherMetrics });
  writer.catch(() => undefined); // it is awaited below
  const stop = async (): Promise<void> => {
    closing = true;
    const ended = Array.from(workers, async (worker) => {
      const exit = once(worker, 'exit');
      send(worker, { kind: 'close' });
      await exit;
    });
    await Promise.all(ended);
    await writer.then(
      (server) => server.close(),
      () => undefined,
    );
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const first = await start();
    known(first);
    own = { ...own, port: options.port === 0 ? 0 : first, strictPort: true }; // 0 is the same port in all workers
    await Promise.all(Array.from({ length: count - 1 }, start));
    const { inFlight } = await writer;
    const url = `http://${bracketed(options.host ?? '127.0.0.1')}:${first}`;
    return { url, port: first, store, inFlight, metrics: async () => [], close: stop };
  } catch (cause) {
    known(0);
    await stop();
    throw cause;
  }
}

function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message);
}

/**
 * Node hands connections to workers one at a time, and keeps its own copy open until the worker has accepted. If the worker dies before
 * that, Node never closes its copy, and the client would wait forever.
 */
function closeOnExit({ process: own }: Worker): void {
  let latest: { close?(): void } | undefined;
  const sendMessage = own.send.bind(own) as (...values: unknown[]) => boolean;
  own.send = (...values: unknown[]) => {
    if (typeof values[1] === 'object' && values[1] !== null) latest = values[1];
    return sendMessage(...values);
  };
  own.on('exit', () => latest?.close?.());
}

/** The port that a worker listens on; refuses with what the worker refuses. `online` is called when the worker receives messages. */
function portOf(worker: Worker, log: Log, online: () => void): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'online') online();
      else if (message.kind === 'listening') resolve(message.port);
      else if (message.kind === 'failed') reject(new PolyaError(message.code, message.message));
      else if (message.kind === 'log') log(message.level, message.event, message.facts);
    });
    worker.on('exit', () => reject(new PolyaError('E_IO', 'a worker process exited before it was listening', {})));
  });
}

/** The metrics of a worker; none if it does not answer in time. */
function metricsOf(worker: Worker): Promise<readonly object[]> {
  return new Promise((resolve) => {
    const end = (metrics: readonly object[]) => {
      clearTimeout(timer);
      worker.off('message', take);
      resolve(metrics);
    };
    const take = (message: FromWorker) => {
      if (message.kind === 'metrics') end(message.metrics);
    };
    const timer = setTimeout(() => end([]), 1000);
    worker.on('message', take);
    send(worker, { kind: 'metrics' });
  });
}

/** Serves copies of the models in a worker until the writer ends. */
export async function runWorker(): Promise<number> {
  const reply = (message: FromWorker) => void process.send?.(message);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined); // the writer gets them too
  const copies = new MemoryStore();
  const log: Log = (level, event, facts = {}) => reply({ kind: 'log', level, event, facts });
  let server: RunningServer | undefined;
  const start = async (options: PlainOptions): Promise<void> => {
    try {
      server = await startServer({ ...options, store: copies, log });
      reply({ kind: 'listening', port: server.port });
    } catch (cause) {
      const { code, message } = cause as PolyaError;
      reply({ kind: 'failed', code, message });
    }
  };
  return new Promise((resolve) => {
    process.on('disconnect', () => void Promise.resolve(server?.close()).then(() => resolve(0)));
    process.on('message', (message: ToWorker) => {
      if (message.kind === 'close') return process.disconnect();
      if (message.kind === 'metrics') {
        return void server?.metrics().then((metrics) => reply({ kind: 'metrics', metrics }));
      }
      copies.apply(message.changes);
      if (message.kind === 'start') void start(message.options);
    });
    reply({ kind: 'online' });
  });
}
