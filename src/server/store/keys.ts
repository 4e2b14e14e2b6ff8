import { refuse } from '../../errors.ts';
import type { Learned, LearnOptions } from '../model-store.ts';
import { type KeyUse, type LearnRecord, repeatedAnswer, type SavedUse, type Verb } from './records.ts';

/** Idempotency keys and what they were used for: the latest of them, up to a limit. */
export class KeyTable {
  private readonly uses = new Map<string, KeyUse>();
  /** Uses whose records are not on stable storage yet. */
  private readonly pending = new Map<string, { readonly use: KeyUse; readonly stored: Promise<unknown> }>();
  private readonly limit: number;

  constructor(limit: number, saved: readonly SavedUse[] = []) {
    this.limit = limit;
    for (const [name, use] of saved) this.add(name, use);
  }

  /** The answer to a key that was used before, once that is on stable storage; refuses a key used with another body. */
  find(model: string, verb: Verb, { key, hash }: LearnOptions): Promise<Learned> | undefined {
    if (key === undefined) return undefined;
    const name = nameOf(model, key);
    const pending = this.pending.get(name);
    const use = pending?.use ?? this.uses.get(name);
    if (!use) return undefined;
    if (use.hash !== hashOf(verb, hash)) {
      const sentence = 'the key was used with another body; give every request a key of its own';
      refuse('E_IDEMPOTENCY_CONFLICT', sentence, { model });
    }
    return Promise.resolve(pending?.stored).then(() => repeatedAnswer(use));
  }

  /** Notes the key of a record that is being written. If `stored` fails, the key is free again. */
  reserve(record: LearnRecord, stored: Promise<unknown>): void {
    if (record.key === undefined) return;
    const name = nameOf(record.model, record.key);
    const own = { use: useOf(record), stored };
    this.pending.set(name, own);
    const forget = () => {
      if (this.pending.get(name) === own) this.pending.delete(name);
    };
    stored.then(forget, forget);
  }

  /** Notes the key of a record that is on stable storage. */
  note(record: LearnRecord): void {
    if (record.key !== undefined) this.add(nameOf(record.model, record.key), useOf(record));
  }

  /** All uses that are on stable storage, for a checkpoint. */
  save(): SavedUse[] {
    return [...this.uses];
  }

  private add(name: string, use: KeyUse): void {
    this.uses.set(name, use);
    for (const oldest of this.uses.keys()) {
      if (this.uses.size <= this.limit) return;
      this.uses.delete(oldest);
    }
  }
}

const useOf = ({ kind, hash, examples, version, answer }: LearnRecord): KeyUse => ({
  hash: hashOf(kind, hash),
  rows: examples.length,
  version,
  answer,
});
const nameOf = (model: string, key: string): string => `${model} ${key}`; // names of models contain no space
const hashOf = (verb: Verb, hash: string | undefined): string => `${verb} ${hash ?? ''}`;
