import { refuse } from '../../errors.ts';
import type { KeysRecord, Learned, LearnRecord, SavedUse, Verb } from './records.ts';

/** The latest idempotency keys, with the requests that used them, up to a limit. */
export class KeyTable {
  /** By model and key; `stored` ends when the record of a use is on stable storage. */
  private readonly uses = new Map<string, { readonly use: SavedUse; readonly stored?: Promise<unknown> }>();
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** The answer to a key that was used before, once that is on stable storage; refuses a key used with other examples. */
  find(model: string, verb: Verb, key: string | undefined, hash: string | undefined): Promise<Learned> | undefined {
    const found = key === undefined ? undefined : this.uses.get(`${model} ${key}`);
    if (!found) return undefined;
    const [, used, answer] = found.use;
    if (used === `${verb} ${hash}`) return Promise.resolve(found.stored).then(() => answer);
    return refuse('E_IDEMPOTENCY_CONFLICT', 'the key was used with another body; give every request a key of its own', {
      model,
    });
  }

  /** Notes the keys of a record: one that is on stable storage, or will be when `stored` ends. */
  note(record: LearnRecord | KeysRecord, stored?: Promise<unknown>): void {
    if (record.kind === 'keys') {
      for (const use of record.keys) this.add(use);
      return;
    }
    const { kind, model, key, hash, examples, version, prequential = null } = record;
    if (key === undefined) return;
    const answer = { version, rows: examples.length, prequential, repeated: true };
    this.add([`${model} ${key}`, `${kind} ${hash}`, answer], stored); // names of models contain no space
  }

  /** All uses that are on stable storage, for the start of a segment. */
  save(): SavedUse[] {
    return [...this.uses.values()].filter(({ stored }) => !stored).map(({ use }) => use);
  }

  private add(use: SavedUse, stored?: Promise<unknown>): void {
    this.uses.set(use[0], { use, ...(stored && { stored }) });
    const [oldest] = this.uses.keys();
    if (this.uses.size > this.limit) this.uses.delete(oldest);
  }
}
