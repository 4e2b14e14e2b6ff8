import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Contents } from './contents.ts';
import { encodeFrames, encodeSeal, SEAL_BYTES } from './frames.ts';
import { type Segment, writeManifest } from './manifest.ts';
import { syncFolder } from './model-files.ts';
import type { KeysRecord } from './records.ts';

const LOG_FOLDER = 'log';

/** Milliseconds after which the latest group gets its seal if no other group brings it. */
const SEAL_AFTER = 20;

/** The path of a segment of the store in a folder. */
export const segmentPath = (folder: string, number: number): string =>
  join(folder, LOG_FOLDER, `${String(number).padStart(8, '0')}.log`);

/** The numbers of the segments of the store in a folder, in order. */
export async function listSegments(folder: string): Promise<number[]> {
  const names = await readdir(join(folder, LOG_FOLDER)).catch(() => []);
  return names.flatMap((name) => (/^\d{8}\.log$/.test(name) ? [Number(name.slice(0, 8))] : [])).sort((a, b) => a - b);
}

/**
 * An append-only log in segment files. A manifest names the segments and all that the store knew when it was written. After a failed
 * write or sync the segment is not appended to again: the caller begins a new one. Calls come one after another.
 */
export class Log {
  private readonly folder: string;
  /** The segments before the current one. */
  private earlier: readonly Segment[];
  private number: number;
  /** The number of the latest attempt to begin a segment. */
  private highest: number;
  private handle: FileHandle | undefined;
  /** Bytes of the current segment on stable storage, and whether the seal behind them was written. */
  private end = 0;
  private sealed = false;
  private sealing: NodeJS.Timeout | undefined;

  /** `folder` is that of the store, `segments` what it consists of so far. */
  constructor(folder: string, segments: readonly Segment[]) {
    this.folder = folder;
    this.earlier = segments;
    this.number = segments.at(-1)?.number ?? 0;
    this.highest = this.number;
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
  async start(contents: Contents, needed: boolean): Promise<void> {
    const own = join(this.folder, LOG_FOLDER);
    if (await mkdir(own, { recursive: true, mode: 0o700 })) await syncFolder(this.folder);
    if (!needed) this.earlier = [];
    await this.rotate(contents);
    await this.removeUnnamed();
  }

  /**
   * Writes a group of records, as JSON, to stable storage. The seal of the group before goes with it: it needs no sync of its own, because
   * without it an intact frame counts as well. A group of one is sealed at once, since no other may follow soon.
   */
  async append(payloads: readonly string[]): Promise<void> {
    const handle = this.handle!; // there is one after `start`
    const frames = encodeFrames(payloads, this.end + SEAL_BYTES);
    const bytes = this.sealed ? frames : Buffer.concat([encodeSeal(this.end), frames]);
    await writeAll(handle, bytes, this.sealed ? this.end + SEAL_BYTES : this.end);
    await handle.datasync();
    this.end += SEAL_BYTES + frames.length;
    this.sealed = false;
    if (payloads.length === 1) return this.seal();
    this.sealing ??= setTimeout(() => {
      this.sealing = undefined;
      void this.seal();
    }, SEAL_AFTER).unref();
  }

  /** Continues in a new segment, in the place of one that no manifest names; returns its number. It begins with a seal and the keys. */
  async rotate(contents: Contents): Promise<number> {
    const number = ++this.highest;
    const path = segmentPath(this.folder, number);
    await rm(path, { force: true });
    const handle = await open(path, 'wx', 0o600);
    const keys: KeysRecord = { kind: 'keys', keys: contents.keys.save() };
    const bytes = Buffer.concat([encodeSeal(0), encodeFrames([JSON.stringify(keys)], SEAL_BYTES)]);
    const earlier = this.segments;
    try {
      await writeAll(handle, bytes, 0);
      await handle.sync();
      await syncFolder(join(this.folder, LOG_FOLDER));
      await this.writeManifest(contents, earlier, number);
    } catch (cause) {
      await handle.close().catch(() => undefined);
      throw cause;
    }
    await this.handle?.close().catch(() => undefined);
    Object.assign(this, { handle, earlier, number, end: bytes.length, sealed: false });
    await this.seal();
    return number;
  }

  /** Writes a manifest of what the store contains now. */
  writeManifest(contents: Contents, earlier: readonly Segment[] = this.earlier, number = this.number): Promise<void> {
    const segments = [...earlier, { number }];
    return writeManifest(this.folder, { format: 3, models: contents.entries(), segments });
  }

  /** Drops the segments before one: model files contain everything in them. */
  async dropBefore(segment: number, contents: Contents): Promise<void> {
    const kept = this.earlier.filter(({ number }) => number >= segment);
    await this.writeManifest(contents, kept);
    this.earlier = kept;
    await this.removeUnnamed();
  }

  async close(): Promise<void> {
    clearTimeout(this.sealing);
    await this.seal();
    await this.handle?.close();
  }

  /** Writes the seal of the latest group. If that fails, the next group brings it, or fails as well. */
  private async seal(): Promise<void> {
    const { handle, end, sealed } = this;
    if (!handle || sealed) return;
    try {
      await writeAll(handle, encodeSeal(end), end);
    } catch {
      return;
    }
    if (this.handle === handle && this.end === end) this.sealed = true;
  }

  /** Removes segments that the manifest does not name. */
  private async removeUnnamed(): Promise<void> {
    const named = new Set(this.segments.map(({ number }) => number));
    for (const number of await listSegments(this.folder)) {
      if (!named.has(number)) await rm(segmentPath(this.folder, number), { force: true });
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
