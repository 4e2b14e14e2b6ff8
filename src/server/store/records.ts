import type { PrequentialScores } from '../model/learn-scorer.ts';
import type { Example, ServedModel } from '../model/served-model.ts';

/** A model under its name, at its present version. `model` answers as this version as long as nothing is awaited. */
export interface Served {
  readonly name: string;
  readonly version: number;
  readonly model: ServedModel;
}

/** What is done with examples. */
export type Verb = 'learn' | 'unlearn';

/** How a version came to be. */
export const origins = ['loaded', 'uploaded', 'learned', 'unlearned', 'rolled back', 'merged', 'decayed'] as const;

/** A version in the history of a model. */
export interface Past {
  readonly version: number;
  readonly origin: (typeof origins)[number];
  /** In milliseconds since 1970. */
  readonly at: number;
  /** Rows that it learned or unlearned over the version before. */
  readonly rows: number;
}

/** The outcome of learning or unlearning; it is on stable storage by then. */
export interface Learned {
  readonly version: number;
  readonly rows: number;
  /** Scores of all rows so far and of the latest; null for unlearning. */
  readonly prequential: PrequentialScores | null;
  /** A repeat of a key: nothing was done again. */
  readonly repeated: boolean;
}

/** A version that is stored as a model file. */
export interface StoredFile {
  readonly version: number;
  readonly file: string;
  readonly bytes: number;
  readonly sum: number;
}

/** A record of the log: an acknowledged request to learn or unlearn. */
export interface LearnRecord {
  readonly kind: Verb;
  readonly model: string;
  /** The version that it made. */
  readonly version: number;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly examples: readonly Example[];
  /** For a request with an idempotency key: the key, the hash of the examples, and the scores of the answer. */
  readonly key?: string | undefined;
  readonly hash?: string | undefined;
  readonly prequential?: Learned['prequential'] | undefined;
}

/** A model in a manifest. */
export interface ModelEntry {
  readonly name: string;
  /** No number up to this one is given to a version again, not even when the model was removed. */
  readonly highest: number;
  /** The latest version on stable storage when the manifest was written; 0 for a model that was removed. */
  readonly version: number;
  /** Versions with a model file, oldest first. Records of later versions are applied on top of the last one. */
  readonly files: readonly StoredFile[];
  readonly history: readonly Past[];
}

/** A key with the name of its model, the verb with the hash of the examples, and the answer to repeats. */
export type SavedUse = readonly [name: string, hash: string, answer: Learned];

/** The first record of a segment: the keys that were known when it began. */
export interface KeysRecord {
  readonly kind: 'keys';
  readonly keys: readonly SavedUse[];
}

/** What became durable: rows that were learned or unlearned, a removal, or another model under a name. */
export type Change =
  | LearnRecord
  | { readonly kind: 'removed'; readonly model: string }
  | { readonly kind: 'model'; readonly model: string; readonly version: number; readonly bytes: Uint8Array };
