import type { Label } from '../data/labels.ts';
import type { PrequentialScores } from '../evaluate/prequential.ts';
import type { Example, ServedModel } from './model/served-model.ts';

/** A model under its name, as it is now. `model` answers as exactly this version as long as nothing is awaited in between. */
export interface Served {
  readonly name: string;
  readonly version: number;
  readonly model: ServedModel;
}

/** What is known of one version of a model. */
export interface VersionEntry {
  readonly version: number;
  /** How it came to be. */
  readonly origin: 'loaded' | 'uploaded' | 'learned' | 'unlearned' | 'rolled back' | 'merged' | 'decayed';
  /** When, as an ISO 8601 time. */
  readonly at: string;
  /** Rows that it learned or unlearned over the version before. */
  readonly rows: number;
  /** Whether `rollback` can go back to it. */
  readonly kept: boolean;
}

/** How rows are learned or unlearned. */
export interface LearnOptions {
  /** Repeats of a key with the same body are learned once and answered alike; another body is `E_IDEMPOTENCY_CONFLICT`. */
  readonly key?: string | undefined;
  /** The SHA-256 of the body, as hexadecimal digits; given whenever a key is. */
  readonly hash?: string | undefined;
  /** Learn only if this is the version now; `E_CONFLICT` otherwise. */
  readonly ifVersion?: number | undefined;
  /** Refuse more labels that the model does not know than one request may add, or a model may have. */
  readonly limits?: ClassLimits | undefined;
}

/** See `Limits`. */
export interface ClassLimits {
  readonly newClasses: number;
  readonly classes: number;
}

/** How a model is put in the place of another. */
export interface PutOptions extends Pick<LearnOptions, 'ifVersion'> {
  /** How it came to be; 'uploaded' unless given. */
  readonly origin?: VersionEntry['origin'] | undefined;
}

/** What an acknowledged learning says; it is on stable storage by then. */
export interface Learned {
  readonly version: number;
  readonly rows: number;
  /** The model before the rows, judged by them; null for unlearning. */
  readonly prequential: PrequentialScores | null;
  /** The classes after it. */
  readonly classes: readonly Label[];
  /** A repeat of a key: nothing was learned again. */
  readonly repeated: boolean;
}

/** What became durable, in order: another model under a name, rows that one has learned or unlearned, or that it was removed. */
export type Change =
  | { readonly kind: 'model'; readonly name: string; readonly version: number; readonly bytes: Uint8Array }
  | {
      readonly kind: 'learn' | 'unlearn';
      readonly name: string;
      readonly version: number;
      readonly examples: readonly Example[];
    }
  | { readonly kind: 'removed'; readonly name: string };

/** What the health of a store is: learning goes on, or why it does not. */
export type StoreState = 'ready' | 'read-only' | 'disk-full' | 'no-learning';

/**
 * Models by name, their versions, and what they learn. Reading is synchronous and never waits. Names match
 * `[a-z0-9][a-z0-9._-]{0,63}` and were checked before; an unknown name is `E_NOT_FOUND`.
 */
export interface ModelStore {
  readonly state: StoreState;
  /** Called with every change, if set. */
  onChange?: ((change: Change) => void) | undefined;
  /** All models, by name. */
  list(): readonly Served[];
  get(name: string): Served | undefined;
  /** A new model, or another in the place of the one with this name; requests that are on their way keep theirs. */
  put(name: string, bytes: Uint8Array, options?: PutOptions): Promise<Served>;
  remove(name: string, options?: Pick<LearnOptions, 'ifVersion'>): Promise<void>;
  /** All rows are learned, or none. */
  learn(name: string, examples: readonly Example[], options?: LearnOptions): Promise<Learned>;
  unlearn(name: string, examples: readonly Example[], options?: LearnOptions): Promise<Learned>;
  /** From the first to the one of now. */
  versions(name: string): readonly VersionEntry[];
  /** Writes the model of now as a whole, so that a start need not learn again. */
  snapshot(name: string): Promise<{ readonly version: number; readonly bytes: number }>;
  /** The model file of a version, as far as it is kept. */
  read(name: string, version: number): Promise<Uint8Array>;
  /** The model as it was at a version, under a new version number. */
  rollback(name: string, version: number, options?: Pick<LearnOptions, 'ifVersion'>): Promise<Served>;
  /** Snapshots what has learned, and gives the store free. */
  close(): Promise<void>;
}
