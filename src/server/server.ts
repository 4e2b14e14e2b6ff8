import type { Server } from 'node:http';
import { refuse, show } from '../errors.ts';
import { makeApp } from './app.ts';
import { bracketed, Guard, isLoopback } from './http/guard.ts';
import { listen, listenOn } from './http/listen.ts';
import type { ModelStore } from './model-store.ts';
import { type ServerOptions, Service } from './service.ts';

/** A server that listens. */
export interface PolyaServer {
  readonly url: string;
  readonly port: number;
  /** Requests that are being handled. */
  inFlight(): number;
  /** Stops accepting, finishes requests in flight, writes snapshots; done within the limit of time. */
  close(): Promise<void>;
}

/** A server with what the command and other processes need. */
export interface RunningServer extends PolyaServer {
  readonly store: ModelStore;
  /** The metrics of this process, as plain data. */
  metrics(): Promise<readonly object[]>;
}

const DEFAULT_PORT = 8787;

/** Starts a server. An address that others can reach needs a token. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { store, host = '127.0.0.1', port = DEFAULT_PORT, hosts, origins, token, behind } = options;
  if (!isLoopback(host) && (token === undefined || token.length < 16)) {
    const advice = 'so clients must send a token of 16 characters or more; set POLYA_TOKEN';
    refuse('E_USAGE', `${show(host)} is reachable from other machines, ${advice}`, { host });
  }
  const service = new Service(options);
  const { entry, limits, metrics, jobs } = service;
  const app = await makeApp(service, options.writer);
  const open = (own: number) => {
    entry.guard = new Guard({ host, port: own, hosts, origins, token });
    return own;
  };
  const listening = behind
    ? await listenOn(app.server, behind.socket).then(() => behind.port.then(open, () => 0))
    : open(await listen(app.server, host, port, options.strictPort ?? false));
  service.ready = true;
  const close = async (): Promise<void> => {
    service.ready = false;
    jobs.close();
    await drain(app.server, limits.drainTime);
    await app.close();
    await service.close();
  };
  const url = `http://${bracketed(host)}:${listening}`;
  const count = () => metrics.registry.getMetricsAsJSON();
  return { url, port: listening, store, inFlight: () => entry.inFlight, metrics: count, close };
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
