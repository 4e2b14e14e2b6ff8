import type { Label } from '../../data/labels.ts';
import { PolyaError, refuse } from '../../errors.ts';
import type { Example } from '../model/served-model.ts';
import { type LearnOptions, ModelStore, requireVersion, type StoreState } from '../model-store.ts';
import { Turns } from '../turns.ts';
import type { Contents } from './contents.ts';
import { type Entry, Log, type LogRequest } from './log.ts';
import { type Segment, takeFolder } from './manifest.ts';
import { ModelFiles, writeFailure } from './model-files.ts';
import type { Learned, LearnRecord, StoredFile, Verb } from './records.ts';
import { readVersion, recover } from './recover.ts';

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

/** Options with their defaults, and the folder. */
interface Settings extends Required<{ [K in keyof StoreOptions]: NonNullable<StoreOptions[K]> }> {
  readonly folder: string;
  /** Releases the folder. */
  readonly release: () => void;
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
    const { contents, segments } = await recover(folder, { keys, onWarning });
    store = new DurableStore(contents, segments, { folder, keys, keptVersions, snapshotEvery, onWarning, release });
    await store.start(models);
    return store;
  } catch (cause) {
    await store?.close();
    release();
    throw cause instanceof PolyaError ? cause : writeFailure(cause);
  }
}

/** A request to learn or unlearn. */
interface Request extends LogRequest {
  readonly verb: Verb;
  readonly name: string;
  readonly examples: readonly Example[];
  /** The examples as JSON. */
  readonly text: string;
  readonly options: LearnOptions;
  readonly done: () => Promise<Learned>;
}

/** Bytes of a segment after which models are written as files and a new one begins. */
const MAX_SEGMENT = 64 * 2 ** 20;

/**
 * Models that learn durably. A request is applied in memory first, which refuses what cannot be done; then its record is appended to the
 * log together with those of others, and it is answered when they are on stable storage. From time to time models are written as files
 * and the log before them is dropped. After a crash, files and log give the model that was acknowledged.
 */
class DurableStore extends ModelStore {
  private readonly log: Log<Request>;
  private readonly files: ModelFiles;
  private readonly settings: Settings;
  private readonly snapshots = new Turns();
  private rows = 0;
  private compacting: Promise<void> | undefined;
  private closing: Promise<void> | undefined;

  constructor(contents: Contents, segments: readonly Segment[], settings: Settings) {
    super(contents);
    const { folder, onWarning } = settings;
    this.settings = settings;
    this.files = new ModelFiles(folder);
    this.log = new Log(folder, segments, {
      models: () => this.contents.entries(),
      keys: () => this.contents.keys.save(),
      apply: (requests) => this.applyAll(requests),
      noted: (record) => this.noted(record),
      restore: (known) => this.restore(known),
      onWarning,
    });
  }

