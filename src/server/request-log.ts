import type { Log } from './http/log.ts';
import { TokenBucket } from './http/token-bucket.ts';
import type { Instance } from './model/instances.ts';
import type { Prediction } from './model/predictions.ts';
import type { Learned, Served } from './store/records.ts';

/** Requests to learn one model within a second. */
interface Period {
  rows: number;
  requests: number;
  from: number;
  to: number;
  accuracy: number | null | undefined;
}

/** Milliseconds between two log lines about one model. */
const EVERY = 1000;

/** Logs what was learned: one line per second and model, however many requests there were. */
export class LearnLog {
  private readonly log: Log;
  private readonly periods = new Map<string, Period>();
  private timer: NodeJS.Timeout | undefined;

  constructor(log: Log) {
    this.log = log;
  }

  /** Notes an acknowledged request. */
  note(verb: string, model: string, { version, rows, prequential }: Learned): void {
    const key = `${verb} ${model}`;
    let period = this.periods.get(key);
    if (!period) {
      period = { rows: 0, requests: 0, from: version - 1, to: version, accuracy: undefined };
      this.periods.set(key, period);
    }
    period.rows += rows;
    period.requests++;
    period.to = Math.max(period.to, version);
    period.accuracy = prequential?.window.accuracy;
    this.timer ??= setTimeout(() => this.flush(), EVERY).unref();
  }

  /** Writes what has not been written yet. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const [key, { accuracy, ...facts }] of this.periods) {
      const [verb, model] = key.split(' ');
      this.log('info', verb, { model, ...facts, ...(typeof accuracy === 'number' && { accuracy }) });
    }
    this.periods.clear();
  }
}

/** Lines that are written per second at most. */
const LINES_PER_SECOND = 100;

/**
 * Logs a sample of all predictions, without the content of requests: class, probability, and the share of distinct terms that the model
 * does not know. A change of these over days is drift.
 */
export class Sampler {
  private readonly share: number;
  private readonly log: Log;
  private readonly bucket = new TokenBucket(LINES_PER_SECOND, LINES_PER_SECOND);

  /** `share` of all predictions, from 0 to 1. */
  constructor(share: number, log: Log) {
    this.share = share;
    this.log = log;
  }

  note({ name, version, model }: Served, instance: Instance, { label, probability }: Prediction): void {
    if (this.share <= 0 || Math.random() >= this.share) return;
    if (this.bucket.take(1, performance.now()) === 0) return;
    this.log('info', 'sample', { model: name, version, label, probability, unseen: model.unseen(instance) });
  }
}
