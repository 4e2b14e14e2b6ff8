import { cp, readFile } from 'node:fs/promises';
import { PolyaError } from '../../errors.ts';
import { type ServedModel, serveModel } from '../model/served-model.ts';
import { Contents, StoredModel } from './contents.ts';
import { readFrames } from './frames.ts';
import { KeyTable } from './keys.ts';
import { Log, listSegments, segmentPath } from './log.ts';
import { readManifest, takeFolder } from './manifest.ts';
import { ModelFiles } from './model-files.ts';
import type { KeysRecord, LearnRecord, ModelEntry, StoredFile } from './records.ts';

/** The outcome for one model. */
export interface RepairedModel {
  readonly name: string;
  /** The version that it now has. */
  readonly version: number;
  /** The version of the file that it was built from, and how many records and rows were applied to it. */
  readonly base: number;
  readonly records: number;
  readonly rows: number;
  /** Ranges of versions whose records are missing or refused: what they learned is lost. */
  readonly lost: readonly (readonly [from: number, to: number])[];
  /** Versions whose files are damaged. */
  readonly damaged: readonly number[];
}

/** The outcome of a repair. */
export interface Repair {
  /** A copy of the folder before the repair. */
  readonly copy: string;
  readonly models: readonly RepairedModel[];
  /** Models without a readable file. */
  readonly gone: readonly string[];
  /** Stretches of the log that cannot be read. One behind the last whole record is known by this number only. */
  readonly unreadable: number;
}

/** Idempotency keys that are kept. */
const MAX_KEYS = 10_000;

/**
 * Makes a damaged store usable: every model from its latest readable file and all records whose checksums are right. The folder is copied
 * first. What is lost is reported by version.
 */
export async function repairStore(folder: string, now: Date = new Date()): Promise<Repair> {
  const release = await takeFolder(folder);
  try {
    const copy = `${folder}.before-repair-${now.toISOString().replaceAll(':', '-')}`;
    const filter = (path: string) => !path.endsWith('.sock');
    await cp(folder, copy, { recursive: true, errorOnExist: true, force: false, filter });
    const manifest = await readManifest(folder).catch(() => undefined);
    const contents = new Contents(new KeyTable(MAX_KEYS));
    const { records, unreadable, segments } = await salvage(folder, contents.keys);
    const files = new ModelFiles(folder);
    const names = await files.names();
    const models: RepairedModel[] = [];
    const gone: string[] = [];
    for (const name of names) {
      const known = manifest?.models.find((own) => own.name === name);
      const outcome = await rebuild(contents, files, name, known, records.get(name) ?? new Map(), now.getTime());
      if (outcome) models.push(outcome);
      else gone.push(name);
    }
    for (const { name, highest, files: own } of manifest?.models ?? []) {
      if (own.length === 0 && !names.includes(name)) contents.removed.set(name, highest);
    }
    const log = new Log(folder, segments);
    await log.start(contents, false);
    await log.close();
    return { copy, gone, unreadable, models };
  } finally {
    release();
  }
}

type Records = ReadonlyMap<number, LearnRecord>;

/** Learn and unlearn records by model and version: all intact frames of all segments. Notes their keys. */
async function salvage(folder: string, keys: KeyTable) {
  const records = new Map<string, Map<number, LearnRecord>>();
  const segments = (await listSegments(folder)).map((number) => ({ number }));
  let unreadable = 0;
  for (const { number } of segments) {
    const { damaged } = readFrames(await readFile(segmentPath(folder, number)), (payload) => {
      const record = JSON.parse(payload.toString()) as LearnRecord | KeysRecord;
      keys.note(record);
      if (record.kind === 'keys') return;
      const own = records.get(record.model) ?? new Map();
      records.set(record.model, own.set(record.version, record));
    });
    unreadable += damaged;
  }
  return { records, unreadable, segments };
}

/** Adds a model from its latest readable file and the records since, as a file of a new version. */
async function rebuild(
  contents: Contents,
  files: ModelFiles,
  name: string,
  known: ModelEntry | undefined,
  records: Records,
  at: number,
): Promise<RepairedModel | undefined> {
  const whole: StoredFile[] = [];
  const damaged: number[] = [];
  let model: ServedModel | undefined;
  for await (const { bytes, stored } of files.all(name)) {
    try {
      model = serveModel(bytes);
      whole.push(stored);
    } catch (cause) {
      if (!(cause instanceof PolyaError)) throw cause;
      damaged.push(stored.version);
    }
  }
  if (!model) return undefined;
  const base = whole[whole.length - 1].version;
  const limit = damaged.find((version) => version > base) ?? Number.POSITIVE_INFINITY;
  const outcome = applyAll(model, records, base, limit);
  const version = Math.max(known?.highest ?? 0, base, ...damaged, ...records.keys()) + 1;
  const history = (known?.history ?? []).filter((old) => old.version <= base);
  const own = new StoredModel({ name, highest: version, version: base, files: whole, history }, model);
  const written = await files.write(name, version, model.toParts());
  own.setFiles(files.keep([...whole, written]), { version, origin: 'learned', at, rows: outcome.rows });
  contents.models.set(name, own);
  return { name, version, base, ...outcome, damaged };
}

/** Applies the records between two versions, in order and each once, and reports those that are missing or refused. */
function applyAll(
  model: ServedModel,
  records: Records,
  base: number,
  limit: number,
): Pick<RepairedModel, 'records' | 'rows' | 'lost'> {
  const last = Math.max(base, ...records.keys());
  const lost: [number, number][] = [];
  let [count, rows] = [0, 0];
  for (let version = base + 1; version <= last; version++) {
    const record = version < limit ? records.get(version) : undefined;
    if (record && applies(model, record)) {
      count++;
      rows += record.examples.length;
    } else if (lost.at(-1)?.[1] === version - 1) lost[lost.length - 1][1] = version;
    else lost.push([version, version]);
  }
  return { records: count, rows, lost };
}

function applies(model: ServedModel, { kind, examples }: LearnRecord): boolean {
  try {
    model[kind](examples);
    return true;
  } catch (cause) {
    if (!(cause instanceof PolyaError)) throw cause;
    return false;
  }
}
