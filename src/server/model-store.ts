import { refuse } from '../errors.ts';
import type { Limits } from './http/limits.ts';
import { type Example, type ServedModel, serveModel } from './model/served-model.ts';
import { Contents, StoredModel } from './store/contents.ts';
import type { Change, Learned, LearnRecord, Past, Served, StoredFile } from './store/records.ts';
import { Turns } from './turns.ts';

/** One version of a model. */
export interface VersionEntry extends Omit<Past, 'at'> {
  /** When, as an ISO 8601 time. */
  readonly at: string;
  /** Whether `rollback` can return to it. */
  readonly kept: boolean;
}

/** How a model is changed. */
export interface ChangeOptions {
  /** Change the model only if this is its version; `E_CONFLICT` otherwise. */
  readonly ifVersion?: number | undefined;
}

/** How rows are learned or unlearned. */
export interface LearnOptions extends ChangeOptions {
  /** Repeats of a key with the same examples are done once and answered alike; others are `E_IDEMPOTENCY_CONFLICT`. */
  readonly key?: string | undefined;
  /** Limits of new labels. */
  readonly limits?: Pick<Limits, 'newClasses' | 'classes'> | undefined;
}

/** How a model is put under a name. */
export interface PutOptions extends ChangeOptions {
  /** 'uploaded' unless given. */
  readonly origin?: Past['origin'] | undefined;
}

/** Whether a store learns, or why it does not. */
export type StoreState = 'ready' | 'read-only' | 'disk-full' | 'no-learning';

/** Where versions of models are kept as files. */
export interface VersionFiles {
  /** Writes a version; the bytes are given in parts. */
  write(model: string, version: number, parts: readonly Uint8Array[]): Promise<StoredFile>;
  read(model: string, file: StoredFile): Promise<Uint8Array>;
  /** Removes files of a model, or all that it has. */
  remove(model: string, files?: readonly StoredFile[]): Promise<void>;
  /** The files that are kept, oldest first. */
  keep(files: readonly StoredFile[]): readonly StoredFile[];
}

/**
 * Models by name, their versions, and what they learn. Reading is synchronous. Names match `[a-z0-9][a-z0-9._-]{0,63}` and were checked
 * before; an unknown name is `E_NOT_FOUND`. Where files and records are kept is up to the kind of store.
 */
export abstract class ModelStore {
  abstract readonly state: StoreState;
  /** Called with every change that became durable, in order. */
  onChange: ((change: Change) => void) | undefined;
  protected readonly files: VersionFiles;
  protected contents: Contents;
  private readonly turns = new Turns();

  constructor(files: VersionFiles, contents: Contents = new Contents()) {
    this.files = files;
    this.contents = contents;
  }

  /** Learns all rows, or none. */
  abstract learn(name: string, examples: readonly Example[], options?: LearnOptions): Promise<Learned>;
  abstract unlearn(name: string, examples: readonly Example[], options?: LearnOptions): Promise<Learned>;
  /** Writes the present model as a file, so that a start need not learn again. */
  abstract snapshot(name: string): Promise<{ readonly version: number; readonly bytes: number }>;
  /** Writes snapshots of what has learned, and releases the store. */
  abstract close(): Promise<void>;

  /** Refuses when nothing can be written now. */
  protected requireReady(): void {}

  /** Makes what the store contains durable; only within `exclusive`. */
  protected async commit(): Promise<void> {}

