import type { Datasets } from './datasets.ts';
import type { Limits } from './http/limits.ts';
import type { Log } from './http/log.ts';
import type { Metrics } from './http/metrics.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { LearnLog } from './learn-log.ts';
import type { ModelStore } from './model-store.ts';
import type { Remembered } from './remembered.ts';
import type { Sampler } from './sampler.ts';

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

/** All that routes work with. */
export interface Service {
  readonly store: ModelStore;
  readonly limits: Limits;
  readonly log: Log;
  readonly learnLog: LearnLog;
  readonly metrics: Metrics;
  readonly jobs: Jobs;
  readonly datasets: Datasets;
  readonly remembered: Remembered;
  readonly sampler: Sampler;
  /** Whether requests are welcome: models are loaded, and nobody has asked the server to end. */
  readonly ready: () => boolean;
  readonly version: string;
  readonly trace?: Trace | undefined;
}
