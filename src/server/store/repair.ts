import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PolyaError } from '../../errors.ts';
import { type ServedModel, serveModel } from '../model/served-model.ts';
import { openJson, sealJson } from './block.ts';
import { syncFolder } from './files.ts';
import { takeFolder } from './index.ts';
import { JOURNAL_FILE, Journal } from './journal.ts';
import { KeyTable, type SavedUse } from './keys.ts';
import {
  emptyManifest,
  FIRST_BLOCK,
  KEYS,
  type KeptFile,
  MANIFEST,
  type Manifest,
  type ModelEntry,
  readManifest,
} from './manifest.ts';
import { requireSoundPages } from './pages.ts';
import type { Record } from './record.ts';
import { salvage } from './salvage.ts';
import { Shelf } from './shelf.ts';

/** What became of a model. */
export interface RepairedModel {
  readonly name: string;
  /** The version that it now has. */
  readonly version: number;
  /** The version of the file that it was built from, and how many records and rows were learned on top of it. */
  readonly base: number;
  readonly records: number;
  readonly rows: number;
  /** Stretches of versions whose records were not found or not accepted, from one to another: what they learned is gone. */
  readonly lost: readonly (readonly [from: number, to: number])[];
  /** Versions whose files are damaged. */
  readonly damaged: readonly number[];
}

/** What a repair has done. */
export interface Repair {
  /** The folder as it was. */
  readonly copy: string;
  readonly models: readonly RepairedModel[];
  /** Models of which no file could be read. */
  readonly gone: readonly string[];
  /**
   * Places of the journal that look like a group of records and are not whole. One that stood behind the last whole one is told by
   * this number alone: nothing else knows of it.
   */
  readonly unreadable: number;
}

/** What of the list of models can still be read. */
interface Head {
  readonly manifest: Manifest;
  readonly keys: readonly SavedUse[];
}

/**
 * Makes a damaged store one that starts: every model from the latest file that can be read and all records that prove themselves by
 * their checksums. A copy of the folder is made first. What is gone is told by its versions.
 */
export async function repairStore(folder: string, now: Date = new Date()): Promise<Repair> {
  const release = await takeFolder(folder);
  try {
    const copy = `${folder}.before-repair-${now.toISOString().replaceAll(':', '-')}`;
    await cp(folder, copy, { recursive: true, errorOnExist: true, force: false });
    const path = join(folder, JOURNAL_FILE);
    const { records, unreadable } = salvage(await readFile(path).catch(() => Buffer.alloc(0)));
    const head = await readHead(folder);
    const shelf = new Shelf(folder);
    const repaired: [ModelEntry, RepairedModel][] = [];
    const gone: string[] = [];
    for (const name of await shelf.names()) {
      const own = await rebuild(shelf, name, records, head, now);
      if (own) repaired.push(own);
      else gone.push(name);
    }
    await writeJournal(
      folder,
      repaired.map(([entry]) => entry),
      records,
      head,
    );
    return { copy, gone, unreadable, models: repaired.map(([, told]) => told) };
  } finally {
    release();
  }
}

/** The list of models and that of keys, where the journal can be opened and they are whole. */
async function readHead(folder: string): Promise<Head> {
  let journal: Journal | undefined;
  try {
    await requireSoundPages(folder);
    await rm(join(folder, `${JOURNAL_FILE}-lock`), { force: true });
    journal = await Journal.open(folder);
    const head = new Map(await journal.read(0, FIRST_BLOCK));
    const manifest = head.get(MANIFEST);
    const keys = head.get(KEYS);
    return {
      manifest: manifest ? readManifest(openJson(manifest, 'list of models')) : emptyManifest,
      keys: keys ? (openJson(keys, 'list of keys') as SavedUse[]) : [],
    };
  } catch (cause) {
    if (!(cause instanceof PolyaError) || cause.code !== 'E_STORE_CORRUPT') throw cause;
    return { manifest: emptyManifest, keys: [] };
  } finally {
    await journal?.close();
  }
}

