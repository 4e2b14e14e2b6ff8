import type { Log } from './http/log.ts';
import type { Learned } from './model-store.ts';

interface Stretch {
  rows: number;
  requests: number;
  from: number;
  to: number;
  accuracy: number | undefined;
}

const EVERY = 1000;

/** Writes down what was learned: one line a second for each model, however many requests there were. */
export class LearnLog {
  private readonly log: Log;
  private readonly stretches = new Map<string, Stretch>();
  private timer: NodeJS.Timeout | undefined;

  constructor(log: Log) {
    this.log = log;
  }

  /** Notes an acknowledged request. */
  note(verb: string, model: string, { version, rows, prequential }: Learned): void {
    const key = `${verb} ${model}`;
    const own = this.stretches.get(key);
    const accuracy = prequential?.window.accuracy;
    if (own)
      Object.assign(own, {
        rows: own.rows + rows,
        requests: own.requests + 1,
        to: Math.max(own.to, version),
        accuracy,
      });
    else this.stretches.set(key, { rows, requests: 1, from: version - 1, to: version, accuracy });
    this.timer ??= setTimeout(() => this.flush(), EVERY).unref();
  }

  /** Writes what has not been written yet. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const [key, { accuracy, ...facts }] of this.stretches) {
      const [verb, model] = key.split(' ');
      this.log('info', verb, { model, ...facts, ...(Number.isFinite(accuracy) && { accuracy }) });
    }
    this.stretches.clear();
  }
}
