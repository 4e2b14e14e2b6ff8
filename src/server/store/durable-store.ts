import type { Label } from '../../data/labels.ts';
import { refuse, show } from '../../errors.ts';
import { TurnQueue } from '../http/slices.ts';
import { refuseVersion, requireVersion } from '../memory-store.ts';
import { type Example, serveModel } from '../model/served-model.ts';
import type {
  ClassLimits,
  Learned,
  LearnOptions,
  ModelStore,
  PutOptions,
  Served,
  StoreState,
  VersionEntry,
} from '../model-store.ts';
import { Log, type Tail } from './log.ts';
import type { ModelFiles } from './model-files.ts';
import { type Checkpoint, type LearnRecord, type Past, type StoredFile, savedAnswer, type Verb } from './records.ts';
import { type Recovered, rebuild, recover } from './recover.ts';
import { StoredModel } from './stored-model.ts';

type IfVersion = Pick<LearnOptions, 'ifVersion'>;

/** A request to learn or unlearn, and how it is answered. */
interface Request {
  readonly verb: Verb;
  readonly name: string;
  readonly examples: readonly Example[];
  readonly options: LearnOptions;
  readonly resolve: (done: Learned) => void;
  readonly reject: (cause: unknown) => void;
}

/** How a durable store works. */
export interface StoreSettings {
  readonly folder: string;
  /** The folder of the log. */
  readonly logFolder: string;
  readonly keys: number;
  readonly keptVersions: number;
  /** Models are written as files after this many rows. */
  readonly snapshotEvery: number;
  readonly now: () => Date;
  readonly onWarning: (text: string) => void;
  /** Releases the folder. */
  readonly release: () => void;
}

/** Bytes of a segment after which models are written as files and a new one begins. */
const MAX_SEGMENT = 64 * 2 ** 20;

/**
 * Models that learn durably. A request is applied in memory first, which refuses what cannot be done; then its record is appended to the
 * log together with those of others, and it is answered when they are on stable storage. From time to time models are written as files
 * and the log before them is dropped. After a crash, files and log give the model that was acknowledged.
 */
export class DurableStore implements ModelStore {
  onChange: ModelStore['onChange'];
  private readonly log: Log;
  private readonly files: ModelFiles;
  private readonly settings: StoreSettings;
  private known: Recovered;
  private readonly arrived = new TurnQueue<Request>((all) => this.applyAll(all));
  private snapshots: Promise<unknown> = Promise.resolve();
  private rows = 0;
  private compacting: Promise<void> | undefined;
  private closing: Promise<void> | undefined;

  constructor(known: Recovered, files: ModelFiles, settings: StoreSettings) {
    this.known = known;
    this.files = files;
    this.settings = settings;
    this.log = new Log(settings.logFolder, known.tail, {
      checkpoint: () => this.checkpoint(),
      restore: (tail) => this.restore(tail),
      onWarning: settings.onWarning,
    });
  }

  /** Begins to accept requests, with models that the store does not know yet. */
  async start(models: ReadonlyMap<string, Uint8Array>): Promise<void> {
    await this.log.start();
    if (![...this.models.values()].some(({ ahead }) => ahead)) await this.log.dropBefore(this.log.tail.segment);
    await this.files.tidy(new Map(Array.from(this.models, ([name, { files }]) => [name, files])));
    for (const [name, bytes] of models) if (!this.models.has(name)) await this.enter(name, bytes, 'loaded', {});
  }

  get state(): StoreState {
    return this.log.state;
  }

