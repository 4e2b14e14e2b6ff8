import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PolyaError, refuse } from '../../errors.ts';
import { Turns } from '../turns.ts';
import { encodeFrames, encodeSeal, SEAL_BYTES } from './frames.ts';
import { type Segment, writeManifest } from './manifest.ts';
import { syncFolder, writeFailure } from './model-files.ts';
import type { KeysRecord, Learned, LearnRecord, ModelEntry, SavedUse } from './records.ts';

/** What a log needs of its store. */
export interface LogHooks<R> {
  /** What is on stable storage: models for a manifest, and keys for the start of a segment. */
  readonly models: () => readonly ModelEntry[];
  readonly keys: () => readonly SavedUse[];
  /** Applies requests in memory. Returns those that are to be written, and answers the others. */
  readonly apply: (requests: readonly R[]) => readonly Entry[];
  /** Called with every record that is on stable storage, in the order of the log. */
  readonly noted: (record: LearnRecord) => void;
  /** Goes back to what is on stable storage, after a write failed. */
  readonly restore: (segments: readonly Segment[]) => Promise<void>;
  readonly onWarning: (text: string) => void;
}

/** A request that may lead to a record of about a size, and its answer. */
export interface LogRequest {
  readonly size: number;
  readonly resolve: (done: Learned) => void;
  readonly reject: (cause: unknown) => void;
}

/** A record that is to be written, as JSON, and the answer to its request when it is on stable storage. */
export interface Entry {
  readonly request: LogRequest;
  readonly record: LearnRecord;
  readonly payload: string;
  readonly answer: Learned;
}

/** Milliseconds between two attempts to write again after a failure. */
const RETRY_EVERY = 500;

/** Milliseconds that a group waits for as many clients as the one before had: a sync costs the same for one and for fifty. */
const GATHER = 4;

/** Bytes that may wait to be written. */
const MAX_WAITING = 64 * 2 ** 20;

const LOG_FOLDER = 'log';

/** The path of a segment of the store in a folder. */
export const segmentPath = (folder: string, number: number): string =>
  join(folder, LOG_FOLDER, `${String(number).padStart(8, '0')}.log`);

/** The numbers of the segments of the store in a folder, in order. */
export async function listSegments(folder: string): Promise<number[]> {
  const names = await readdir(join(folder, LOG_FOLDER)).catch(() => []);
  return names.flatMap((name) => (/^\d{8}\.log$/.test(name) ? [Number(name.slice(0, 8))] : [])).sort((a, b) => a - b);
}

/**
 * An append-only log in segment files, with group commit: while one group is written and synced, the requests of the next one gather; they
 * are applied and written together. All of this happens one after another, so that other changes fall between two groups. A manifest names the
 * segments and all that the store knew when it was written. After a failed write or sync the segment is never written again: the store
 * goes back to what is on stable storage, and a new segment is tried until one can be written.
 */
export class Log<R extends LogRequest> {
  /** Whether records are accepted, or why not. */
  state: 'ready' | 'read-only' | 'disk-full' = 'ready';
  /** The segments before the current one. */
  private earlier: readonly Segment[];
  private number: number;
  /** The number of the latest attempt to begin a segment. */
  private highest: number;
  /** Bytes of the current segment on stable storage, and where the next group is written: behind the seal, which is not synced. */
  private end = 0;
  private position = 0;
  private handle: FileHandle | undefined;
  private readonly folder: string;
  private readonly hooks: LogHooks<R>;
  private queue: R[] = [];
  private waiting = 0;
  private readonly turns = new Turns();
  private retry: NodeJS.Timeout | undefined;
  private restored = true;
  /** The size of the latest group with those that arrived meanwhile, and when it ended. */
  private usual = 0;
  private ended = 0;
  private gathered: (() => void) | undefined;

  /** `folder` is that of the store, `segments` what it consists of so far. Nothing is accepted before `start`. */
  constructor(folder: string, segments: readonly Segment[], hooks: LogHooks<R>) {
    this.folder = folder;
    this.earlier = segments;
    this.number = segments.at(-1)?.number ?? 0;
    this.highest = this.number;
    this.hooks = hooks;
  }

