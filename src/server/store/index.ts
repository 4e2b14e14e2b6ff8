import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PolyaError, refuse } from '../../errors.ts';
import type { ModelStore } from '../model-store.ts';
import { DurableStore } from './durable-store.ts';
import { writeFailure } from './files.ts';
import { ownFolder } from './lock.ts';
import { ModelFiles } from './model-files.ts';
import { LOG_FOLDER, recover } from './recover.ts';

/** Options of a durable store. */
export interface StoreOptions {
  /** A model is written as a file after this many rows. */
  readonly snapshotEvery?: number | undefined;
  /** How many versions of a model are kept as files. */
  readonly keptVersions?: number | undefined;
  /** How many idempotency keys are remembered. */
  readonly keys?: number | undefined;
  readonly now?: (() => Date) | undefined;
  readonly onWarning?: ((text: string) => void) | undefined;
}

/**
 * Opens the store in a folder, or creates one, and continues from what is on stable storage. Of `models`, those that the store does not
 * know are added; for the others its own versions are served. One process owns a store.
 */
export async function openStore(
  folder: string,
  models: ReadonlyMap<string, Uint8Array> = new Map(),
  options: StoreOptions = {},
): Promise<ModelStore> {
  const { keys = 10_000, keptVersions = 8, snapshotEvery = 100_000, now = () => new Date() } = options;
  const { onWarning = () => undefined } = options;
  const release = await takeFolder(folder);
  const logFolder = join(folder, LOG_FOLDER);
  let store: DurableStore | undefined;
  try {
    const files = new ModelFiles(folder);
    const known = await recover(folder, files, { keys, onWarning });
    const settings = { folder, logFolder, keys, keptVersions, snapshotEvery, now, onWarning, release };
    store = new DurableStore(known, files, settings);
    await store.start(models);
    return store;
  } catch (cause) {
    await store?.close();
    release();
    throw cause instanceof PolyaError ? cause : writeFailure(cause);
  }
}

/** Creates the folder if there is none, and makes this process its owner. Returns how to release it. */
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
