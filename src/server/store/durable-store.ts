import { createHash } from 'node:crypto';
import { PolyaError, refuse } from '../../errors.ts';
import type { Example } from '../model/served-model.ts';
import { type LearnOptions, ModelStore, type StoreState } from '../model-store.ts';
import { Turns } from '../turns.ts';
import { type Applied, applyRequests, type LearnRequest } from './apply.ts';
import type { Contents } from './contents.ts';
import { Log } from './log.ts';
import type { Segment } from './manifest.ts';
import { type ModelFiles, writeFailure } from './model-files.ts';
import type { Learned, LearnRecord, Verb } from './records.ts';
import { recover } from './recover.ts';

/** How a store works. */
interface Settings {
  readonly folder: string;
  readonly files: ModelFiles;
  readonly snapshotEvery: number;
  readonly keys: number;
  readonly onWarning: (text: string) => void;
  /** Releases the folder. */
  readonly release: () => void;
}

/** Milliseconds between two attempts to write again after a failure. */
const RETRY_EVERY = 500;

/** Milliseconds that a group waits for as many clients as the one before had: a sync costs the same for one and for fifty. */
const GATHER = 4;

/** Characters of examples that may wait to be written. */
const MAX_WAITING = 64 * 2 ** 20;

/** Bytes of a segment after which models are written as files and a new one begins. */
const MAX_SEGMENT = 64 * 2 ** 20;

/**
 * Models that learn durably. While one group of requests is written and synced, the next one gathers; its requests are applied in memory,
 * which refuses what cannot be done, then written together, and answered when they are on stable storage. All of this happens one after
 * another, so that other changes fall between two groups. From time to time models are written as files and the log before them is dropped.
 * After a crash, files and log give the model that was acknowledged. After a failed write the store goes back to what is on stable storage,
 * and tries to begin a new segment until one can be written.
 */
export class DurableStore extends ModelStore {
  state: StoreState = 'ready';
  private readonly log: Log;
  private readonly settings: Settings;
  private readonly snapshots = new Turns();
  private queue: LearnRequest[] = [];
  private waiting = 0;
  /** The size of the latest group with those that arrived meanwhile, and when it ended. */
  private usual = 0;
  private ended = 0;
  private gathered: (() => void) | undefined;
  private retry: NodeJS.Timeout | undefined;
  private restored = true;
  private rows = 0;
  private compacting: Promise<void> | undefined;
  private closing: Promise<void> | undefined;

  constructor(contents: Contents, segments: readonly Segment[], settings: Settings) {
    super(settings.files, contents);
    this.settings = settings;
    this.log = new Log(settings.folder, segments);
  }

