import type { Log } from './http/log.ts';
import { TokenBucket } from './http/token-bucket.ts';
import type { Instance } from './model/instances.ts';
import type { Prediction } from './model/predictions.ts';
import type { Served } from './model-store.ts';

/** Lines that are written per second at most. */
const LINES_PER_SECOND = 100;

/**
 * Writes a sample of all predictions to the log, without the content of requests: class, probability, and the share of distinct terms that the
 * model does not know. What changes over days there is the drift of the data.
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
