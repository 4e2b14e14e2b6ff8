import type { Label } from '../data/labels.ts';
import { compareCodePoints } from '../data/order.ts';
import { refuse, show } from '../errors.ts';
import type { Limits } from './http/limits.ts';
import type { Example, ServedModel } from './model/served-model.ts';

/** A model under its name, at its present version. `model` answers as this version as long as nothing is awaited. */
export interface Served {
  readonly name: string;
  readonly version: number;
  readonly model: ServedModel;
}

/** How a version came to be. */
export const origins = ['loaded', 'uploaded', 'learned', 'unlearned', 'rolled back', 'merged', 'decayed'] as const;

/** One version of a model. */
export interface VersionEntry {
  readonly version: number;
  readonly origin: (typeof origins)[number];
  /** When, as an ISO 8601 time. */
  readonly at: string;
  /** Rows that it learned or unlearned over the version before. */
  readonly rows: number;
  /** Whether `rollback` can return to it. */
  readonly kept: boolean;
}

/** What is done with examples. */
export type Verb = 'learn' | 'unlearn';

/** How a model is changed. */
export interface ChangeOptions {
  /** Change the model only if this is its version; `E_CONFLICT` otherwise. */
  readonly ifVersion?: number | undefined;
}

/** How rows are learned or unlearned. */
export interface LearnOptions extends ChangeOptions {
  /** Repeats of a key with the same body are done once and answered alike; another body is `E_IDEMPOTENCY_CONFLICT`. */
  readonly key?: string | undefined;
  /** The SHA-256 of the body, as hexadecimal digits; given whenever a key is. */
  readonly hash?: string | undefined;
  /** Limits of new labels. */
  readonly limits?: Pick<Limits, 'newClasses' | 'classes'> | undefined;
}

/** How a model is put under a name. */
export interface PutOptions extends ChangeOptions {
  /** 'uploaded' unless given. */
  readonly origin?: VersionEntry['origin'] | undefined;
}

/** Scores of rows that were predicted before they were learned; null if not defined. */
export interface LearnScores {
  readonly n: number;
  readonly accuracy: number | null;
  readonly log_loss: number | null;
  readonly kappa: number | null;
}

/** The outcome of learning or unlearning; it is on stable storage by then. */
export interface Learned {
  readonly version: number;
  readonly rows: number;
  /** Scores of all rows so far and of the latest; null for unlearning. */
  readonly prequential: (LearnScores & { readonly window: LearnScores }) | null;
  /** A repeat of a key: nothing was done again. */
  readonly repeated: boolean;
}

/** A change that became durable: another model under a name, rows that were learned or unlearned, or a removal. */
export type Change =
  | { readonly kind: 'model'; readonly name: string; readonly version: number; readonly bytes: Uint8Array }
  | { readonly kind: Verb; readonly name: string; readonly version: number; readonly examples: readonly Example[] }
  | { readonly kind: 'removed'; readonly name: string };

/** Whether a store learns, or why it does not. */
export type StoreState = 'ready' | 'read-only' | 'disk-full' | 'no-learning';

/**
 * Models by name, their versions, and what they learn. Reading is synchronous. Names match `[a-z0-9][a-z0-9._-]{0,63}` and were checked
 * before; an unknown name is `E_NOT_FOUND`.
 */
export abstract class ModelStore<M extends { readonly served: Served } = { readonly served: Served }> {
  abstract readonly state: StoreState;
  /** Called with every change, in order. */
  onChange: ((change: Change) => void) | undefined;
  protected abstract readonly models: ReadonlyMap<string, M>;

  /** All models, by name. */
  list(): readonly Served[] {
    const all = Array.from(this.models.values(), ({ served }) => served);
    return all.sort((a, b) => compareCodePoints(a.name, b.name));
  }

  get(name: string): Served | undefined {
    return this.models.get(name)?.served;
  }

  /** The model of a name. */
  find(name: string): Served {
    return this.stored(name).served;
  }

  protected stored(name: string): M {
    const found = this.models.get(name);
    if (found) return found;
    const names = this.list().map((own) => own.name);
    const known = names.length > 0 ? `there are ${names.slice(0, 10).join(', ')}` : 'none is loaded';
    return refuse('E_NOT_FOUND', `there is no model ${show(name)}; ${known}`, { model: name });
  }

  /** A new model, or one that replaces the model of this name; requests in flight keep theirs. */
  abstract put(name: string, bytes: Uint8Array, options?: PutOptions): Promise<Served>;
  abstract remove(name: string, options?: ChangeOptions): Promise<void>;
  /** Learns all rows, or none. */
  abstract learn(name: string, examples: readonly Example[], options?: LearnOptions): Promise<Learned>;
  abstract unlearn(name: string, examples: readonly Example[], options?: LearnOptions): Promise<Learned>;
  /** From the first to the present one. */
  abstract versions(name: string): readonly VersionEntry[];
  /** Writes the present model as a file, so that a start need not learn again. */
  abstract snapshot(name: string): Promise<{ readonly version: number; readonly bytes: number }>;
  /** The model file of a version, if it can still be read. */
  abstract read(name: string, version: number): Promise<Uint8Array>;
  /** Serves the model of an earlier version under a new version number. */
  abstract rollback(name: string, version: number, options?: ChangeOptions): Promise<Served>;
  /** Writes snapshots of what has learned, and releases the store. */
  abstract close(): Promise<void>;
}

/** Refuses a version that cannot be read any more. */
export function refuseVersion(name: string, version: number, kept: readonly number[]): never {
  const sentence = `version ${version} of ${name} is not kept; these are: ${kept.join(', ')}`;
  return refuse('E_NOT_FOUND', sentence, { model: name, version });
}

/** Refuses a change that was meant for another version. */
export function requireVersion(version: number, { ifVersion }: ChangeOptions): void {
  if (ifVersion === undefined || ifVersion === version) return;
  const sentence = `the change was meant for version ${ifVersion}, but the model is at version ${version}`;
  refuse('E_CONFLICT', sentence, { expected: ifVersion, actual: version });
}

/** How many labels of examples a model does not know; refuses more than the limits allow. */
export function addedClasses(
  classes: readonly Label[],
  examples: readonly Example[],
  limits: LearnOptions['limits'],
): number {
  if (examples.length === 1 && classes.includes(examples[0].label)) return 0;
  const added = new Set(examples.map(({ label }) => label));
  for (const label of classes) added.delete(label);
  if (!limits) return added.size;
  const limit = Math.max(0, Math.min(limits.newClasses, limits.classes - classes.length));
  if (added.size <= limit) return added.size;
  const sentence = `the examples have ${added.size} labels that the model does not know, at most ${limit} can be added at once; a model has at most ${limits.classes}`;
  return refuse('E_LIMIT', sentence, { limit, actual: added.size });
}