  /** Starts to accept requests, with models that the store does not know yet. */
  async start(models: ReadonlyMap<string, Uint8Array>): Promise<void> {
    await this.log.start(this.isAhead());
    await this.files.tidy(this.contents.models);
    for (const [name, bytes] of models) if (!this.get(name)) await this.put(name, bytes, { origin: 'loaded' });
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

  /** Snapshots run one after another, so that two requests do not write the same version. */
  snapshot(name: string): Promise<{ version: number; bytes: number }> {
    return this.snapshots.take(() => this.writeSnapshot(name));
  }

  /** The bytes of a version: a file, or the latest file and the records since. */
  override async read(name: string, version: number): Promise<Uint8Array> {
    const { base, entry } = this.stored(name);
    if (version <= base) return super.read(name, version);
    await this.log.idle();
    const { folder } = this.settings;
    const found = await readVersion(folder, { ...this.settings, segments: this.log.segments }, entry, version);
    return found ?? super.read(name, version);
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  protected requireReady(): void {
    this.log.requireReady();
  }

  protected writeFile(name: string, version: number, parts: readonly Uint8Array[]): Promise<StoredFile> {
    return this.files.write(name, version, parts);
  }

  protected readFile(name: string, file: StoredFile): Promise<Uint8Array> {
    return this.files.read(name, file);
  }

  protected removeFiles(name: string, files?: readonly StoredFile[]): Promise<void> {
    return this.files.remove(name, files);
  }

  protected keep(files: readonly StoredFile[]): readonly StoredFile[] {
    return files.slice(-this.settings.keptVersions);
  }

  protected commit(): Promise<void> {
    return this.log.commit();
  }

  protected exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.log.exclusive(work);
  }

  protected override noted(record: LearnRecord): void {
    super.noted(record);
    this.rows += record.examples.length;
    if (this.rows < this.settings.snapshotEvery && this.log.length <= MAX_SEGMENT) return;
    this.rows = 0;
    this.compacting ??= this.compact().finally(() => {
      this.compacting = undefined;
    });
  }

  /** Whether a model has learned something since its latest file. */
  private isAhead(): boolean {
    return [...this.contents.models.values()].some(({ ahead }) => ahead);
  }

  private request(
    verb: Verb,
    name: string,
    examples: readonly Example[],
    options: LearnOptions = {},
  ): Promise<Learned> {
    const text = JSON.stringify(examples);
    const done = new Promise<Learned>((resolve, reject) => {
      this.log.request({ verb, name, examples, text, size: text.length, options, done: () => done, resolve, reject });
    });
    return done;
  }

  /** Applies requests in their order. Neighbours that teach one model are applied at once: that costs a third. */
  private applyAll(all: readonly Request[]): readonly Entry[] {
    const entries: Entry[] = [];
    let run: Request[] = [];
    const keys = new Set<string | undefined>();
    const flush = () => {
      if (run.length > 0) this.apply(run, entries);
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
    return entries;
  }

  /** How many classes a request adds; undefined if it is answered or refused already. */
  private admit({ verb, name, examples, options, resolve, reject }: Request): number | undefined {
    try {
      const { version, model } = this.find(name);
      const answer = this.contents.keys.find(name, verb, options.key, options.hash);
      if (answer) return void answer.then(resolve, reject);
      requireVersion(version, options);
      this.log.requireWritable();
      return verb === 'learn' ? addedClasses(model.classes, examples, options.limits) : 0;
    } catch (cause) {
      return void reject(cause);
    }
  }

  /** Applies requests in memory and adds their records; if one of several is refused, each is applied by itself. */
  private apply(run: readonly Request[], entries: Entry[]): void {
    const [{ verb, name }] = run;
    const own = this.stored(name);
    const all = run.length === 1 ? run[0].examples : run.flatMap(({ examples }) => examples);
    try {
      own.apply(verb, all, run.length);
    } catch (cause) {
      if (run.length === 1) run[0].reject(cause);
      else for (const one of run) this.apply([one], entries);
      return;
    }
    const prequential = verb === 'learn' ? own.scores() : null;
    const at = Date.now();
    let version = own.served.version - run.length;
    for (const request of run) {
      const { examples, text, options } = request;
      const { key, hash } = options;
      const head = { kind: verb, model: name, version: ++version, at };
      const keyed = key === undefined ? head : { ...head, key, hash, prequential };
      const record: LearnRecord = { ...keyed, examples };
      const payload = `${JSON.stringify(keyed).slice(0, -1)},"examples":${text}}`;
      const answer = { version, rows: examples.length, prequential, repeated: false };
      entries.push({ request, record, payload, answer });
      this.contents.keys.note(record, request.done());
    }
  }

  private async writeSnapshot(name: string): Promise<{ version: number; bytes: number }> {
    const own = this.stored(name);
    if (!own.ahead) return own.files[own.files.length - 1];
    this.log.requireWritable();
    const { version, model } = own.startFile();
    const written = await this.files.write(name, version, model.toParts());
    return this.exclusive(async () => {
      if (this.contents.models.get(name) !== own || own.base >= version) {
        // It was removed or replaced, or went back to what is on stable storage: the file may contain rows that were refused.
        await this.files.remove(name, [written]);
        refuse('E_CONFLICT', `the model ${name} changed while its snapshot was written; try again`, { model: name });
      }
      await this.addFile(own, written);
      return written;
    });
  }

  /** Begins a new segment, writes models as files, and drops the segments before if the files contain everything in them. */
  private async compact(): Promise<void> {
    try {
      const segment = await this.log.rotate();
      const { models } = this.contents;
      const versions = Array.from(models, ([name, { entry }]) => [name, entry.version] as const);
      for (const [name, own] of models) if (own.ahead) await this.snapshot(name);
      const needed = versions.some(([name, version]) => (this.contents.models.get(name)?.base ?? version) < version);
      if (!needed && this.state === 'ready') await this.log.dropBefore(segment);
    } catch (cause) {
      this.settings.onWarning(`no snapshot was written: ${(cause as Error).message}`); // the log contains everything
    }
  }

  private async end(): Promise<void> {
    await this.log.idle();
    await this.compacting;
    if (this.state === 'ready' && this.isAhead()) await this.compact();
    await this.snapshots.take(async () => undefined);
    await this.log.close();
    this.settings.release();
  }

  /** Goes back to what is on stable storage. Version numbers that were given are not given again. */
  private async restore(segments: readonly Segment[]): Promise<void> {
    const { models } = this.contents;
    const { contents } = await recover(this.settings.folder, { ...this.settings, models, segments });
    for (const [name, own] of contents.models) own.highest = Math.max(own.highest, models.get(name)?.highest ?? 0);
    this.contents = contents;
    for (const name of contents.models.keys()) this.publish(name);
  }
}

/** How many labels of examples a model does not know; refuses more than the limits allow. */
function addedClasses(classes: readonly Label[], examples: readonly Example[], limits: LearnOptions['limits']): number {
  if (examples.length === 1 && classes.includes(examples[0].label)) return 0;
  const added = new Set(examples.map(({ label }) => label));
  for (const label of classes) added.delete(label);
  if (!limits) return added.size;
  const limit = Math.max(0, Math.min(limits.newClasses, limits.classes - classes.length));
  if (added.size <= limit) return added.size;
  const sentence = `the examples have ${added.size} labels that the model does not know, at most ${limit} can be added at once; a model has at most ${limits.classes}`;
  return refuse('E_LIMIT', sentence, { limit, actual: added.size });
}
