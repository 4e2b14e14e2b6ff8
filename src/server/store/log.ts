import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PolyaError, refuse } from '../../errors.ts';
import { encodeFrames, encodeSeal, SEAL_BYTES } from './frames.ts';
import { syncFolder, writeFailure } from './model-files.ts';
import type { ChangeRecord, Checkpoint } from './records.ts';

/** The end of the log on stable storage. */
export interface Tail {
  readonly segment: number;
  readonly end: number;
}

/** What a log needs of its store. */
export interface LogHooks {
  /** All that is on stable storage, for the start of a segment. */
  readonly checkpoint: () => Pick<Checkpoint, 'models' | 'keys'>;
  /** Called with every record that is on stable storage, in the order of the log. */
  readonly noted: (record: ChangeRecord) => void;
  /** Goes back to what is on stable storage, after a write failed. */
  readonly restore: (tail: Tail) => Promise<void>;
  readonly onWarning: (text: string) => void;
}

interface Pending {
  readonly record: ChangeRecord;
  readonly payload: string;
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
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
 * An append-only log in segment files, with group commit: while one group is written and synced, the next one gathers. A segment begins
 * with a checkpoint. After a failed write or sync the segment is never written again: the store goes back to what is on stable storage,
 * and a new segment is tried until one can be written.
 */
export class Log {
  /** Whether records are accepted, or why not. */
  state: 'ready' | 'read-only' | 'disk-full' = 'ready';
  /** Bytes of the current segment on stable storage, and where the next group is written: behind the seal, which is not synced. */
  private end: number;
  private position: number;
  private segment: number;
  private handle: FileHandle | undefined;
  private readonly folder: string;
  private readonly hooks: LogHooks;
  private queue: Pending[] = [];
  private waiting = 0;
  /** Ends with all work on files that was requested so far. */
  private last: Promise<unknown> = Promise.resolve();
  private retry: NodeJS.Timeout | undefined;
  private restored = true;
  /** The size of the latest group with those that arrived meanwhile, and when it ended. */
  private usual = 0;
  private ended = 0;
  private gathered: (() => void) | undefined;

  /** `folder` is that of the store, `tail` where the log ends so far. Nothing is accepted before `start`. */
  constructor(folder: string, tail: Tail, hooks: LogHooks) {
    this.folder = folder;
    this.segment = tail.segment;
    this.end = tail.end;
    this.position = tail.end;
    this.hooks = hooks;
  }

  get tail(): Tail {
    return { segment: this.segment, end: this.end };
  }

  /** Begins the first segment of this process. `fresh` cuts off all earlier segments. */
  async start(fresh = false): Promise<void> {
    const own = join(this.folder, LOG_FOLDER);
    if (await mkdir(own, { recursive: true, mode: 0o700 })) await syncFolder(this.folder);
    await this.startSegment(fresh);
  }

  /** Refuses when nothing can be written now. */
  requireReady(): void {
    if (this.waiting > MAX_WAITING)
      refuse('E_OVERLOADED', 'the disk does not keep up with what is learned; try again later');
    if (this.state === 'disk-full') throw writeFailure({ code: 'ENOSPC' });
    if (this.state === 'read-only') throw readonlyFailure();
  }

