import { access, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PolyaError, refuse } from '../../errors.ts';
import { type Example, type ServedModel, serveModel } from '../model/served-model.ts';
import type { Verb } from '../model-store.ts';
import { frameAt, readFrames, sealedAfter } from './frames.ts';
import { KeyTable } from './keys.ts';
import { listSegments, segmentPath, type Tail } from './log.ts';
import type { ModelFiles } from './model-files.ts';
import { type Checkpoint, isLearning, type LearnRecord, type LogRecord, type ModelEntry } from './records.ts';
import { StoredModel } from './stored-model.ts';

/** What is on stable storage. */
export interface Recovered {
  readonly models: Map<string, StoredModel>;
  /** Models that were removed, with the highest version that they had. */
  readonly removed: Map<string, number>;
  readonly keys: KeyTable;
  /** Where the log ends. */
  readonly tail: Tail;
}

/** How a store is recovered. */
export interface RecoverOptions {
  /** How many idempotency keys are remembered. */
  readonly keys: number;
  /** Where the log ends if that is known; otherwise a torn last frame is dropped. */
  readonly tail?: Tail | undefined;
  /** Models whose prequential scores go on. */
  readonly models?: ReadonlyMap<string, StoredModel> | undefined;
  readonly onWarning: (text: string) => void;
}

/** Rows that were learned one by one are learned again this many at a time: the counts are the same at a third of the cost. */
const BATCH_ROWS = 16_384;

/** Reads what is on stable storage: model files, and the records since. */
export async function recover(folder: string, files: ModelFiles, options: RecoverOptions): Promise<Recovered> {
  const segments = await soundSegments(folder, files, options);
  const [first] = segments;
  if (!first) return { models: new Map(), removed: new Map(), keys: new KeyTable(options.keys), tail: NO_TAIL };
  const { entries, snapshots, removed } = await readMetadata(segments);
  const keys = new KeyTable(options.keys, first.checkpoint.keys);
  const models = new Map<string, StoredModel>();
  for (const { name, version } of first.checkpoint.models) {
    const base = entries.get(name)?.files.at(-1)?.version;
    if (base !== undefined && base < version) refuseLog(first, `segments before it are missing`);
  }
  for (const [name, entry] of entries) {
    const model = serveModel(await files.read(name, entry.files[entry.files.length - 1]));
    const stream = options.models?.get(name)?.stream;
    models.set(name, new StoredModel(entry, model, { stream, snapshots: snapshots.get(name) }));
  }
  await replay(segments, models, keys);
  for (const [name, entry] of entries) {
    const own = models.get(name)!;
    own.highest = Math.max(own.highest, entry.highest);
  }
  const { number: segment, end } = segments[segments.length - 1];
  return { models, removed, keys, tail: { segment, end } };
}

const NO_TAIL: Tail = { segment: 0, end: 0 };

/** A segment that can be read up to its end. */
interface Segment {
  readonly path: string;
  readonly number: number;
  readonly end: number;
  readonly checkpoint: Checkpoint;
}

/** The segments from which a store is recovered: a chain without a gap, whose last one may have a torn end. */
async function soundSegments(folder: string, files: ModelFiles, options: RecoverOptions): Promise<Segment[]> {
  await refuseOldFormat(folder);
  const last = options.tail?.segment ?? Number.POSITIVE_INFINITY;
  const numbers = (await listSegments(folder)).filter((number) => number <= last);
  const found: Segment[] = [];
  for (const number of numbers.reverse()) {
    const path = segmentPath(folder, number);
    const next = found[0];
    const end = next ? next.checkpoint.previous?.end : options.tail?.end;
    const segment = { path, number, ...(await readSegment(path, number, end, options)) };
    const { checkpoint } = segment;
    if (next && next.checkpoint.previous?.segment !== number) refuseLog(segment, 'the segment after it is missing');
    if (checkpoint) found.unshift({ ...segment, checkpoint });
    else if (next) refuseLog(segment, 'it has no checkpoint');
    if (checkpoint?.previous === null) return found;
  }
  if (found.length === 0 && (await files.names()).length > 0) {
    refuse('E_STORE_CORRUPT', `the log of the store is lost; ${ADVICE}`, {});
  }
  return found;
}