  /** Starts to accept requests, with models that the store does not know yet. */
  async start(models: ReadonlyMap<string, Uint8Array>): Promise<void> {
    await this.log.start(this.contents, this.isAhead());
    await this.settings.files.tidy(this.contents.models);
    for (const [name, bytes] of models) if (!this.get(name)) await this.put(name, bytes, { origin: 'loaded' });
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
    if (version <= this.contents.find(name).base) return super.read(name, version);
    const only = { name, version };
    const { contents } = await this.exclusive(() => this.recover({ only }));
    const { served } = contents.find(name);
    return served.version === version ? served.model.toBytes() : super.read(name, version);
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  protected override requireReady(): void {
    if (this.waiting > MAX_WAITING)
      refuse('E_OVERLOADED', 'the disk does not keep up with what is learned; try again later');
    this.requireWritable();
  }

  protected override commit(): Promise<void> {
    return this.change(() => this.log.writeManifest(this.contents));
  }

  protected override noted(records: readonly LearnRecord[]): void {
    super.noted(records);
    for (const { examples } of records) this.rows += examples.length;
    if (this.rows < this.settings.snapshotEvery && this.log.length <= MAX_SEGMENT) return;
    this.rows = 0;
    this.compacting ??= this.compact().finally(() => {
      this.compacting = undefined;
    });
  }

  /** Refuses when the disk accepts no writes. */
  private requireWritable(): void {
    if (this.state === 'disk-full') throw writeFailure({ code: 'ENOSPC' });
    if (this.state === 'read-only') throw readonlyFailure();
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
    const hash = options.key === undefined ? undefined : createHash('sha256').update(text).digest('hex');
    const done = new Promise<Learned>((resolve, reject) => {
      this.requireReady();
      this.waiting += text.length;
      const length = this.queue.push({ verb, name, examples, text, hash, options, resolve, reject, done: () => done });
      if (length === 1) void this.exclusive(() => this.writeGroup());
      if (length >= this.usual) this.gathered?.();
    });
    return done;
  }

  private async writeGroup(): Promise<void> {
    await new Promise(setImmediate); // what arrives in the same turn goes into one group
    if (this.queue.length < this.usual && performance.now() - this.ended < GATHER) await this.gather();
    const requests = this.queue;
    this.gathered = undefined;
    this.queue = [];
    this.waiting = 0;
    const group = this.applyAll(requests);
    if (group.length === 0) return;
    try {
      await this.log.append(group.map(({ payload }) => payload));
    } catch (cause) {
      return this.fail(cause, group);
    }
    this.noted(group.map(({ record }) => record));
    for (const { request, answer } of group) request.resolve(answer);
    this.usual = group.length + this.queue.length;
    this.ended = performance.now();
  }

  /** Waits until as many requests have arrived as before, but not for long. */
  private gather(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHER);
      this.gathered = () => resolve(clearTimeout(timer));
    });
  }

  private applyAll(requests: readonly LearnRequest[]): Applied[] {
    try {
      this.requireWritable(); // a write may have failed since they arrived
    } catch (cause) {
      for (const { reject } of requests) reject(cause);
      return [];
    }
    return applyRequests(this.contents, requests);
  }

  private async writeSnapshot(name: string): Promise<{ version: number; bytes: number }> {
    const own = this.contents.find(name);
    if (!own.ahead) return own.files[own.files.length - 1];
    this.requireWritable();
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
      const segment = await this.exclusive(() => this.change(() => this.log.rotate(this.contents)));
      const { models } = this.contents;
      const versions = Array.from(models, ([name, { entry }]) => [name, entry.version] as const);
      for (const [name, own] of models) if (own.ahead) await this.snapshot(name);
      const needed = versions.some(([name, version]) => (this.contents.models.get(name)?.base ?? version) < version);
      if (needed || this.state !== 'ready') return;
      await this.exclusive(() => this.change(() => this.log.dropBefore(segment, this.contents)));
    } catch (cause) {
      this.settings.onWarning(`no snapshot was written: ${(cause as Error).message}`); // the log contains everything
    }
  }

  private async end(): Promise<void> {
    await this.exclusive(async () => undefined);
    await this.compacting;
    if (this.state === 'ready' && this.isAhead()) await this.compact();
    await this.snapshots.take(async () => undefined);
    await this.exclusive(() => {
      clearTimeout(this.retry);
      this.state = 'read-only';
      return this.log.close();
    });
    this.settings.release();
  }

  /** Changes what the store consists of. A failure is handled like one of a write. */
  private async change<T>(work: () => Promise<T>): Promise<T> {
    this.requireWritable();
    try {
      return await work();
    } catch (cause) {
      await this.fail(cause, []);
      throw writeFailure(cause);
    }
  }

  /** Goes back to what is on stable storage, then rejects what could not be written. Requests that wait are refused when they are applied. */
  private async fail(cause: unknown, group: readonly Applied[]): Promise<void> {
    const failure = writeFailure(cause);
    const full = failure.code === 'E_DISK_FULL';
    if (this.state === 'ready') {
      const what = full ? 'the disk is full' : 'a write failed';
      this.settings.onWarning(`${what}: nothing is learned until the disk accepts writes again`);
    }
    this.state = full ? 'disk-full' : 'read-only';
    this.restored = false;
    await this.restore();
    for (const { request } of group) request.reject(full ? failure : readonlyFailure(cause));
    this.tryAgain();
  }

  /** Goes back to what is on stable storage. Version numbers that were given are not given again. */
  private async restore(): Promise<void> {
    try {
      const { models } = this.contents;
      const { contents } = await this.recover({ models });
      for (const [name, own] of contents.models) own.highest = Math.max(own.highest, models.get(name)?.highest ?? 0);
      this.contents = contents;
      for (const name of contents.models.keys()) this.publish(name);
      this.restored = true;
    } catch (cause) {
      this.settings.onWarning(`the store cannot be read: ${(cause as Error).message}`);
    }
  }

  /** Reads what is on stable storage. */
  private recover(options: Pick<Parameters<typeof recover>[1], 'models' | 'only'>) {
    const { folder, keys, onWarning } = this.settings;
    return recover(folder, { keys, onWarning, segments: this.log.segments, ...options });
  }

  /** Tries from time to time to begin a new segment. */
  private tryAgain(): void {
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.exclusive(() => this.resume()), RETRY_EVERY).unref();
  }

  private async resume(): Promise<void> {
    try {
      if (!this.restored) await this.restore();
      if (!this.restored) return this.tryAgain();
      await this.log.rotate(this.contents);
      const what = this.state === 'disk-full' ? 'there is space again' : 'the disk accepts writes again';
      this.state = 'ready';
      this.settings.onWarning(`${what}: learning resumes`);
    } catch (cause) {
      this.state = writeFailure(cause).code === 'E_DISK_FULL' ? 'disk-full' : 'read-only';
      this.tryAgain();
    }
  }
}

function readonlyFailure(cause?: unknown): PolyaError {
  const sentence = 'a write to the store failed; nothing is learned until the disk accepts writes again';
  return new PolyaError('E_STORE_READONLY', sentence, {}, cause);
}
