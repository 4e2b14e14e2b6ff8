import { refuse, show } from '../../errors.ts';
import { requireVersion } from '../memory-store.ts';
import { type Example, serveModel } from '../model/served-model.ts';
import type { Learned, LearnOptions, ModelStore, Served, StoreState, VersionEntry } from '../model-store.ts';
import type { Past } from './history.ts';
import { KeptModel } from './kept-model.ts';
import type { Ledger } from './ledger.ts';
import type { KeptFile } from './manifest.ts';
import { encodeRecord, type Record, savedAnswer, type Verb } from './record.ts';
import { relearn } from './recover.ts';
import type { Shelf } from './shelf.ts';

type IfVersion = Pick<LearnOptions, 'ifVersion'>;

/** What a durable store is told. */
export interface StoreSettings {
  readonly keptVersions: number;
  /** After so many rows models are written as a whole. */
  readonly snapshotEvery: number;
  readonly now: () => Date;
  readonly onWarning: (text: string) => void;
  /** Gives the folder free. */
  readonly release: () => void;
}

/**
 * Models that learn for good. A request is done in memory first, which refuses what cannot be done; then its record goes to the
 * journal with those of others, and it is answered when that is on stable storage. From time to time a model is written as
 * a whole, and the journal begins anew. After a crash the files and the records since give the model that was acknowledged.
 */
export class DurableStore implements ModelStore {
  private readonly ledger: Ledger;
  private readonly shelf: Shelf;
  private readonly settings: StoreSettings;
  private snapshots: Promise<unknown> = Promise.resolve();
  private rows = 0;
  private tending = false;
  private closing: Promise<void> | undefined;

  constructor(ledger: Ledger, shelf: Shelf, settings: StoreSettings) {
    this.ledger = ledger;
    this.shelf = shelf;
    this.settings = settings;
  }

  get state(): StoreState {
    return this.ledger.state;
  }