const ADVICE = 'restore the store from a backup, or start with --repair';

/** The checkpoint and the end of a segment. `end` is where it must end; without one a torn end is cut off with a warning. */
async function readSegment(
  path: string,
  number: number,
  end: number | undefined,
  { onWarning }: RecoverOptions,
): Promise<{ readonly end: number; readonly checkpoint: Checkpoint | undefined }> {
  if (end === undefined) await syncLog(path); // what is read is relied on, and the process may have died before it was synced
  const bytes = await readLog(path, end);
  const first = frameAt(bytes, 0);
  const checkpoint = first && readCheckpoint(first);
  const found = readFrames(bytes, () => undefined);
  if (end === undefined ? sealedAfter(bytes, found) : found !== end) refuseLog({ number, end: found }, 'it is damaged');
  if (end === undefined && found < bytes.length) {
    onWarning(`the log ended in a record that was not written completely: ${bytes.length - found} bytes were dropped`);
  }
  return { end: found, checkpoint };
}

/** The bytes of a segment up to an end. */
async function readLog(path: string, end?: number): Promise<Buffer> {
  try {
    if (end === undefined) return await readFile(path);
    const handle = await open(path);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(end), 0, end, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    return refuse('E_IO', UNREADABLE, {}, cause);
  }
}

async function syncLog(path: string): Promise<void> {
  const handle = await open(path, 'r+').catch((cause) => refuse('E_IO', UNREADABLE, {}, cause));
  try {
    await handle.datasync();
  } catch (cause) {
    refuse('E_IO', UNREADABLE, {}, cause);
  } finally {
    await handle.close();
  }
}

const UNREADABLE = 'the log of the store cannot be read';

function readCheckpoint(payload: Buffer): Checkpoint | undefined {
  const record = JSON.parse(payload.toString()) as Checkpoint;
  if (record.kind !== 'checkpoint') return undefined;
  if (record.format === 2) return record;
  const { format } = record as { format: number };
  return refuse('E_STORE_CORRUPT', 'the store was written by a later version of Pólya; use that one', { format });
}

/** The store of version 0.1 was an LMDB file; its snapshots are model files that are still read. */
async function refuseOldFormat(folder: string): Promise<void> {
  const old = await access(join(folder, 'journal.mdb')).then(
    () => true,
    () => false,
  );
  if (!old) return;
  const sentence =
    'this is a store of version 0.1; start and stop it once with that version, then serve the latest file of each folder in models/ with -m and a new --journal';
  refuse('E_STORE_CORRUPT', sentence, { format: 1 });
}

function refuseLog({ number, end }: { readonly number: number; readonly end: number }, what: string): never {
  const sentence = `segment ${number} of the log cannot be used: ${what} at byte ${end}; ${ADVICE}`;
  return refuse('E_STORE_CORRUPT', sentence, { segment: number, offset: end });
}

/** Calls `visit` with every record payload of segments, in order; `readSegment` has checked them. */
async function readRecords(segments: readonly Segment[], visit: (payload: Buffer) => void): Promise<void> {
  for (const { path, end } of segments) readFrames(await readLog(path, end), visit, true);
}

interface Metadata {
  readonly entries: Map<string, ModelEntry>;
  readonly snapshots: Map<string, Set<number>>;
  readonly removed: Map<string, number>;
}