  /** Appends a record with those of other requests; done once it is on stable storage. */
  append(record: ChangeRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      const payload = JSON.stringify(record);
      this.waiting += payload.length;
      const length = this.queue.push({ record, payload, resolve, reject });
      if (length === 1) void this.next(() => this.writeGroup());
      if (length >= this.usual) this.gathered?.();
    });
  }

  /** Begins a new segment: records that are appended from now on are in it. */
  rotate(): Promise<void> {
    return this.next(async () => {
      try {
        if (this.state === 'ready') await this.startSegment();
      } catch (cause) {
        await this.fail(cause, []);
      }
    });
  }

  /** Removes segments before one, oldest first, so that the rest stays a sequence. */
  async dropBefore(segment: number): Promise<void> {
    for (const number of await listSegments(this.folder)) {
      if (number < segment) await rm(segmentPath(this.folder, number), { force: true });
    }
  }

  /** Waits for all that was appended so far. */
  idle(): Promise<void> {
    return this.next(async () => undefined);
  }

  close(): Promise<void> {
    return this.next(async () => {
      clearTimeout(this.retry);
      this.state = 'read-only';
      await this.handle?.close();
    });
  }

  private next(work: () => Promise<void>): Promise<void> {
    const result = this.last.then(work);
    this.last = result;
    return result;
  }

  private async writeGroup(): Promise<void> {
    if (this.queue.length < this.usual && performance.now() - this.ended < GATHER) await this.gather();
    const group = this.take();
    try {
      const { handle } = this;
      if (!handle || this.state !== 'ready') throw readonlyFailure();
      await this.write(
        handle,
        encodeFrames(
          group.map(({ payload }) => payload),
          this.position,
        ),
      );
    } catch (cause) {
      return this.fail(cause, group);
    }
    for (const { record } of group) this.hooks.noted(record);
    for (const own of group) own.resolve();
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

  private take(): Pending[] {
    const group = this.queue;
    this.gathered = undefined;
    this.queue = [];
    this.waiting = 0;
    return group;
  }

  /** Writes and syncs frames at the end of the segment, and puts a seal behind them. */
  private async write(handle: FileHandle, bytes: Buffer): Promise<void> {
    await writeAll(handle, bytes, this.position);
    await handle.datasync();
    this.end = this.position + bytes.length;
    this.position = this.end;
    try {
      await writeAll(handle, encodeSeal(this.end), this.end);
      this.position += SEAL_BYTES;
    } catch {
      // A seal needs no sync: without it, an intact frame counts as well. The next group fails if the disk still does.
    }
  }

  /** Writes the checkpoint of a new segment and continues there. */
  private async startSegment(fresh = false): Promise<void> {
    const segment = this.segment + 1;
    const path = segmentPath(this.folder, segment);
    const previous = fresh || this.segment === 0 ? null : this.tail;
    const checkpoint: Checkpoint = {
      kind: 'checkpoint',
      format: 2,
      segment,
      previous,
      ...this.hooks.checkpoint(),
    };
    await rm(path, { force: true }); // of an attempt that failed
    const handle = await open(path, 'wx', 0o600);
    const { position, end } = this;
    try {
      this.position = 0;
      await this.write(handle, encodeFrames([JSON.stringify(checkpoint)], 0));
      await syncFolder(join(this.folder, LOG_FOLDER));
    } catch (cause) {
      [this.position, this.end] = [position, end];
      await handle.close().catch(() => undefined);
      throw cause;
    }
    await this.handle?.close().catch(() => undefined);
    this.handle = handle;
    this.segment = segment;
  }

  /** Goes back to what is on stable storage, then rejects what could not be written and what was queued after that. */
  private async fail(cause: unknown, group: readonly Pending[]): Promise<void> {
    const failure = writeFailure(cause);
    const full = failure.code === 'E_DISK_FULL';
    const all = [...group, ...this.take()];
    if (this.state === 'ready') {
      const what = full ? 'the disk is full' : 'a write failed';
      this.hooks.onWarning(`${what}: nothing is learned until the disk accepts writes again`);
    }
    this.state = full ? 'disk-full' : 'read-only';
    this.restored = false;
    await this.restore();
    for (const own of [...all, ...this.take()]) own.reject(full ? failure : readonlyFailure(cause));
    this.tryAgain();
  }

  private async restore(): Promise<void> {
    try {
      await this.hooks.restore(this.tail);
      this.restored = true;
    } catch (cause) {
      this.hooks.onWarning(`the store cannot be read: ${(cause as Error).message}`);
    }
  }

  /** Tries from time to time to begin a new segment. */
  private tryAgain(): void {
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.next(() => this.resume()), RETRY_EVERY).unref();
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