  list(): readonly Served[] {
    return Array.from(this.models.values(), ({ served }) => served).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  get(name: string): Served | undefined {
    return this.models.get(name)?.served;
  }

  learn(name: string, examples: readonly Example[], options: LearnOptions = {}): Promise<Learned> {
    return this.act('learn', name, examples, options);
  }

  unlearn(name: string, examples: readonly Example[], options: LearnOptions = {}): Promise<Learned> {
    return this.act('unlearn', name, examples, options);
  }

  put(name: string, bytes: Uint8Array, options: IfVersion = {}): Promise<Served> {
    return this.enter(name, bytes, 'uploaded', options);
  }

  /** For the start: a model that the store does not know yet. */
  async load(name: string, bytes: Uint8Array): Promise<void> {
    if (!this.models.has(name)) await this.enter(name, bytes, 'loaded', {});
  }

  async remove(name: string, { ifVersion }: IfVersion = {}): Promise<void> {
    const own = this.kept(name);
    requireVersion(own.served.version, ifVersion);
    this.ledger.requireReady();
    this.models.delete(name);
    this.ledger.known.removed.set(name, { ...own.entry, removed: true, files: [], history: [] });
    await this.ledger.write(() => undefined);
    if (!this.models.has(name)) await this.shelf.removeAll(name);
  }

  versions(name: string): readonly VersionEntry[] {
    return this.kept(name).versions();
  }

  /** One after another: two of one version would be one too many. */
  snapshot(name: string): Promise<{ version: number; bytes: number }> {
    const next = this.snapshots.then(() => this.writeSnapshot(name));
    this.snapshots = next.catch(() => undefined);
    return next;
  }

  async rollback(name: string, version: number, options: IfVersion = {}): Promise<Served> {
    const own = this.kept(name);
    requireVersion(own.served.version, options.ifVersion);
    const file = own.files.find((kept) => kept.version === version);
    const bytes = file ? await this.shelf.read(name, file) : await this.rebuilt(own, version);
    return this.enter(name, bytes, 'rolled back', options);
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  /** Writes models as files while requests go on, so that the journal can begin anew. */
  tend(): void {
    if (this.tending) return;
    this.tending = true;
    this.rows = 0;
    this.snapshotAll()
      .catch((cause) => this.warnOfSnapshot(cause))
      .finally(() => {
        this.tending = false;
      });
  }

  private warnOfSnapshot(cause: Error): void {
    this.settings.onWarning(`no snapshot was written: ${cause.message}`);
  }

  private async end(): Promise<void> {
    await this.ledger.idle();
    if (this.state === 'ready') await this.snapshotAll().catch((cause) => this.warnOfSnapshot(cause)); // the journal has it all
    await this.snapshots;
    await this.ledger.close();
    this.settings.release();
  }

  private get models(): Map<string, KeptModel> {
    return this.ledger.known.models;
  }

  private kept(name: string): KeptModel {
    return this.models.get(name) ?? refuse('E_NOT_FOUND', `there is no model ${show(name)}`, { model: name });
  }

  /** Does what a request asks for in memory; a refusal is a refused promise, as one that comes later is. */
  private act(verb: Verb, name: string, examples: readonly Example[], options: LearnOptions): Promise<Learned> {
    try {
      const own = this.kept(name);
      const repeat = this.ledger.known.keys.find(name, verb, options);
      if (repeat) return repeat;
      requireVersion(own.served.version, options.ifVersion);
      this.ledger.requireReady();
      return this.record(own, verb, examples, options);
    } catch (cause) {
      return Promise.reject(cause);
    }
  }

  private record(
    own: KeptModel,
    verb: Verb,
    examples: readonly Example[],
    { key, hash, json }: LearnOptions,
  ): Promise<Learned> {
    const version = own.apply(verb, examples);
    const { name, model } = own.served;
    const { classes } = model;
    const scores = () => (verb === 'learn' ? own.scores() : null);
    const answer = key === undefined ? undefined : savedAnswer({ classes, prequential: scores() });
    const at = this.settings.now().getTime();
    const record: Record = { model: name, version, verb, at, examples, ...(answer && { key, hash, answer }) };
    const line = encodeRecord(record, json);
    const stored = new Promise<Learned>((resolve, fail) => {
      this.ledger.append({
        size: line.length,
        stage: (block) => {
          own.noteRecord(record, block);
          return line;
        },
        done: () => {
          resolve({ version, rows: examples.length, prequential: scores(), classes, repeated: false });
          this.rows += examples.length;
          if (this.rows >= this.settings.snapshotEvery) this.tend();
        },
        fail,
      });
    });
    this.ledger.known.keys.note(record, stored);
    return stored;
  }

  /** A model under its name, new or in the place of another. Its file is there before anything points to it. */
  private async enter(name: string, bytes: Uint8Array, origin: Past['origin'], wishes: IfVersion): Promise<Served> {
    const version = () => this.models.get(name)?.served.version ?? 0;
    requireVersion(version(), wishes.ifVersion);
    this.ledger.requireReady();
    const model = serveModel(bytes);
    const written = await this.shelf.write(name, version() + 1, [bytes]);
    requireVersion(version(), wishes.ifVersion);
    this.ledger.requireReady();
    const own = this.models.get(name) ?? this.newcomer(name);
    const served = own.replace(model);
    const past = { version: served.version, origin, at: this.settings.now().getTime(), rows: 0 };
    await this.keepFile(own, { ...written, version: served.version }, past);
    return served;
  }

  /** A name that nothing has; the numbers of what had it before go on. */
  private newcomer(name: string): KeptModel {
    const { models, removed } = this.ledger.known;
    const own = new KeptModel({ name, highest: removed.get(name)?.highest ?? 0, files: [], history: [] });
    removed.delete(name);
    models.set(name, own);
    return own;
  }

  /** Writes the model of now as a file, and lets the journal begin behind it. */
  private async writeSnapshot(name: string): Promise<{ version: number; bytes: number }> {
    const own = this.kept(name);
    if (own.ahead) {
      this.ledger.requireReady();
      const { model } = own.served;
      const written = await this.shelf.write(name, own.cut(), model.toParts());
      await this.keepFile(own, written);
      return written;
    }
    return own.base;
  }

  /** Lets the store point to a file, and to the oldest no more; those are removed when it does not. */
  private async keepFile(own: KeptModel, file: KeptFile, past?: Past): Promise<void> {
    let old: readonly KeptFile[] = [];
    const stage = () => {
      own.keep(file, past);
      old = own.forgetFiles(this.settings.keptVersions);
      return undefined;
    };
    await this.ledger.write(stage);
    await this.shelf.remove(own.served.name, old);
  }

  /** A version between two files, from the one before it and the records since. */
  private async rebuilt(own: KeptModel, version: number): Promise<Uint8Array> {
    const { name } = own.served;
    await this.ledger.idle();
    const copy = new KeptModel(own.entry, serveModel(await this.shelf.read(name, own.base)));
    if (version > own.base.version) await relearn(this.ledger.journal, copy, this.ledger.blocks, version);
    if (copy.served.version === version) return copy.served.model.toBytes();
    const kept = own.files.map((file) => file.version).join(', ');
    return refuse('E_NOT_FOUND', `version ${version} of ${name} is not kept; these are: ${kept}`, {
      model: name,
      version,
    });
  }

  private async snapshotAll(): Promise<void> {
    for (const [name, own] of this.models) if (own.ahead) await this.snapshot(name);
  }
}