/** A model from the latest file that can be read and the records since, as a file of a new version. */
async function rebuild(
  shelf: Shelf,
  name: string,
  all: readonly Record[],
  { manifest }: Head,
  now: Date,
): Promise<[ModelEntry, RepairedModel] | undefined> {
  const known = manifest.models.find((own) => own.name === name);
  const files = await shelf.versions(name);
  const whole: [KeptFile, ServedModel][] = [];
  const damaged: number[] = [];
  for (const { version, file } of files) {
    const opened = await openFile(shelf, name, version, file);
    if (opened) whole.push(opened);
    else damaged.push(version);
  }
  const latest = whole.at(-1);
  if (!latest) return undefined;
  const [base, model] = latest;
  const limit = damaged.find((version) => version > base.version) ?? Number.POSITIVE_INFINITY;
  const own = new Map(all.filter((record) => record.model === name).map((record) => [record.version, record]));
  const told = learnAgain(model, own, base.version, limit);
  const highest = Math.max(known?.highest ?? 0, ...files.map(({ version }) => version), ...own.keys());
  const version = highest + 1;
  const kept = [...whole.map(([file]) => file), await shelf.write(name, version, model.toParts())].slice(-8);
  const past = { version, origin: 'learned', at: now.getTime(), rows: told.rows } as const;
  const history = [...(known?.history ?? []).filter((old) => old.version <= base.version), past];
  return [
    { name, highest: version, files: kept, history },
    { name, version, base: base.version, ...told, damaged },
  ];
}

async function openFile(
  shelf: Shelf,
  name: string,
  version: number,
  file: string,
): Promise<[KeptFile, ServedModel] | undefined> {
  try {
    const { bytes, kept } = await shelf.seen(name, version, file);
    return [kept, serveModel(bytes)];
  } catch (cause) {
    if (cause instanceof PolyaError) return undefined;
    throw cause;
  }
}

/** Learns the records between two versions, in order and each once; those that are missing or refused are told. */
function learnAgain(
  model: ServedModel,
  records: ReadonlyMap<number, Record>,
  base: number,
  limit: number,
): Pick<RepairedModel, 'records' | 'rows' | 'lost'> {
  const last = Math.max(base, ...records.keys());
  const lost: [number, number][] = [];
  let [count, rows] = [0, 0];
  for (let version = base + 1; version <= last; version++) {
    const record = version < limit ? records.get(version) : undefined;
    try {
      if (!record) throw new PolyaError('E_STORE_CORRUPT', 'the record is gone');
      model[record.verb](record.examples);
      count++;
      rows += record.examples.length;
    } catch (cause) {
      if (!(cause instanceof PolyaError)) throw cause;
      if (lost.at(-1)?.[1] === version - 1) lost[lost.length - 1][1] = version;
      else lost.push([version, version]);
    }
  }
  return { records: count, rows, lost };
}

/** A new journal, without records: the files hold all that is known. */
async function writeJournal(
  folder: string,
  models: readonly ModelEntry[],
  records: readonly Record[],
  { manifest, keys: saved }: Head,
): Promise<void> {
  const keys = new KeyTable(10_000, saved);
  for (const record of [...records].sort((a, b) => a.at - b.at)) keys.note(record);
  await rm(join(folder, JOURNAL_FILE), { force: true });
  await rm(join(folder, `${JOURNAL_FILE}-lock`), { force: true });
  const journal = await Journal.open(folder);
  const removed = manifest.models.filter((own) => own.removed && !models.some(({ name }) => name === own.name));
  const list: Manifest = { format: 1, first: FIRST_BLOCK, before: 0, models: [...models, ...removed] };
  await journal.commit({
    puts: [
      [MANIFEST, sealJson(list)],
      [KEYS, sealJson(keys.save())],
    ],
  });
  await journal.close();
  await syncFolder(folder);
}
