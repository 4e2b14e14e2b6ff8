import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { refuse, show } from '../errors.ts';
import { makeApp } from './app.ts';
import { Datasets } from './datasets.ts';
import { Entry } from './http/entry.ts';
import { type Boundaries, Guard, isLoopback } from './http/guard.ts';
import { defaultLimits, type Limits } from './http/limits.ts';
import type { Log } from './http/log.ts';
import { Metrics } from './http/metrics.ts';
import { Pressure } from './http/pressure.ts';
import { SlowBodies } from './http/slow-bodies.ts';
import { Jobs } from './jobs/jobs.ts';
import { type Hire, Office } from './jobs/office.ts';
import { LearnLog } from './learn-log.ts';
import type { ModelStore } from './model-store.ts';
import { Remembered } from './remembered.ts';
import { Sampler } from './sampler.ts';
import type { Service, Trace } from './service.ts';

/** How a server is started. */
export interface ServerOptions extends Partial<Omit<Boundaries, 'port'>> {
  readonly store: ModelStore;
  /** 0 takes any free port. */
  readonly port?: number | undefined;
  /** Whether a port that is taken is refused; otherwise the next free one is taken. */
  readonly strictPort?: boolean | undefined;
  /** For the writer of several processes: the socket that it listens on, and the port by which clients call the others. */
  readonly behind?: { readonly socket: string; readonly port: Promise<number> } | undefined;
  /** For the writer: what the others count. */
  readonly otherMetrics?: (() => Promise<readonly (readonly object[])[]>) | undefined;
  /** For the others: the socket of the writer, to which all but predictions are forwarded. */
  readonly writer?: string | undefined;
  readonly limits?: Partial<Limits> | undefined;
  readonly log?: Log | undefined;
  /** Where long work is done. */
  readonly hire?: Hire | undefined;
  readonly version?: string | undefined;
  /** The share of predictions that are written to the log, without their content, from 0 to 1; none unless given. */
  readonly sample?: number | undefined;
  /** Called for every request, for traces. */
  readonly trace?: Trace | undefined;
}

/** A server that listens. */
export interface RunningServer {
  readonly url: string;
  readonly port: number;
  readonly store: ModelStore;
  /** Requests that are worked on. */
  readonly inFlight: () => number;
  /** What this process counts, as plain data. */
  metrics(): Promise<readonly object[]>;
  /** Stops accepting, finishes what is in flight, snapshots; done within the limit of time. */
  close(): Promise<void>;
}

const USUAL_PORT = 8787;
const PORTS_TRIED = 20;

/** Starts a server. An address that others can reach needs a token. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { store, host = '127.0.0.1', port = USUAL_PORT, token, log = () => undefined, version = '0' } = options;
  requireToken(host, token);
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const pressure = new Pressure(limits);
  const slow = new SlowBodies(limits);
  const entry = new Entry(limits, pressure, slow);
  const metrics = new Metrics(
    () => store,
    () => pressure.inFlight,
    options.otherMetrics,
  );
  const learnLog = new LearnLog(log);
  const office = new Office({ chairs: limits.waitingJobs, ...(options.hire && { hire: options.hire }) });
  const jobs = new Jobs(office, limits, log);
  const datasets = new Datasets(limits);
  let ready = false;
  const service: Service = {
    ...{ store, limits, log, learnLog, metrics, jobs, datasets, version },
    remembered: new Remembered(limits),
    trace: options.trace,
    sampler: new Sampler(options.sample ?? 0, log),
    ready: () => ready,
  };
  const app = await makeApp(service, entry, options.writer);
  const { behind } = options;
  const open = (own: number) => {
    entry.guard = new Guard({ host, port: own, hosts: options.hosts, origins: options.origins, token });
    return own;
  };
  const listening = behind
    ? await listenOn(app.server, behind.socket).then(() => behind.port.then(open, () => 0))
    : open(await listen(app.server, host, port, options.strictPort ?? false));
  pressure.start();
  ready = true;
  const close = async (): Promise<void> => {
    ready = false;
    jobs.close();
    await drain(app.server, limits.drainTime);
    await app.close();
    learnLog.flush();
    pressure.stop();
    slow.stop();
    await datasets.close();
    await store.close();
  };
  const shown = host.includes(':') ? `[${host}]` : host;
  const url = `http://${shown}:${listening}`;
  const count = () => metrics.registry.getMetricsAsJSON();
  return { url, port: listening, store, inFlight: () => pressure.inFlight, metrics: count, close };
}

function requireToken(host: string, token: string | undefined): void {
  if (isLoopback(host) || (token !== undefined && token.length >= 16)) return;
  const advice = 'so clients must know a token of 16 characters or more; set POLYA_TOKEN';
  refuse('E_USAGE', `others can reach ${show(host)}, ${advice}`, { host });
}

/** Listens on a port, or on the next free one. */
async function listen(server: Server, host: string, port: number, strict: boolean): Promise<number> {
  const last = strict || port === 0 ? port : Math.min(65_535, port + PORTS_TRIED - 1);
  for (let own = port; ; own++) {
    try {
      return await listenOn(server, host, own);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === 'EADDRINUSE' && own < last) continue;
      const reason = code === 'EADDRINUSE' ? 'it is taken' : String(code);
      refuse(
        'E_IO',
        `cannot listen on ${host}:${own}: ${reason}; choose another with --port`,
        { reason: String(code) },
        cause,
      );
    }
  }
}

/** Stops accepting and waits for requests in flight; connections that take longer than `time` are cut. */
async function drain(server: Server, time: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), time);
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  await new Promise<void>((closed) => {
    server.close(() => closed());
  });
  clearTimeout(cut);
  clearInterval(idle);
}

/** Listens on a port of an address, or on a socket, and returns the port. */
function listenOn(server: Server, host: string, port?: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const done = () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    };
    server.once('error', reject);
    if (port === undefined) server.listen(host, done);
    else server.listen(port, host, done);
  });
}
