import { PolyaError } from '../../errors.ts';
import type { ModelStore } from '../model-store.ts';
import { DurableStore } from './durable-store.ts';
import { takeFolder } from './manifest.ts';
import { ModelFiles, writeFailure } from './model-files.ts';
import { recover } from './recover.ts';

/** Options of a durable store. */
export interface StoreOptions {
  /** Models are written as files after this many rows; 100,000 unless given. */
  readonly snapshotEvery?: number | undefined;
  /** How many versions of a model are kept as files; 8 unless given. */
  readonly keptVersions?: number | undefined;
  /** How many idempotency keys are kept; 10,000 unless given. */
  readonly keys?: number | undefined;
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
  const { keys = 10_000, keptVersions, snapshotEvery = 100_000, onWarning = () => undefined } = options;
  const release = await takeFolder(folder);
  const files = new ModelFiles(folder, keptVersions);
  let store: DurableStore | undefined;
  try {
    const { contents, segments } = await recover(folder, { keys, onWarning });
    store = new DurableStore(contents, segments, { folder, files, keys, snapshotEvery, onWarning, release });
    await store.start(models);
    return store;
  } catch (cause) {
    await store?.close();
    release();
    throw cause instanceof PolyaError ? cause : writeFailure(cause);
  }
}