  /** The segments on stable storage. */
  get segments(): readonly Segment[] {
    return this.handle ? [...this.earlier, { number: this.number, end: this.end }] : this.earlier;
  }

  /** Bytes of the current segment. */
  get length(): number {
    return this.end;
  }

  /** Begins the first segment of this process; drops those before unless they are needed. */
  async start(needed: boolean): Promise<void> {
    const own = join(this.folder, LOG_FOLDER);
    if (await mkdir(own, { recursive: true, mode: 0o700 })) await syncFolder(this.folder);
    if (!needed) this.earlier = [];
    await this.startSegment();
    await this.removeUnnamed();
  }

  /** Refuses when nothing can be written now. */
  requireReady(): void {
    if (this.waiting > MAX_WAITING)
      refuse('E_OVERLOADED', 'the disk does not keep up with what is learned; try again later');
    this.requireWritable();
  }

  /** Refuses when the disk accepts no writes. */
  requireWritable(): void {
    if (this.state === 'disk-full') throw writeFailure({ code: 'ENOSPC' });
    if (this.state === 'read-only') throw readonlyFailure();
  }

  /** Takes a request; it is applied and written with others. */
  request(request: R): void {
    this.requireReady();
    this.waiting += request.size;
    const length = this.queue.push(request);
    if (length === 1) void this.exclusive(() => this.writeGroup());
    if (length >= this.usual) this.gathered?.();
  }

  /** Does some work after all that was requested before; nothing is applied or written meanwhile. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.turns.take(work);
  }

  /** Writes a manifest of what the store contains now; only within `exclusive`. */
  commit(): Promise<void> {
    return this.change(() => this.writeManifest(this.earlier, this.number));
  }

  /** Begins a new segment; returns its number. */
  async rotate(): Promise<number> {
    await this.exclusive(() => this.change(() => this.startSegment()));
    return this.number;
  }

  /** Drops the segments before one: model files contain everything in them. */
  dropBefore(segment: number): Promise<void> {
    return this.exclusive(() =>
      this.change(async () => {
        const kept = this.earlier.filter(({ number }) => number >= segment);
        await this.writeManifest(kept, this.number);
        this.earlier = kept;
        await this.removeUnnamed();
      }),
    );
  }

  /** Waits for all that was requested so far. */
  idle(): Promise<void> {
    return this.exclusive(async () => undefined);
  }

  close(): Promise<void> {
    return this.exclusive(async () => {
      clearTimeout(this.retry);
      this.state = 'read-only';
      await this.handle?.close();
    });
  }

  /** Changes what the store consists of. A failure is handled like one of a write. */
  private async change(work: () => Promise<void>): Promise<void> {
    this.requireWritable();
    try {
      await work();
    } catch (cause) {
      await this.fail(cause, []);
      throw writeFailure(cause);
    }
  }

  private async writeGroup(): Promise<void> {
    await new Promise(setImmediate); // what arrives in the same turn goes into one group
    if (this.queue.length < this.usual && performance.now() - this.ended < GATHER) await this.gather();
    const requests = this.queue;
    this.gathered = undefined;
    this.queue = [];
    this.waiting = 0;
    const group = this.hooks.apply(requests);
    if (group.length === 0) return;
    try {
      const payloads = group.map(({ payload }) => payload);
      const bytes = encodeFrames(payloads, this.position);
      const handle = this.handle!; // there is one after `start`
      await writeAll(handle, bytes, this.position);
      await handle.datasync();
      this.end = this.position + bytes.length;
      this.position = await seal(handle, this.end);
    } catch (cause) {
      return this.fail(cause, group);
    }
    for (const { record } of group) this.hooks.noted(record);
    for (const { request, answer } of group) request.resolve(answer);
    this.usual = group.length + this.queue.length;
    this.ended = performance.now();
  }

