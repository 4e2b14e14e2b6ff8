import { PolyaError, refuse } from '../../errors.ts';
import { type Example, serveModel } from '../model/served-model.ts';
import {
  addedClasses,
  type ChangeOptions,
  type Learned,
  type LearnOptions,
  ModelStore,
  type PutOptions,
  refuseVersion,
  requireVersion,
  type Served,
  type StoreState,
  type Verb,
  type VersionEntry,
} from '../model-store.ts';
import { TurnQueue } from '../turn-queue.ts';
import { takeFolder } from './lock.ts';
import { Log, type Tail } from './log.ts';
import { ModelFiles, writeFailure } from './model-files.ts';
import type { Checkpoint, LearnRecord, Past, StoredFile } from './records.ts';
import { type Recovered, readVersion, recover } from './recover.ts';
import { StoredModel } from './stored-model.ts';

/** Options of a durable store. */
export interface StoreOptions {
  /** Models are written as files after this many rows; 100,000 unless given. */
  readonly snapshotEvery?: number | undefined;
  /** How many versions of a model are kept as files; 8 unless given. */
  readonly keptVersions?: number | undefined;
  /** How many idempotency keys are kept; 10,000 unless given. */
  readonly keys?: number | undefined;
  readonly onWarning?: ((text: string) => void) | undefined;
}

/**
 * Opens the store in a folder, or creates one, and continues from what is on stable storage. Of `models`, those that the store does not
 * know are added; for the others its own versions are served. One process owns a store.
 */
export async function openStore(
  folder: string,
  models: ReadonlyMap<string, Uint8Array> = new Map(),
  options: StoreOptions = {},
): Promise<ModelStore> {
  const { keys = 10_000, keptVersions = 8, snapshotEvery = 100_000, onWarning = () => undefined } = options;
  const release = await takeFolder(folder);
  let store: DurableStore | undefined;
  try {
    const files = new ModelFiles(folder);
    const known = await recover(folder, files, { keys, onWarning });
    store = new DurableStore(known, files, { folder, keys, keptVersions, snapshotEvery, onWarning, release });
    await store.start(models);
    return store;
  } catch (cause) {
    await store?.close();
    release();
    throw cause instanceof PolyaError ? cause : writeFailure(cause);
  }
}

/** Options with their defaults, and the folder. */
interface Settings extends Required<{ [K in keyof StoreOptions]: NonNullable<StoreOptions[K]> }> {
  readonly folder: string;
  /** Releases the folder. */
  readonly release: () => void;
}

/** A request to learn or unlearn, and how it is answered. */
interface Request {
  readonly verb: Verb;
  readonly name: string;
  readonly examples: readonly Example[];
  readonly options: LearnOptions;
  readonly resolve: (done: Learned) => void;
  readonly reject: (cause: unknown) => void;
}

/** Bytes of a segment after which models are written as files and a new one begins. */
const MAX_SEGMENT = 64 * 2 ** 20;

/**
 * Models that learn durably. A request is applied in memory first, which refuses what cannot be done; then its record is appended to the
 * log together with those of others, and it is answered when they are on stable storage. From time to time models are written as files
 * and the log before them is dropped. After a crash, files and log give the model that was acknowledged.
 */
class DurableStore extends ModelStore<StoredModel> {
  private readonly log: Log;
  private readonly files: ModelFiles;
  private readonly settings: Settings;
  private known: Recovered;
  private readonly arrived = new TurnQueue<Request>((all) => this.applyAll(all));
  private snapshots: Promise<unknown> = Promise.resolve();
  private rows = 0;
  private compacting: Promise<void> | undefined;
  private closing: Promise<void> | undefined;

  constructor(known: Recovered, files: ModelFiles, settings: Settings) {
    super();
    this.known = known;
    this.files = files;
    this.settings = settings;
    this.log = new Log(settings.folder, known.tail, {
      checkpoint: () => this.checkpoint(),
      restore: (tail) => this.restore(tail),
      onWarning: settings.onWarning,
    });
  }

  /** Starts to accept requests, with models that the store does not know yet. */
  async start(models: ReadonlyMap<string, Uint8Array>): Promise<void> {
    await this.log.start();
    if (!this.isAhead()) await this.log.dropBefore(this.log.tail.segment);
    await this.files.tidy(this.models);
    for (const [name, bytes] of models) if (!this.models.has(name)) await this.enter(name, bytes, 'loaded', {});
  }

  get state(): StoreState {
    return this.log.state;
  }

  learn(name: string, examples: readonly Example[], options?: LearnOptions): Promise<Learned> {
    return this.request('learn', name, examples, options);
  }

  unlearn(name: string, examples: readonly Example[], options?: LearnOptions): Promise<Learned> {
    return this.request('unlearn', name, examples, options);
  }

