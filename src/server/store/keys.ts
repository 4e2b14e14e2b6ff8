import { refuse } from '../../errors.ts';
import type { Learned, LearnOptions } from '../model-store.ts';
import type { Record, SavedAnswer, Verb } from './record.ts';
import { repeatedAnswer } from './record.ts';

/** What a key was used for. */
interface Use {
  readonly hash: string;
  readonly rows: number;
  readonly version: number;
  readonly answer: SavedAnswer | undefined;
  /** When it is on stable storage; undefined when it has been for long. */
  readonly stored: Promise<unknown> | undefined;
}

/** A use as the journal keeps it. */
export type SavedUse = readonly [name: string, use: Omit<Use, 'stored'>];

/** Which keys were used for what: the latest of them, up to a limit. */
export class KeyTable {
  private readonly uses = new Map<string, Use>();
  private readonly limit: number;

  constructor(limit: number, saved: readonly SavedUse[] = []) {
    this.limit = limit;
    for (const [name, use] of saved) this.uses.set(name, { ...use, stored: undefined });
  }

  /** The answer to a key that was used before, when it is on stable storage; refuses the key of another body. */
  find(model: string, verb: Verb, { key, hash }: LearnOptions): Promise<Learned> | undefined {
    const use = key === undefined ? undefined : this.uses.get(nameOf(model, key));
    if (!use) return undefined;
    if (use.hash !== hashOf(verb, hash)) {
      refuse('E_IDEMPOTENCY_CONFLICT', 'the key was used with another body; give every request a key of its own', {
        model,
      });
    }
    return Promise.resolve(use.stored).then(() => repeatedAnswer(use, use.rows));
  }

  /** Notes the use of a key. Where `stored` fails, the key is free again. */
  note({ model, verb, key, hash, version, answer, examples }: Record, stored?: Promise<unknown>): void {
    if (key === undefined) return;
    const name = nameOf(model, key);
    const use = { hash: hashOf(verb, hash), rows: examples.length, version, answer, stored };
    this.uses.set(name, use);
    stored?.catch(() => {
      if (this.uses.get(name) === use) this.uses.delete(name);
    });
    for (const oldest of this.uses.keys()) {
      if (this.uses.size <= this.limit) return;
      this.uses.delete(oldest);
    }
  }

  /** All of them, to be kept when the records are gone. */
  save(): SavedUse[] {
    return Array.from(this.uses, ([name, { stored: _, ...use }]) => [name, use]);
  }
}

const nameOf = (model: string, key: string): string => `${model} ${key}`; // names of models hold no space
const hashOf = (verb: Verb, hash: string | undefined): string => `${verb} ${hash ?? ''}`;