  /** Waits until as many records have arrived as before, but not for long. */
  private gather(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHER);
      this.gathered = () => resolve(clearTimeout(timer));
    });
  }

  /** Continues in a new segment. */
  private async startSegment(): Promise<void> {
    const number = ++this.highest;
    const { handle, end } = await newSegment(this.folder, number, this.hooks.keys());
    const earlier = this.segments;
    try {
      await this.writeManifest(earlier, number);
    } catch (cause) {
      await handle.close().catch(() => undefined);
      throw cause;
    }
    await this.handle?.close().catch(() => undefined);
    Object.assign(this, { handle, earlier, number, end, position: await seal(handle, end) });
  }

  private writeManifest(earlier: readonly Segment[], number: number): Promise<void> {
    const segments = [...earlier, { number }];
    return writeManifest(this.folder, { format: 3, models: this.hooks.models(), segments });
  }

  /** Removes segments that the manifest does not name. */
  private async removeUnnamed(): Promise<void> {
    const named = new Set(this.segments.map(({ number }) => number));
    for (const number of await listSegments(this.folder)) {
      if (!named.has(number)) await rm(segmentPath(this.folder, number), { force: true });
    }
  }

  /** Goes back to what is on stable storage, then rejects what could not be written. Requests that wait are refused when they are applied. */
  private async fail(cause: unknown, group: readonly Entry[]): Promise<void> {
    const failure = writeFailure(cause);
    const full = failure.code === 'E_DISK_FULL';
    if (this.state === 'ready') {
      const what = full ? 'the disk is full' : 'a write failed';
      this.hooks.onWarning(`${what}: nothing is learned until the disk accepts writes again`);
    }
    this.state = full ? 'disk-full' : 'read-only';
    this.restored = false;
    await this.restore();
    for (const { request } of group) request.reject(full ? failure : readonlyFailure(cause));
    this.tryAgain();
  }

  private async restore(): Promise<void> {
    try {
      await this.hooks.restore(this.segments);
      this.restored = true;
    } catch (cause) {
      this.hooks.onWarning(`the store cannot be read: ${(cause as Error).message}`);
    }
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
      await this.startSegment();
      const what = this.state === 'disk-full' ? 'there is space again' : 'the disk accepts writes again';
      this.state = 'ready';
      this.hooks.onWarning(`${what}: learning resumes`);
    } catch (cause) {
      this.state = writeFailure(cause).code === 'E_DISK_FULL' ? 'disk-full' : 'read-only';
      this.tryAgain();
    }
  }
}

/** Writes a segment without records, in the place of one that no manifest names. It begins with a seal and the keys. */
export async function newSegment(
  folder: string,
  number: number,
  keys: readonly SavedUse[],
): Promise<{ readonly handle: FileHandle; readonly end: number }> {
  const path = segmentPath(folder, number);
  await rm(path, { force: true });
  const handle = await open(path, 'wx', 0o600);
  try {
    const first: KeysRecord = { kind: 'keys', keys };
    const bytes = Buffer.concat([encodeSeal(0), encodeFrames([JSON.stringify(first)], SEAL_BYTES)]);
    await writeAll(handle, bytes, 0);
    await handle.sync();
    await syncFolder(join(folder, LOG_FOLDER));
    return { handle, end: bytes.length };
  } catch (cause) {
    await handle.close().catch(() => undefined);
    throw cause;
  }
}

/** Writes a seal at an offset and returns where the next group begins. A seal needs no sync: without it, an intact frame counts as well. */
async function seal(handle: FileHandle, offset: number): Promise<number> {
  try {
    await writeAll(handle, encodeSeal(offset), offset);
    return offset + SEAL_BYTES;
  } catch {
    return offset; // the next group is written here and fails if the disk still does
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, position + at);
    if (bytesWritten === 0) throw Object.assign(new Error('nothing was written'), { code: 'ENOSPC' });
    at += bytesWritten;
  }
}

function readonlyFailure(cause?: unknown): PolyaError {
  const sentence = 'a write to the store failed; nothing is learned until the disk accepts writes again';
  return new PolyaError('E_STORE_READONLY', sentence, {}, cause);
}
