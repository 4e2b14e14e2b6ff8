import { PolyaError, refuse } from '../../errors.ts';
import type { Example } from '../model/served-model.ts';
import type { StoredModel } from './contents.ts';
import type { LearnRecord, Verb } from './records.ts';

/** Rows that were learned one by one are learned again this many at a time: the counts are the same at a third of the cost. */
const BATCH_ROWS = 16_384;

/** Applies records that a model does not contain yet, in their order. */
export class Learner {
  private readonly own: StoredModel;
  private version: number;
  private rows: Example[] = [];

  constructor(own: StoredModel) {
    this.own = own;
    this.version = own.served.version;
  }

  take({ kind, examples, version }: LearnRecord): void {
    if (version <= this.version) return;
    this.version = version;
    if (kind === 'unlearn') {
      this.learn();
      this.apply('unlearn', examples);
      return;
    }
    for (const example of examples) this.rows.push(example);
    if (this.rows.length >= BATCH_ROWS) this.learn();
  }

  /** Applies what is left; the model is then at the version of the last record. */
  finish(): void {
    this.learn();
    this.own.serve(this.own.served.model, this.version);
  }

  private learn(): void {
    const { rows } = this;
    this.rows = [];
    if (rows.length > 0) this.apply('learn', rows);
  }

  /** What was accepted once is accepted again, unless file and records do not belong together. */
  private apply(kind: Verb, examples: readonly Example[]): void {
    const { name, model } = this.own.served;
    try {
      model[kind](examples, false); // they were checked before they were acknowledged
    } catch (cause) {
      if (!(cause instanceof PolyaError)) throw cause;
      const sentence = `the log does not fit the model ${name}: ${cause.message}`;
      refuse('E_STORE_CORRUPT', sentence, { model: name, code: cause.code }, cause);
    }
  }
}