/** Which models there are at the end of the log, with their files. Learning is read later, on top of the latest file. */
async function readMetadata(segments: readonly Segment[]): Promise<Metadata> {
  const entries = new Map<string, ModelEntry>();
  const snapshots = new Map<string, Set<number>>();
  const removed = new Map<string, number>();
  const note = (entry: ModelEntry) => {
    const own = snapshots.get(entry.name) ?? new Set();
    for (const { version } of entry.files) own.add(version);
    snapshots.set(entry.name, own);
    entries.set(entry.name, entry);
    removed.delete(entry.name);
  };
  for (const entry of segments[0].checkpoint.models) {
    if (entry.files.length > 0) note(entry);
    else removed.set(entry.name, entry.highest);
  }
  await readRecords(segments, (payload) => {
    if (isLearning(payload)) return;
    const record = JSON.parse(payload.toString()) as LogRecord;
    if (record.kind === 'remove') {
      entries.delete(record.model);
      removed.set(record.model, record.highest);
    } else if (record.kind === 'file') {
      const { model: name, files } = record;
      const own = entries.get(name) ?? { name, highest: removed.get(name) ?? 0, version: 0, files, history: [] };
      note({ ...own, highest: Math.max(own.highest, files[files.length - 1].version), files });
    }
  });
  return { entries, snapshots, removed };
}

/** Applies the records of the log, each once, to the models whose latest files do not contain them. */
async function replay(
  segments: readonly Segment[],
  models: ReadonlyMap<string, StoredModel>,
  keys: KeyTable,
): Promise<void> {
  const learners = new Map(Array.from(models, ([name, own]) => [name, new Learner(own)]));
  await readRecords(segments, (payload) => {
    const record = JSON.parse(payload.toString()) as LogRecord;
    if (record.kind === 'checkpoint') return;
    const learner = learners.get(record.model);
    if (record.kind === 'learn' || record.kind === 'unlearn') {
      keys.note(record);
      learner?.take(record);
      learner?.own.noteRecord(record);
    } else if (record.kind === 'file') learner?.own.noteFiles(record.files, record.past);
    else learner?.own.forget();
  });
  for (const learner of learners.values()) learner.finish();
}

/** The bytes of a version after the latest file of a model, by the records since; undefined if there is no such version. */
export async function readVersion(
  folder: string,
  files: ModelFiles,
  options: RecoverOptions,
  entry: ModelEntry,
  version: number,
): Promise<Uint8Array | undefined> {
  const base = entry.files[entry.files.length - 1];
  if (version <= base.version) return undefined;
  const copy = new StoredModel(entry, serveModel(await files.read(entry.name, base)));
  const learner = new Learner(copy);
  await readRecords(await soundSegments(folder, files, options), (payload) => {
    if (!isLearning(payload)) return;
    const record = JSON.parse(payload.toString()) as LearnRecord;
    if (record.model === entry.name && record.version <= version) learner.take(record);
  });
  learner.finish();
  return copy.served.version === version ? copy.served.model.toBytes() : undefined;
}

/** Applies records that the latest file of a model does not contain. */
class Learner {
  readonly own: StoredModel;
  private readonly model: ServedModel;
  private readonly base: number;
  private version: number;
  private rows: Example[] = [];

  constructor(own: StoredModel) {
    this.own = own;
    this.model = own.served.model;
    this.base = own.base.version;
    this.version = this.base;
  }

  take({ kind, examples, version }: LearnRecord): void {
    if (version <= this.base) return;
    this.version = version;
    if (kind === 'unlearn') {
      this.learn();
      this.apply('unlearn', examples);
      return;
    }
    for (const example of examples) this.rows.push(example);
    if (this.rows.length >= BATCH_ROWS) this.learn();
  }

  /** Applies what is left; the model is then at the version of the last record. */
  finish(): void {
    this.learn();
    this.own.reach(this.version);
  }

  private learn(): void {
    const { rows } = this;
    this.rows = [];
    if (rows.length > 0) this.apply('learn', rows);
  }

  /** What was accepted once is accepted again, unless file and records do not belong together. */
  private apply(kind: Verb, examples: readonly Example[]): void {
    try {
      this.model[kind](examples, false); // they were checked before they were acknowledged
    } catch (cause) {
      if (!(cause instanceof PolyaError)) throw cause;
      const { name } = this.own.served;
      const sentence = `the log does not fit the model ${name}: ${cause.message}`;
      refuse('E_STORE_CORRUPT', sentence, { model: name, code: cause.code }, cause);
    }
  }
}