  list(): readonly Served[] {
    return Array.from(this.models.values(), ({ served }) => served).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  get(name: string): Served | undefined {
    return this.models.get(name)?.served;
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

  async remove(name: string, { ifVersion }: IfVersion = {}): Promise<void> {
    const own = this.stored(name);
    requireVersion(own.served.version, ifVersion);
    this.log.requireReady();
    const { highest } = own;
    this.models.delete(name);
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

  async rollback(name: string, version: number, options: IfVersion = {}): Promise<Served> {
    requireVersion(this.stored(name).served.version, options.ifVersion);
    return this.enter(name, await this.read(name, version), 'rolled back', options);
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private get models(): Map<string, StoredModel> {
    return this.known.models;
  }

  private stored(name: string): StoredModel {
    return this.models.get(name) ?? refuse('E_NOT_FOUND', `there is no model ${show(name)}`, { model: name });
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
    try {
      const own = this.stored(name);
      const repeated = this.known.keys.find(name, verb, options);
      if (repeated) return void repeated.then(resolve, reject);
      requireVersion(own.served.version, options.ifVersion);
      this.log.requireReady();
      return verb === 'learn' ? addedClasses(own.served.model.classes, examples, options.limits) : 0;
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
    const { classes } = own.served.model;
    const prequential = verb === 'learn' ? own.scores() : null;
    const at = this.settings.now().getTime();
    for (const [i, { examples, options, resolve, reject }] of run.entries()) {
      const { key, hash } = options;
      const version = first + i;
      const answer = key === undefined ? undefined : savedAnswer({ classes, prequential });
      const record: LearnRecord = { kind: verb, model: name, version, at, examples, key, hash, answer };
      const { keys } = this.known;
      const done = () => {
        own.noteRecord(record);
        keys.note(record);
        this.onChange?.({ kind: verb, name, version, examples });
        this.rows += examples.length;
        if (this.rows >= this.settings.snapshotEvery || this.log.tail.end > MAX_SEGMENT) this.compactLater();
        resolve({ version, rows: examples.length, prequential, classes, repeated: false });
      };
      const stored = this.log.append(record, done);
      if (key !== undefined) keys.reserve(record, stored);
      stored.catch(reject);
    }
  }

  /** Serves a model under a name, new or in the place of another. Its file is written before the log names it. */
  private async enter(name: string, bytes: Uint8Array, origin: Past['origin'], options: IfVersion): Promise<Served> {
    const version = () => this.models.get(name)?.served.version ?? 0;
    const check = () => {
      requireVersion(version(), options.ifVersion);
      this.log.requireReady();
    };
    check();
    const model = serveModel(bytes);
    const written = await this.files.write(name, version() + 1, [bytes]);
    check();
    let own = this.models.get(name);
    if (!own) {
      const highest = this.known.removed.get(name) ?? 0; // version numbers of a removed model are not used again
      own = new StoredModel({ name, highest, version: 0, files: [], history: [] }, model);
      this.models.set(name, own);
    }
    const served = own.replace(model);
    const past = { version: served.version, origin, at: this.settings.now().getTime(), rows: 0 };
    const { version: now } = served;
    const publish = () => this.onChange?.({ kind: 'model', name, version: now, bytes });
    await this.noteFile(own, { ...written, version: now }, past, publish);
    this.known.removed.delete(name);
    return served;
  }

  private async writeSnapshot(name: string): Promise<{ version: number; bytes: number }> {
    const own = this.stored(name);
    if (!own.ahead) return { version: own.base.version, bytes: own.base.bytes };
    this.log.requireReady();
    const { model } = own.served;
    const written = await this.files.write(name, own.startSnapshot(), model.toParts());
    if (this.models.get(name) !== own) {
      // It was removed, or went back to what is on stable storage: the file may contain rows that were refused.
      await this.files.remove(name, [written]);
      refuse('E_CONFLICT', `the model ${name} changed while its snapshot was written; try again`, { model: name });
    }
    await this.noteFile(own, written);
    return { version: written.version, bytes: written.bytes };
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

  /** The bytes of a version: a file, or the file before it and the records since. */
  async read(name: string, version: number): Promise<Uint8Array> {
    const own = this.stored(name);
    const file = own.files.find((kept) => kept.version === version);
    if (file) return this.files.read(name, file);
    await this.log.idle();
    const { base } = own;
    if (version > base.version) {
      const copy = new StoredModel(own.entry, serveModel(await this.files.read(name, base)));
      const { folder, keys, onWarning } = this.settings;
      await rebuild(folder, this.files, { keys, onWarning, tail: this.log.tail }, copy, version);
      if (copy.served.version === version) return copy.served.model.toBytes();
    }
    return refuseVersion(
      name,
      version,
      own.files.map((stored) => stored.version),
    );
  }

  /** Compacts the log while requests go on. */
  private compactLater(): void {
    this.rows = 0;
    this.compacting ??= this.compact().finally(() => {
      this.compacting = undefined;
    });
  }

  /** Begins a new segment, writes models as files, and drops the segments before if the files contain all that they say. */
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
    if (this.state === 'ready' && [...this.models.values()].some(({ ahead }) => ahead)) await this.compact();
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
    const streams = new Map(Array.from(models, ([name, { stream }]) => [name, stream]));
    const { folder, keys, onWarning } = this.settings;
    const known = await recover(folder, this.files, { keys, streams, onWarning, tail });
    for (const [name, own] of known.models) own.highest = Math.max(own.highest, models.get(name)?.highest ?? 0);
    this.known = known;
    for (const [name, { served }] of known.models) {
      this.onChange?.({ kind: 'model', name, version: served.version, bytes: served.model.toBytes() });
    }
  }
}

/** How many labels of examples a model does not know; refuses more than `limits` allow. */
function addedClasses(classes: readonly Label[], examples: readonly Example[], limits?: ClassLimits): number {
  const known = examples.length === 1 && classes.includes(examples[0].label) ? undefined : new Set(classes);
  const fresh = known ? examples.filter(({ label }) => !known.has(label)) : [];
  if (fresh.length === 0) return 0;
  const added = new Set(fresh.map(({ label }) => label)).size;
  if (!limits) return added;
  const limit = Math.max(0, Math.min(limits.newClasses, limits.classes - classes.length));
  if (added <= limit) return added;
  const sentence = `the examples have ${added} labels that the model does not know, at most ${limit} can be added at once; a model has at most ${limits.classes}`;
  return refuse('E_LIMIT', sentence, { limit, actual: added });
}
