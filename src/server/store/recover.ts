import { access, open } from 'node:fs/promises';
import { join } from 'node:path';
import { refuse } from '../../errors.ts';
import { serveModel } from '../model/served-model.ts';
import { Contents, StoredModel } from './contents.ts';
import { frameAt, readFrames, sealedAfter } from './frames.ts';
import { KeyTable } from './keys.ts';
import { Learner } from './learner.ts';
import { listSegments, segmentPath, type Tail } from './log.ts';
import { ModelFiles } from './model-files.ts';
import type { ChangeRecord, Checkpoint, LearnRecord, ModelEntry } from './records.ts';

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

const ADVICE = 'restore the store from a backup, or start with --repair';

/** Reads what is on stable storage: model files, and the records since. */
export async function recover(
  folder: string,
  options: RecoverOptions,
): Promise<{ readonly contents: Contents; readonly tail: Tail }> {
  const files = new ModelFiles(folder);
  const segments = await soundSegments(folder, options);
  const [first] = segments;
  if (!first && (await files.names()).length > 0)
    refuse('E_STORE_CORRUPT', `the log of the store is lost; ${ADVICE}`, {});
  const contents = new Contents(new KeyTable(options.keys, first?.checkpoint.keys));
  const { entries, snapshots } = await readEntries(segments, contents);
  for (const { name, version } of first?.checkpoint.models ?? []) {
    const base = entries.get(name)?.files.at(-1)?.version;
    if (base !== undefined && base < version) refuseLog(first, 'segments before it are missing');
  }
  for (const [name, entry] of entries) {
    const model = serveModel(await files.read(name, entry.files[entry.files.length - 1]));
    const stream = options.models?.get(name)?.stream;
    contents.models.set(name, new StoredModel(entry, model, stream, snapshots.get(name)));
  }
  const learners = new Map(Array.from(contents.models, ([name, own]) => [name, new Learner(own)]));
  await readRecords(segments, (payload) => {
    const record = JSON.parse(payload.toString()) as ChangeRecord;
    if (record.kind === 'learn' || record.kind === 'unlearn') learners.get(record.model)?.take(record);
    contents.note(record);
  });
  for (const learner of learners.values()) learner.finish();
  const { number: segment, end } = segments.at(-1) ?? { number: 0, end: 0 };
  return { contents, tail: { segment, end } };
}

/** The bytes of a version after the latest file of a model, by the records since; undefined if there is no such version. */
export async function readVersion(
  folder: string,
  options: RecoverOptions,
  entry: ModelEntry,
  version: number,
): Promise<Uint8Array | undefined> {
  const base = entry.files[entry.files.length - 1];
  const copy = new StoredModel(entry, serveModel(await new ModelFiles(folder).read(entry.name, base)));
  const learner = new Learner(copy);
  await readRecords(await soundSegments(folder, options), (payload) => {
    if (!isLearning(payload)) return;
    const record = JSON.parse(payload.toString()) as LearnRecord;
    if (record.model === entry.name && record.version <= version) learner.take(record);
  });
  learner.finish();
  return copy.served.version === version ? copy.served.model.toBytes() : undefined;
}

/** A segment that can be read up to its end. */
interface Segment {
  readonly path: string;
  readonly number: number;
  readonly end: number;
  readonly checkpoint: Checkpoint;
}

/** The segments from which a store is recovered: a chain without a gap, whose last one may have a torn end. */
async function soundSegments(folder: string, options: RecoverOptions): Promise<Segment[]> {
  await refuseOldFormat(folder);
  const last = options.tail?.segment ?? Number.POSITIVE_INFINITY;
  const numbers = (await listSegments(folder)).filter((number) => number <= last);
  const found: Segment[] = [];
  for (const number of numbers.reverse()) {
    const path = segmentPath(folder, number);
    const next = found[0]?.checkpoint.previous;
    const { end, checkpoint } = await checkSegment(path, number, next ? next.end : options.tail?.end, options);
    if (next && next.segment !== number) refuseLog({ number, end }, 'the segment after it is missing');
    if (checkpoint) found.unshift({ path, number, end, checkpoint });
    else if (next) refuseLog({ number, end }, 'it has no checkpoint');
    if (checkpoint?.previous === null) return found;
  }
  return found;
}

