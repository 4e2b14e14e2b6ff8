import { randomBytes } from 'node:crypto';
import type { Label } from '../data/labels.ts';
import { refuse } from '../errors.ts';
import type { Limits } from './http/limits.ts';
import type { Instance } from './model/instances.ts';

/** A prediction that feedback may refer to. */
interface RememberedPrediction {
  readonly model: string;
  readonly instance: Instance;
  readonly label: Label;
  readonly probability: number;
}

/** A remembered prediction without feedback. */
interface OpenPrediction extends RememberedPrediction {
  readonly id: string;
}

/** The latest predictions that clients asked to remember, limited by number and by bytes. */
export class Remembered {
  private readonly limits: Limits;
  private readonly start = randomBytes(9).toString('hex');
  private readonly predictions = new Map<string, RememberedPrediction & { readonly bytes: number; settled?: true }>();
  private count = 0;
  private bytes = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /** Remembers a prediction and returns its id. */
  add(prediction: RememberedPrediction): string {
    const id = `p-${this.start}-${(++this.count).toString(36).padStart(8, '0')}`;
    const bytes = 2 * JSON.stringify(prediction.instance).length;
    this.predictions.set(id, { ...prediction, bytes });
    this.bytes += bytes;
    for (const [oldest, own] of this.predictions) {
      if (this.predictions.size <= this.limits.remembered && this.bytes <= this.limits.rememberedBytes) break;
      this.predictions.delete(oldest);
      this.bytes -= own.bytes;
    }
    return id;
  }

  /** The least certain predictions below a probability that have no feedback yet. */
  open(model: string, below: number, limit: number): OpenPrediction[] {
    return [...this.predictions]
      .filter(([, own]) => own.model === model && !own.settled && own.probability < below)
      .map(([id, { instance, label, probability }]) => ({ id, model, instance, label, probability }))
      .sort((a, b) => a.probability - b.probability)
      .slice(0, limit);
  }

  /** Notes that feedback on a prediction was learned. */
  settle(id: string): void {
    const own = this.predictions.get(id);
    if (own) own.settled = true;
  }

  /** The prediction of an id. */
  get(model: string, id: string): RememberedPrediction {
    const found = this.predictions.get(id);
    if (found?.model === model) return found;
    return refuse('E_NOT_FOUND', 'no prediction of this id is remembered; send the example to learn', {
      pointer: '/id',
    });
  }
}
