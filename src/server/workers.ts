import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ErrorCode, PolyaError, refuse } from '../errors.ts';
import type { Facts, Level, Log } from './http/log.ts';
import { TurnQueue } from './http/slices.ts';
import { serveModel } from './model/served-model.ts';
import type { Change, Learned, ModelStore, Served, VersionEntry } from './model-store.ts';
import { type RunningServer, type ServerOptions, startServer } from './server.ts';

/*
 * Several processes on one port. The first one, the writer, owns the store: it learns, and publishes what became durable. The others hold
 * copies of the models, answer predictions from them and forward everything else to the writer over a socket. A copy applies the same
 * changes in the same order, so that it is the model of the version that it names.
 */

/** Options of a server that can be sent to another process. */
type PlainOptions = Omit<ServerOptions, 'store' | 'log' | 'hire' | 'trace' | 'behind'>;

/** What the writer sends to a worker. */
type ToWorker =
  | { readonly kind: 'start'; readonly options: PlainOptions; readonly models: readonly Change[] }
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

/** The environment variable that tells a process that it is a worker. */
export const WORKER_VARIABLE = 'POLYA_WORKER';

/** Milliseconds before a worker that ended is replaced. */
const RESTART_AFTER = 500;

/** Starts a server of several processes; the program is run again for each of them, with `WORKER_VARIABLE` set. */
export async function startWorkers(options: ServerOptions, count: number): Promise<RunningServer> {
  const { store, log = () => undefined, hire: _, trace: __, ...plain } = options;
  const folder = await mkdtemp(join(tmpdir(), 'polya-workers-'));
  const socket = join(folder, 'writer.sock');
  let known: (port: number) => void = () => undefined;
  const port = new Promise<number>((resolve) => {
    known = resolve;
  });
  cluster.setupPrimary({ serialization: 'advanced' });
  const ready = new Set<Worker>();
  const changes = new TurnQueue<Change>((all) => {
    for (const worker of ready) if (worker.isConnected()) worker.send({ kind: 'changes', changes: all });
  });
  store.onChange = (change) => changes.add(change);
  let closing = false;
  let again: PlainOptions | undefined;
  const start = async (own: PlainOptions): Promise<number> => {
    const worker = cluster.fork({ [WORKER_VARIABLE]: '1' });
    worker.on('exit', () => {
      if (!ready.delete(worker) || closing) return;
      log('warn', 'worker', { text: 'a worker ended and is replaced' });
      setTimeout(() => {
        start(again ?? own).catch((cause) => log('error', 'worker', { text: `no worker starts: ${cause.message}` }));
      }, RESTART_AFTER);
    });
    await once(worker, 'message'); // that it listens to messages
    const models = store
      .list()
      .map(({ name, version, model }) => ({ kind: 'model', name, version, bytes: model.toBytes() }));
    worker.send({ kind: 'start', options: own, models });
    ready.add(worker); // changes from now on follow the models
    return answerOf(worker, log);
  };
  const otherMetrics = () => Promise.all(Array.from(ready, metricsOf));
  const writer = startServer({ ...options, behind: { socket, port }, otherMetrics });
  writer.catch(() => undefined); // it is awaited below
  const stop = async (): Promise<void> => {
    closing = true;
    const ended = [...ready].map(async (worker) => {
      const exit = once(worker, 'exit');
      if (worker.isConnected()) worker.send({ kind: 'close' });
      await exit;
    });
    await Promise.all(ended);
    await writer.then(
      (own) => own.close(),
      () => undefined,
    );
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const own = { ...plain, writer: socket };
    const first = await start(own);
    known(first);
    const same = { ...own, port: options.port === 0 ? 0 : first, strictPort: true }; // 0 is the same port in all workers
    again = same;
    await Promise.all(Array.from({ length: count - 1 }, () => start(same)));
    const { inFlight } = await writer;
    const host = options.host ?? '127.0.0.1';
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${first}`;
    return { url, port: first, store, inFlight, metrics: async () => [], close: stop };
  } catch (cause) {
    known(0);
    await stop();
    throw cause;
  }
}

/** The port that a worker listens on; refuses with what the worker refuses. Later messages of it are log events. */
function answerOf(worker: Worker, log: Log): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'listening') resolve(message.port);
      else if (message.kind === 'failed') reject(new PolyaError(message.code, message.message));
      else if (message.kind === 'log') log(message.level, message.event, message.facts);
    });
    worker.on('exit', () => reject(new PolyaError('E_IO', 'a worker ended before it listened', {})));
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
    worker.send({ kind: 'metrics' }, (failed) => failed && end([]));
  });
}

/** What a worker does: serves copies of the models until the writer ends it, or is gone. */
export async function runWorker(): Promise<number> {
  const send = (message: FromWorker) => void process.send?.(message);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined); // the writer gets them too
  const copies = new Copies();
  let server: RunningServer | undefined;
  const start = async (options: PlainOptions): Promise<void> => {
    const log: Log = (level, event, facts = {}) => send({ kind: 'log', level, event, facts });
    try {
      server = await startServer({ ...options, store: copies, log });
      send({ kind: 'listening', port: server.port });
    } catch (cause) {
      const { code, message } = cause as PolyaError;
      send({ kind: 'failed', code, message });
    }
  };
  return new Promise((resolve) => {
    const end = () => void Promise.resolve(server?.close()).then(() => resolve(0));
    process.on('disconnect', end);
    process.on('message', (message: ToWorker) => {
      if (message.kind === 'close') return process.disconnect();
      if (message.kind === 'metrics') {
        return void server?.metrics().then((metrics) => send({ kind: 'metrics', metrics }));
      }
      copies.apply(message.kind === 'start' ? message.models : message.changes);
      if (message.kind === 'start') void start(message.options);
    });
    send({ kind: 'online' });
  });
}

/** Copies of models that follow a writer. What changes a model is forwarded before it gets here. */
export class Copies implements ModelStore {
  readonly state = 'ready';
  private readonly models = new Map<string, Served>();

  /** Applies changes in order; rows for one model that follow each other at once. */
  apply(changes: readonly Change[]): void {
    for (let k = 0; k < changes.length; k++) {
      const change = changes[k];
      const { name } = change;
      if (change.kind === 'removed') this.models.delete(name);
      else if (change.kind === 'model') {
        this.models.set(name, { name, version: change.version, model: serveModel(change.bytes) });
      } else {
        const served = this.models.get(name);
        if (!served || change.version <= served.version) continue; // the copy was made after it
        const examples = [...change.examples];
        let { version } = change;
        for (; change.kind === 'learn'; k++) {
          const next = changes[k + 1];
          if (next?.kind !== 'learn' || next.name !== name) break;
          for (const example of next.examples) examples.push(example);
          version = next.version;
        }
        served.model[change.kind](examples, false);
        this.models.set(name, { ...served, version });
      }
    }
  }

  list(): readonly Served[] {
    return [...this.models.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  get(name: string): Served | undefined {
    return this.models.get(name);
  }

  put = refuseChange;
  remove = refuseChange;
  learn = refuseChange<Learned>;
  unlearn = refuseChange<Learned>;
  snapshot = refuseChange;
  rollback = refuseChange<Served>;
  read = refuseChange<Uint8Array>;

  versions(): readonly VersionEntry[] {
    return refuse('E_CONFLICT', 'only the writer knows the versions');
  }

  async close(): Promise<void> {
    this.models.clear();
  }
}

async function refuseChange<T = never>(): Promise<T> {
  return refuse('E_CONFLICT', 'only the writer changes models');
}
