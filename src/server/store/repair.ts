import { cp, readFile } from 'node:fs/promises';
import { PolyaError } from '../../errors.ts';
import { type ServedModel, serveModel } from '../model/served-model.ts';
import { salvageFrames } from './frames.ts';
import { KeyTable } from './keys.ts';
import { takeFolder } from './lock.ts';
import { Log, listSegments, segmentPath } from './log.ts';
import { ModelFiles } from './model-files.ts';
import type { LearnRecord, LogRecord, ModelEntry, SavedUse, StoredFile } from './records.ts';

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

/** What can be read of a log. */
interface Salvaged {
  readonly records: LearnRecord[];
  /** The latest entry of each model. */
  readonly entries: Map<string, ModelEntry>;
  readonly keys: readonly SavedUse[];
  readonly unreadable: number;
  readonly last: number;
}

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
    const salvaged = await salvage(folder);
    const files = new ModelFiles(folder);
    const entries: ModelEntry[] = [];
    const models: RepairedModel[] = [];
    const gone: string[] = [];
    for (const name of await files.names()) {
      const repaired = await rebuild(files, name, salvaged, now);
      if (repaired) {
        entries.push(repaired[0]);
        models.push(repaired[1]);
      } else gone.push(name);
    }
    await writeLog(folder, entries, salvaged);
    return { copy, gone, unreadable: salvaged.unreadable, models };
  } finally {
    release();
  }
}

/** Reads all intact frames of all segments. */
async function salvage(folder: string): Promise<Salvaged> {
  const records: LearnRecord[] = [];
  const entries = new Map<string, ModelEntry>();
  let keys: readonly SavedUse[] = [];
  let [unreadable, last] = [0, 0];
  for (const number of await listSegments(folder)) {
    const { payloads, damaged } = salvageFrames(await readFile(segmentPath(folder, number)));
    last = number;
    unreadable += damaged;
    for (const payload of payloads) {
      const record = JSON.parse(payload.toString()) as LogRecord;
      if (record.kind === 'learn' || record.kind === 'unlearn') records.push(record);
      else if (record.kind === 'checkpoint') {
        keys = record.keys;
        for (const entry of record.models) entries.set(entry.name, entry);
      }
    }
  }
  return { records, entries, keys, unreadable, last };
}

/** A model from its latest readable file and the records since, as a file of a new version. */
async function rebuild(
  files: ModelFiles,
  name: string,
  { records, entries }: Salvaged,
  now: Date,
): Promise<[ModelEntry, RepairedModel] | undefined> {
  const known = entries.get(name);
  const found = await files.list(name);
  const whole: [StoredFile, ServedModel][] = [];
  const damaged: number[] = [];
  for (const { version, file } of found) {
    const opened = await openFile(files, name, version, file);
    if (opened) whole.push(opened);
    else damaged.push(version);
  }
  const latest = whole.at(-1);
  if (!latest) return undefined;
  const [base, model] = latest;
  const limit = damaged.find((version) => version > base.version) ?? Number.POSITIVE_INFINITY;
  const own = new Map(records.filter((record) => record.model === name).map((record) => [record.version, record]));
  const outcome = applyAll(model, own, base.version, limit);
  const highest = Math.max(known?.highest ?? 0, ...found.map(({ version }) => version), ...own.keys());
  const version = highest + 1;
  const kept = [...whole.map(([file]) => file), await files.write(name, version, model.toParts())].slice(-8);
  const past = { version, origin: 'learned', at: now.getTime(), rows: outcome.rows } as const;
  const history = [...(known?.history ?? []).filter((old) => old.version <= base.version), past];
  return [
    { name, highest: version, version, files: kept, history },
    { name, version, base: base.version, ...outcome, damaged },
  ];
}

async function openFile(
  files: ModelFiles,
  name: string,
  version: number,
  file: string,
): Promise<[StoredFile, ServedModel] | undefined> {
  try {
    const { bytes, stored } = await files.readAny(name, version, file);
    return [stored, serveModel(bytes)];
  } catch (cause) {
    if (cause instanceof PolyaError) return undefined;
    throw cause;
  }
}

/** Applies the records between two versions, in order and each once, and reports those that are missing or refused. */
function applyAll(
  model: ServedModel,
  records: ReadonlyMap<number, LearnRecord>,
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

/** Begins the log anew, without records: the files contain all that is known. */
async function writeLog(folder: string, models: readonly ModelEntry[], salvaged: Salvaged): Promise<void> {
  const { records, entries, last } = salvaged;
  const keys = new KeyTable(10_000, salvaged.keys);
  for (const record of [...records].sort((a, b) => a.at - b.at)) keys.note(record);
  const removed = [...entries.values()].filter(
    (entry) => entry.files.length === 0 && !models.some(({ name }) => name === entry.name),
  );
  const checkpoint = () => ({ models: [...models, ...removed], keys: keys.save() });
  const log = new Log(
    folder,
    { segment: last, end: 0 },
    { checkpoint, restore: noRestore, onWarning: () => undefined },
  );
  await log.start(true);
  await log.dropBefore(last + 1);
  await log.close();
}

const noRestore = async (): Promise<void> => undefined;
