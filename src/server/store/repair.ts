import { cp, readFile } from 'node:fs/promises';
import { PolyaError } from '../../errors.ts';
import { type ServedModel, serveModel } from '../model/served-model.ts';
import { readFrames } from './frames.ts';
import { KeyTable } from './keys.ts';
import { listSegments, newSegment, segmentPath } from './log.ts';
import { readManifest, takeFolder, writeManifest } from './manifest.ts';
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
    const known = await readManifest(folder).catch(() => undefined);
    const keys = new KeyTable(MAX_KEYS);
    const { records, unreadable, number } = await salvage(folder, keys);
    const files = new ModelFiles(folder);
    const names = await files.names();
    const entries = (known?.models ?? []).filter((own) => own.files.length === 0 && !names.includes(own.name)); // removed
    const models: RepairedModel[] = [];
    const gone: string[] = [];
    for (const name of names) {
      const before = known?.models.find((own) => own.name === name);
      const repaired = await rebuild(files, name, before, records.get(name) ?? new Map(), now.getTime());
      if (repaired) {
        models.push(repaired.outcome);
        entries.push(repaired.entry);
      } else gone.push(name);
    }
    const { handle } = await newSegment(folder, number + 1, keys.save());
    await handle.close();
    await writeManifest(folder, { format: 3, models: entries, segments: [{ number: number + 1 }] });
    return { copy, gone, unreadable, models };
  } finally {
    release();
  }
}

/** Learn and unlearn records by model and version: all intact frames of all segments. Notes their keys. */
async function salvage(folder: string, keys: KeyTable) {
  const records = new Map<string, Map<number, LearnRecord>>();
  const numbers = await listSegments(folder);
  let unreadable = 0;
  for (const number of numbers) {
    const { damaged } = readFrames(await readFile(segmentPath(folder, number)), (payload) => {
      const record = JSON.parse(payload.toString()) as LearnRecord | KeysRecord;
      if (record.kind === 'keys') {
        for (const use of record.keys) keys.add(use);
        return;
      }
      keys.note(record);
      const own = records.get(record.model) ?? new Map();
      records.set(record.model, own.set(record.version, record));
    });
    unreadable += damaged;
  }
  return { records, unreadable, number: numbers.at(-1) ?? 0 };
}

/** A model from its latest readable file and the records since, as a file of a new version. */
async function rebuild(
  files: ModelFiles,
  name: string,
  known: ModelEntry | undefined,
  records: ReadonlyMap<number, LearnRecord>,
  at: number,
): Promise<{ readonly entry: ModelEntry; readonly outcome: RepairedModel } | undefined> {
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
  const kept = files.keep([...whole, await files.write(name, version, model.toParts())]);
  const past = { version, origin: 'learned', at, rows: outcome.rows } as const;
  const history = [...(known?.history ?? []).filter((old) => old.version <= base), past];
  return {
    entry: { name, highest: version, version, files: kept, history },
    outcome: { name, version, base, ...outcome, damaged },
  };
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