  put(name: string, bytes: Uint8Array, options: PutOptions = {}): Promise<Served> {
    return this.enter(name, bytes, options.origin ?? 'uploaded', options);
  }

  async remove(name: string, options: ChangeOptions = {}): Promise<void> {
    const own = this.stored(name);
    requireVersion(own.served.version, options);
    this.log.requireReady();
    const { highest } = own;
    this.known.models.delete(name);
    this.known.removed.set(name, highest);
    await this.log.append({ kind: 'remove', model: name, highest }, () => this.onChange?.({ kind: 'removed', name }));
    if (!this.models.has(name)) await this.files.removeAll(name);
  }

  versions(name: string): readonly VersionEntry[] {
    return this.stored(name).versions();
  }

  /** Writes the model as a file. Snapshots run one after another, so that two requests do not write the same version. */
  snapshot(name: string): Promise<{ version: number; bytes: number }> {
    const next = this.snapshots.then(() => this.writeSnapshot(name));
    this.snapshots = next.catch(() => undefined);
    return next;
  }

  async rollback(name: string, version: number, options: ChangeOptions = {}): Promise<Served> {
    requireVersion(this.find(name).version, options);
    return this.enter(name, await this.read(name, version), 'rolled back', options);
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  protected get models(): ReadonlyMap<string, StoredModel> {
    return this.known.models;
  }

  /** Whether a model has learned something since its latest file. */
  private isAhead(): boolean {
    return [...this.models.values()].some(({ ahead }) => ahead);
  }

  private request(
    verb: Verb,
    name: string,
    examples: readonly Example[],
    options: LearnOptions = {},
  ): Promise<Learned> {
    return new Promise((resolve, reject) => this.arrived.add({ verb, name, examples, options, resolve, reject }));
  }

  /** Applies the requests of one turn in their order. Neighbours that teach one model are applied at once: that costs a third. */
  private applyAll(all: readonly Request[]): void {
    let run: Request[] = [];
    const keys = new Set<string | undefined>();
    const flush = () => {
      if (run.length > 0) this.apply(run);
      run = [];
      keys.clear();
    };
    for (const request of all) {
      const { verb, name, options } = request;
      const follows = run[0]?.name === name && run[0].verb === 'learn' && verb === 'learn';
      if (!follows || options.ifVersion !== undefined || keys.has(options.key)) flush();
      const added = this.admit(request);
      if (added === undefined) continue;
      run.push(request);
      if (options.key !== undefined) keys.add(options.key);
      if (added > 0) flush(); // the labels of those that follow are counted on top of these
    }
    flush();
  }

  /** How many classes a request adds; undefined if it is answered or refused already. */
  private admit({ verb, name, examples, options, resolve, reject }: Request): number | undefined {
    const { keys } = this.known;
    try {
      const { version, model } = this.find(name);
      if (keys.has(name, options.key)) return void keys.find(name, verb, options).then(resolve, reject);
      requireVersion(version, options);
      this.log.requireReady();
      return verb === 'learn' ? addedClasses(model.classes, examples, options.limits) : 0;
    } catch (cause) {
      return void reject(cause);
    }
  }

  /** Applies requests in memory and writes their records; if one of several is refused, each is applied by itself. */
  private apply(run: readonly Request[]): void {
    const [{ verb, name }] = run;
    const own = this.stored(name);
    const all = run.length === 1 ? run[0].examples : run.flatMap(({ examples }) => examples);
    try {
      own.apply(verb, all, run.length);
    } catch (cause) {
      if (run.length === 1) run[0].reject(cause);
      else for (const one of run) this.apply([one]);
      return;
    }
    const first = own.served.version - run.length + 1;
    const prequential = verb === 'learn' ? own.scores() : null;
    const at = Date.now();
    const { keys } = this.known;
    for (const [i, { examples, options, resolve, reject }] of run.entries()) {
      const { key, hash } = options;
      const version = first + i;
      const rows = examples.length;
      const keyed = key === undefined ? undefined : { key, hash, prequential };
      const record: LearnRecord = { kind: verb, model: name, version, at, examples, ...keyed };
      const stored = this.log.append(record, () => {
        own.noteRecord(record);
        keys.note(record);
        this.onChange?.({ kind: verb, name, version, examples });
        this.rows += rows;
        if (this.rows >= this.settings.snapshotEvery || this.log.tail.end > MAX_SEGMENT) this.compactLater();
        resolve({ version, rows, prequential, repeated: false });
      });
      if (keyed) keys.reserve(record, stored);
      stored.catch(reject);
    }
  }

  /** Serves a model under a name, new or in the place of another. Its file is written before the log names it. */
  private async enter(
    name: string,
    bytes: Uint8Array,
    origin: Past['origin'],
    options: ChangeOptions,
  ): Promise<Served> {
    const requireReady = (): number => {
      const version = this.get(name)?.version ?? 0;
      requireVersion(version, options);
      this.log.requireReady();
      return version;
    };
    const before = requireReady();
    const model = serveModel(bytes);
    const written = await this.files.write(name, before + 1, [bytes]);
    requireReady();
    let own = this.models.get(name);
    if (!own) {
      const highest = this.known.removed.get(name) ?? 0; // version numbers of a removed model are not used again
      own = new StoredModel({ name, highest, version: 0, files: [], history: [] }, model);
      this.known.models.set(name, own);
    }
    const served = own.replace(model);
    const { version } = served;
    await this.noteFile(own, { ...written, version }, { version, origin, at: Date.now(), rows: 0 }, () =>
      this.onChange?.({ kind: 'model', name, version, bytes }),
    );
    this.known.removed.delete(name);
    return served;
  }

  private async writeSnapshot(name: string): Promise<{ version: number; bytes: number }> {
    const own = this.stored(name);
    if (!own.ahead) return own.base;
    this.log.requireReady();
    const { model } = own.served;
    const written = await this.files.write(name, own.startSnapshot(), model.toParts());
    if (this.models.get(name) !== own) {
      // It was removed, or went back to what is on stable storage: the file may contain rows that were refused.
      await this.files.remove(name, [written]);
      refuse('E_CONFLICT', `the model ${name} changed while its snapshot was written; try again`, { model: name });
    }
    await this.noteFile(own, written);
    return written;
  }

  /** Records a new file; the oldest ones are removed once the log no longer names them. */
  private async noteFile(own: StoredModel, file: StoredFile, past?: Past, done?: () => void): Promise<void> {
    const all = [...own.planned, file].sort((a, b) => a.version - b.version);
    const files = all.slice(-this.settings.keptVersions);
    own.planned = files;
    const { name } = own.served;
    await this.log.append({ kind: 'file', model: name, files, past }, () => {
      own.noteFiles(files, past);
      done?.();
    });
    await this.files.remove(name, all.slice(0, -this.settings.keptVersions));
  }

  /** The bytes of a version: a file, or the latest file and the records since. */
  async read(name: string, version: number): Promise<Uint8Array> {
    const own = this.stored(name);
    const file = own.files.find((kept) => kept.version === version);
    if (file) return this.files.read(name, file);
    await this.log.idle();
    const options = { ...this.settings, tail: this.log.tail };
    const found = await readVersion(this.settings.folder, this.files, options, own.entry, version);
    if (found) return found;
    const kept = own.files.map((stored) => stored.version);
    return refuseVersion(name, version, kept);
  }

  /** Compacts the log while requests go on. */
  private compactLater(): void {
    this.rows = 0;
    this.compacting ??= this.compact().finally(() => {
      this.compacting = undefined;
    });
  }

  /** Begins a new segment, writes models as files, and drops the segments before if the files contain everything in them. */
  private async compact(): Promise<void> {
    try {
      await this.log.rotate();
      const { segment } = this.log.tail;
      const versions = Array.from(this.models, ([name, { entry }]) => [name, entry.version] as const);
      for (const [name, own] of this.models) if (own.ahead) await this.snapshot(name);
      const needed = versions.some(([name, version]) => (this.models.get(name)?.base.version ?? version) < version);
      if (!needed && this.state === 'ready') await this.log.dropBefore(segment);
    } catch (cause) {
      this.settings.onWarning(`no snapshot was written: ${(cause as Error).message}`); // the log contains everything
    }
  }

  private async end(): Promise<void> {
    await new Promise(setImmediate); // requests of this turn are applied
    await this.log.idle();
    await this.compacting;
    if (this.state === 'ready' && this.isAhead()) await this.compact();
    await this.snapshots;
    await this.log.close();
    this.settings.release();
  }

  private checkpoint(): Pick<Checkpoint, 'models' | 'keys'> {
    const { models, removed, keys } = this.known;
    const gone = Array.from(removed, ([name, highest]) => ({ name, highest, version: 0, files: [], history: [] }));
    const entries = Array.from(models.values(), ({ entry }) => entry);
    return { models: [...entries.filter(({ files }) => files.length > 0), ...gone], keys: keys.save() };
  }

  /** Goes back to what is on stable storage. Version numbers that were given are not given again. */
  private async restore(tail: Tail): Promise<void> {
    const { models } = this.known;
    const known = await recover(this.settings.folder, this.files, { ...this.settings, models, tail });
    for (const [name, own] of known.models) own.highest = Math.max(own.highest, models.get(name)?.highest ?? 0);
    this.known = known;
    for (const [name, { served }] of known.models) {
      this.onChange?.({ kind: 'model', name, version: served.version, bytes: served.model.toBytes() });
    }
  }
}
