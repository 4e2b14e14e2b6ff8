import type { Example } from '../model/served-model.ts';
import type { Learned, Verb, VersionEntry } from '../model-store.ts';

/** A version that is stored as a model file. */
export interface StoredFile {
  readonly version: number;
  readonly file: string;
  readonly bytes: number;
  readonly sum: number;
}

/** A version in the history of a model. */
export interface Past extends Omit<VersionEntry, 'kept' | 'at'> {
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** A model at a checkpoint of the log. */
export interface ModelEntry {
  readonly name: string;
  /** No number up to this one is given to a version again, not even when the model was removed. */
  readonly highest: number;
  /** The latest version on stable storage; 0 for a model that was removed. */
  readonly version: number;
  /** Versions with a model file, oldest first. Records are applied on top of the last one. */
  readonly files: readonly StoredFile[];
  readonly history: readonly Past[];
}

/** An acknowledged request to learn or unlearn. */
export interface LearnRecord {
  readonly kind: Verb;
  readonly model: string;
  /** The version that it made. */
  readonly version: number;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly examples: readonly Example[];
  /** For a request with an idempotency key: the key, the hash of the body, and the scores of the answer. */
  readonly key?: string | undefined;
  readonly hash?: string | undefined;
  readonly prequential?: Learned['prequential'] | undefined;
}

/** A model has a new file: a snapshot, or with `past` another model in its place. `files` are all that are kept. */
interface FileRecord {
  readonly kind: 'file';
  readonly model: string;
  readonly files: readonly StoredFile[];
  readonly past?: Past | undefined;
}

/** A model was removed. */
interface RemoveRecord {
  readonly kind: 'remove';
  readonly model: string;
  readonly highest: number;
}

/** The first record of every segment: the state that the log before it leads to. */
export interface Checkpoint {
  readonly kind: 'checkpoint';
  readonly format: 2;
  readonly segment: number;
  /** The segment before it and where that ends: what follows was never acknowledged. Null where the log begins. */
  readonly previous: { readonly segment: number; readonly end: number } | null;
  readonly models: readonly ModelEntry[];
  readonly keys: readonly SavedUse[];
}

/** A record of the log: the JSON of a frame. */
export type LogRecord = LearnRecord | FileRecord | RemoveRecord | Checkpoint;

/** A key with the name of its model, the hash of its body, and the answer to repeats. */
export type SavedUse = readonly [name: string, hash: string, answer: Learned];

/** Whether a payload is a learn or unlearn record. `kind` is the first key of every record, so it need not be parsed. */
export function isLearning(payload: Buffer): boolean {
  const first = payload[KIND_AT];
  return first === 0x6c || first === 0x75; // l(earn), u(nlearn)
}
const KIND_AT = '{"kind":"'.length;
