import type { Datasets } from './datasets.ts';
import type { Limits } from './http/limits.ts';
import type { Log } from './http/log.ts';
import type { Metrics } from './http/metrics.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { LearnLog } from './learn-log.ts';
import type { ModelStore } from './model-store.ts';
import type { Remembered } from './remembered.ts';
import type { Sampler } from './sampler.ts';

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
}
