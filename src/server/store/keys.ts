import { refuse } from '../../errors.ts';
import type { Learned, LearnOptions, Verb } from '../model-store.ts';
import type { LearnRecord, SavedUse } from './records.ts';

/** The latest idempotency keys, with the requests that used them, up to a limit. */
export class KeyTable {
  private readonly uses = new Map<string, SavedUse>();
  /** Uses whose records are not on stable storage yet. */
  private readonly pending = new Map<string, { readonly use: SavedUse; readonly stored: Promise<unknown> }>();
  private readonly limit: number;

  constructor(limit: number, saved: readonly SavedUse[] = []) {
    this.limit = limit;
    for (const use of saved) this.add(use);
  }

  /** The answer to a key that was used before, once that is on stable storage; refuses a key used with another body. */
  async find(model: string, verb: Verb, { key, hash }: LearnOptions): Promise<Learned> {
    const pending = this.pending.get(`${model} ${key}`);
    const [, used, answer] = pending?.use ?? this.uses.get(`${model} ${key}`)!;
    if (used !== `${verb} ${hash}`) {
      const sentence = 'the key was used with another body; give every request a key of its own';
      refuse('E_IDEMPOTENCY_CONFLICT', sentence, { model });
    }
    await pending?.stored;
    return answer;
  }

  /** Whether a key was used before. */
  has(model: string, key: string | undefined): boolean {
    if (key === undefined) return false;
    return this.uses.has(`${model} ${key}`) || this.pending.has(`${model} ${key}`);
  }

  /** Notes the key of a record that is being written. If `stored` fails, the key is free again. */
  reserve(record: LearnRecord, stored: Promise<unknown>): void {
    const own = { use: useOf(record), stored };
    const [name] = own.use;
    this.pending.set(name, own);
    const forget = () => {
      if (this.pending.get(name) === own) this.pending.delete(name);
    };
    stored.then(forget, forget);
  }

  /** Notes the key of a record that is on stable storage. */
  note(record: LearnRecord): void {
    if (record.key !== undefined) this.add(useOf(record));
  }

  /** All uses that are on stable storage, for a checkpoint. */
  save(): SavedUse[] {
    return [...this.uses.values()];
  }

  private add(use: SavedUse): void {
    this.uses.set(use[0], use);
    for (const oldest of this.uses.keys()) {
      if (this.uses.size <= this.limit) return;
      this.uses.delete(oldest);
    }
  }
}

/** Names of models contain no space. */
const useOf = ({ kind, model, key, hash, examples, version, prequential = null }: LearnRecord): SavedUse => [
  `${model} ${key}`,
  `${kind} ${hash}`,
  { version, rows: examples.length, prequential, repeated: true },
];