/** The checkpoint and the end of a segment. `end` is where it must end; without one a torn end is cut off with a warning. */
async function checkSegment(
  path: string,
  number: number,
  end: number | undefined,
  { onWarning }: RecoverOptions,
): Promise<{ readonly end: number; readonly checkpoint: Checkpoint | undefined }> {
  const bytes = await readSegment(path, end);
  const first = frameAt(bytes, 0);
  const checkpoint = first && readCheckpoint(first);
  const found = readFrames(bytes, () => undefined);
  if (end === undefined ? sealedAfter(bytes, found) : found !== end) refuseLog({ number, end: found }, 'it is damaged');
  if (found < bytes.length) {
    onWarning(`the log ended in a record that was not written completely: ${bytes.length - found} bytes were dropped`);
  }
  return { end: found, checkpoint };
}

/** The bytes of a segment up to an end; without one, what is read is synced first: the process may have died before it was. */
async function readSegment(path: string, end?: number): Promise<Buffer> {
  try {
    const handle = await open(path, end === undefined ? 'r+' : 'r');
    try {
      if (end === undefined) await handle.datasync();
      return (await handle.readFile()).subarray(0, end);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    return refuse('E_IO', 'the log of the store cannot be read', {}, cause);
  }
}

function readCheckpoint(payload: Buffer): Checkpoint | undefined {
  const record = JSON.parse(payload.toString()) as Checkpoint;
  if (record.kind !== 'checkpoint') return undefined;
  if (record.format === 2) return record;
  const { format } = record as { format: number };
  return refuse('E_STORE_CORRUPT', 'the store was written by a later version of Pólya; use that one', { format });
}

/** The store of version 0.1 was an LMDB file; its snapshots are model files that are still read. */
async function refuseOldFormat(folder: string): Promise<void> {
  const isOld = await access(join(folder, 'journal.mdb')).then(
    () => true,
    () => false,
  );
  if (!isOld) return;
  const sentence =
    'this is a store of version 0.1; start and stop it once with that version, then serve the latest file of each folder in models/ with -m and a new --journal';
  refuse('E_STORE_CORRUPT', sentence, { format: 1 });
}

function refuseLog({ number, end }: { readonly number: number; readonly end: number }, what: string): never {
  const sentence = `segment ${number} of the log cannot be used: ${what} at byte ${end}; ${ADVICE}`;
  return refuse('E_STORE_CORRUPT', sentence, { segment: number, offset: end });
}

/** Calls `visit` with the payload of every record after the checkpoints, in order. The segments were checked before. */
async function readRecords(segments: readonly Segment[], visit: (payload: Buffer) => void): Promise<void> {
  for (const { path, end } of segments) {
    let isFirst = true;
    readFrames(
      await readSegment(path, end),
      (payload) => {
        if (!isFirst) visit(payload);
        isFirst = false;
      },
      true,
    );
  }
}

/** Whether a payload is a learn or unlearn record. `kind` is the first key of every record, so it need not be parsed. */
function isLearning(payload: Buffer): boolean {
  const first = payload['{"kind":"'.length];
  return first === 0x6c || first === 0x75; // l(earn), u(nlearn)
}

/** The models that there are at the end of the log, with their files, and all versions that were files. */
async function readEntries(
  segments: readonly Segment[],
  { removed }: Contents,
): Promise<{ readonly entries: Map<string, ModelEntry>; readonly snapshots: Map<string, Set<number>> }> {
  const entries = new Map<string, ModelEntry>();
  const snapshots = new Map<string, Set<number>>();
  const note = (entry: ModelEntry) => {
    const own = snapshots.get(entry.name) ?? new Set();
    for (const { version } of entry.files) own.add(version);
    snapshots.set(entry.name, own);
    entries.set(entry.name, entry);
    removed.delete(entry.name);
  };
  for (const entry of segments[0]?.checkpoint.models ?? []) {
    if (entry.files.length > 0) note(entry);
    else removed.set(entry.name, entry.highest);
  }
  await readRecords(segments, (payload) => {
    if (isLearning(payload)) return; // these are applied later, on top of the latest file
    const record = JSON.parse(payload.toString()) as Exclude<ChangeRecord, LearnRecord>;
    const { model: name } = record;
    if (record.kind === 'remove') {
      entries.delete(name);
      removed.set(name, record.highest);
      return;
    }
    const { files } = record;
    const own = entries.get(name) ?? { name, highest: removed.get(name) ?? 0, version: 0, files, history: [] };
    note({ ...own, highest: Math.max(own.highest, files[files.length - 1].version), files });
  });
  return { entries, snapshots };
}
