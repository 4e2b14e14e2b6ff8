import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PolyaError, refuse } from '../../errors.ts';
import type { ModelStore } from '../model-store.ts';
import { DurableStore } from './durable-store.ts';
import { syncFolder } from './files.ts';
import { JOURNAL_FILE, Journal } from './journal.ts';
import { Ledger } from './ledger.ts';
import { ownFolder } from './lock.ts';
import { requireSoundPages } from './pages.ts';
import { recover } from './recover.ts';
import { Shelf } from './shelf.ts';

/** How a durable store is kept. */
export interface StoreOptions {
  /** A model is written as a whole after so many rows. */
  readonly snapshotEvery?: number | undefined;
  /** How many versions of a model are kept as files. */
  readonly keptVersions?: number | undefined;
  /** How many idempotency keys are remembered. */
  readonly keys?: number | undefined;
  readonly now?: (() => Date) | undefined;
  readonly onWarning?: ((text: string) => void) | undefined;
}

/**
 * Opens the store in a folder, or makes one, and continues from what is on stable storage. Models that it does not know yet are
 * taken in; of those that it knows, its own are served. One process owns a store.
 */
export async function openStore(
  folder: string,
  models: ReadonlyMap<string, Uint8Array> = new Map(),
  options: StoreOptions = {},
): Promise<ModelStore> {
  const { keys = 10_000, keptVersions = 8, snapshotEvery = 100_000, now = () => new Date() } = options;
  const { onWarning = () => undefined } = options;
  const release = await takeFolder(folder);
  let journal: Journal | undefined;
  try {
    const shelf = new Shelf(folder);
    journal = await openJournal(folder);
    const known = await recover(shelf, journal, { keys });
    const ledger: Ledger = new Ledger(shelf, journal, known, { keys, onWarning, onFull: () => store.tend() });
    const store: DurableStore = new DurableStore(ledger, shelf, {
      keptVersions,
      snapshotEvery,
      now,
      onWarning,
      release,
    });
    await shelf.tidy(new Map(Array.from(known.models, ([name, { files }]) => [name, files])));
    for (const [name, bytes] of models) await store.load(name, bytes);
    await syncFolder(folder);
    return store;
  } catch (cause) {
    await journal?.close();
    release();
    throw cause;
  }
}

/** Makes the folder where there is none, and this process its owner. */
export async function takeFolder(folder: string): Promise<() => void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await ownFolder(folder);
  } catch (cause) {
    if (cause instanceof PolyaError) throw cause;
    const reason = String((cause as NodeJS.ErrnoException).code);
    return refuse('E_IO', `the folder of the store cannot be used: ${reason}; give another one`, { reason }, cause);
  }
}

/** Looks at the pages of the journal before LMDB does, and removes its table of readers, whose owner is dead. */
async function openJournal(folder: string): Promise<Journal> {
  await requireSoundPages(folder);
  await rm(join(folder, `${JOURNAL_FILE}-lock`), { force: true });
  try {
    return await Journal.open(folder);
  } catch (cause) {
    if (cause instanceof PolyaError) throw cause;
    return refuse('E_IO', 'the journal of the store cannot be opened', {}, cause);
  }
}
