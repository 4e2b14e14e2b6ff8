import { Datasets } from './datasets.ts';
import { Entry } from './http/entry.ts';
import type { Boundaries } from './http/guard.ts';
import { defaultLimits, type Limits } from './http/limits.ts';
import type { Log } from './http/log.ts';
import { Metrics } from './http/metrics.ts';
import { Jobs } from './jobs/jobs.ts';
import { type StartThread, TaskPool } from './jobs/pool.ts';
import type { ModelStore } from './model-store.ts';
import { Remembered } from './remembered.ts';
import { LearnLog, Sampler } from './request-log.ts';

/** A request that was routed, with its W3C trace context (https://www.w3.org/TR/trace-context, 2021). */
export interface TracedRequest {
  readonly id: string;
  readonly method: string;
  /** The pattern of the address, such as `/v1/models/:model/predict`. */
  readonly route: string;
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
}

/** Called when a request was routed; what it returns is called when the response was sent. */
export type Trace = (request: TracedRequest) => (response: { readonly status: number }) => void;

/** How a server listens, and what it reports. */
export interface ListenOptions extends Partial<Omit<Boundaries, 'port'>> {
  /** The port, or the next free one; 0 takes any free port. Default: 8787. */
  readonly port?: number | undefined;
  /** Fail if the port is taken. Default: false. */
  readonly strictPort?: boolean | undefined;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<Limits> | undefined;
  /** The share of predictions to log, without their content, from 0 to 1. Default: 0. */
  readonly sample?: number | undefined;
  /** Called for every request, for traces such as those of OpenTelemetry. Default: none. */
  readonly trace?: Trace | undefined;
  /** Called with every event. Default: no log. */
  readonly log?: Log | undefined;
}

/** Options of a server process. */
export interface ServerOptions extends ListenOptions {
  readonly store: ModelStore;
  /** For the writer of several processes: the socket to listen on, and the port by which clients call the others. */
  readonly behind?: { readonly socket: string; readonly port: Promise<number> } | undefined;
  /** For the writer: the metrics of the others. */
  readonly otherMetrics?: (() => Promise<readonly (readonly object[])[]>) | undefined;
  /** For the others: the socket of the writer, to which all but predictions are forwarded. */
  readonly writer?: string | undefined;
  /** Starts the thread of a task; tasks run in this thread if it returns none. */
  readonly startThread?: StartThread | undefined;
  readonly version?: string | undefined;
}

/** What routes work with. */
export class Service {
  readonly store: ModelStore;
  readonly limits: Limits;
  readonly log: Log;
  readonly version: string;
  readonly trace: Trace | undefined;
  readonly entry: Entry;
  readonly metrics: Metrics;
  readonly learnLog: LearnLog;
  readonly sampler: Sampler;
  readonly jobs: Jobs;
  readonly datasets: Datasets;
  readonly remembered: Remembered;
  /** Whether requests are accepted: models are loaded, and the server is not closing. */
  ready = false;

  constructor(options: ServerOptions) {
    const { store, log = () => undefined, version = '0', trace, sample = 0, otherMetrics, startThread } = options;
    this.store = store;
    this.limits = { ...defaultLimits, ...options.limits };
    this.log = log;
    this.version = version;
    this.trace = trace;
    this.entry = new Entry(this.limits);
    this.metrics = new Metrics(store, () => this.entry.inFlight, otherMetrics);
    this.learnLog = new LearnLog(log);
    this.sampler = new Sampler(sample, log);
    this.jobs = new Jobs(new TaskPool({ queue: this.limits.waitingJobs, startThread }), this.limits, log);
    this.datasets = new Datasets(this.limits);
    this.remembered = new Remembered(this.limits);
  }

  /** Ends what runs beside requests, and closes the store. */
  async close(): Promise<void> {
    this.learnLog.flush();
    this.entry.stop();
    await this.datasets.close();
    await this.store.close();
  }
}