  /** Does some work while nothing is learned, and all that was learned is durable. */
  protected exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.turns.take(work);
  }

  /** All models, by name. */
  list(): readonly Served[] {
    return this.contents.list();
  }

  get(name: string): Served | undefined {
    return this.contents.models.get(name)?.served;
  }

  /** The model of a name. */
  find(name: string): Served {
    return this.contents.find(name).served;
  }

  /** From the first version to the present one. Those after the latest file can be read as long as their records are there. */
  versions(name: string): readonly VersionEntry[] {
    const { base, files, entry } = this.contents.find(name);
    const kept = (version: number) => version >= base || files.some((file) => file.version === version);
    return entry.history.map((past) => ({ ...past, at: new Date(past.at).toISOString(), kept: kept(past.version) }));
  }

  /** A new model, or one that replaces the model of this name; requests in flight keep theirs. */
  async put(name: string, bytes: Uint8Array, options: PutOptions = {}): Promise<Served> {
    const requireNow = () => {
      requireVersion(this.get(name)?.version ?? 0, options);
      this.requireReady();
    };
    requireNow();
    const model = serveModel(bytes);
    return this.exclusive(async () => {
      requireNow();
      const highest = this.contents.models.get(name)?.highest ?? this.contents.removed.get(name) ?? 0;
      const written = await this.files.write(name, highest + 1, [bytes]);
      requireNow(); // it may have been removed meanwhile
      const own = this.place(name, model, written.version);
      const { served } = own;
      const { version } = served;
      await this.addFile(own, written, { version, origin: options.origin ?? 'uploaded', at: Date.now(), rows: 0 });
      this.publish(name);
      return served;
    });
  }

  /** Serves the model of an earlier version under a new version number. */
  async rollback(name: string, version: number, options: ChangeOptions = {}): Promise<Served> {
    requireVersion(this.find(name).version, options);
    return this.put(name, await this.read(name, version), { ...options, origin: 'rolled back' });
  }

  async remove(name: string, options: ChangeOptions = {}): Promise<void> {
    const { served, highest } = this.contents.find(name);
    requireVersion(served.version, options);
    this.requireReady();
    const { models, removed } = this.contents;
    models.delete(name);
    removed.set(name, highest); // version numbers of a removed model are not used again
    await this.exclusive(async () => {
      await this.commit();
      if (this.get(name)) return; // another model was put under the name meanwhile
      this.onChange?.({ kind: 'removed', model: name });
      await this.files.remove(name);
    });
  }

  /** The model file of a version, if it can still be read. */
  async read(name: string, version: number): Promise<Uint8Array> {
    const { files } = this.contents.find(name);
    const file = files.find((kept) => kept.version === version);
    if (file) return this.files.read(name, file);
    const kept = files.map((own) => own.version).join(', ');
    const sentence = `version ${version} of ${name} is not kept; these are: ${kept}`;
    return refuse('E_NOT_FOUND', sentence, { model: name, version });
  }

  /** Serves a model under a name as a version. */
  protected place(name: string, model: ServedModel, version: number): StoredModel {
    const { models, removed } = this.contents;
    const entry = { name, highest: removed.get(name) ?? 0, version: 0, files: [], history: [] };
    const own = models.get(name) ?? new StoredModel(entry, model);
    models.set(name, own);
    removed.delete(name);
    own.serve(model, version);
    return own;
  }

  /** Makes a new file of a model durable; the oldest ones are removed. */
  protected async addFile(own: StoredModel, file: StoredFile, past?: Past): Promise<void> {
    const all = [...own.files, file];
    const kept = this.files.keep(all);
    own.setFiles(kept, past);
    await this.commit();
    const old = all.filter((one) => !kept.includes(one));
    await this.files.remove(own.served.name, old);
  }

  /** Records are durable. */
  protected noted(records: readonly LearnRecord[]): void {
    this.contents.note(records);
    if (this.onChange) for (const record of records) this.onChange(record);
  }

  /** Publishes the present model of a name. */
  protected publish(name: string): void {
    const served = this.get(name);
    if (!served || !this.onChange) return;
    this.onChange({ kind: 'model', model: name, version: served.version, bytes: served.model.toBytes() });
  }
}

/** Refuses a change that was meant for another version. */
export function requireVersion(version: number, { ifVersion }: ChangeOptions): void {
  if (ifVersion === undefined || ifVersion === version) return;
  const sentence = `the change was meant for version ${ifVersion}, but the model is at version ${version}`;
  refuse('E_CONFLICT', sentence, { expected: ifVersion, actual: version });
}
