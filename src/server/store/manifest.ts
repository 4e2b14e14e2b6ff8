import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PolyaError, refuse } from '../../errors.ts';
import { ownFolder } from '../../node/folder-owner.ts';
import { encodeFrames, frameAt } from './frames.ts';
import { ADVICE, writeDurably } from './model-files.ts';
import type { ModelEntry } from './records.ts';

/** A file of the log. What follows its end was never acknowledged; the last one has none. */
export interface Segment {
  readonly number: number;
  readonly end?: number | undefined;
}

/** What a store consists of: models with their files, and the segments with the records since. */
export interface Manifest {
  readonly format: 3;
  readonly models: readonly ModelEntry[];
  readonly segments: readonly Segment[];
}

/** The store of version 0.1 was an LMDB file; its snapshots are model files that are still read. */
const OLD_FORMAT =
  'this is a store of version 0.1; start and stop it once with that version, then serve the latest file of each folder in models/ with -m and a new --journal';

const pathOf = (folder: string): string => join(folder, 'manifest');

/** Replaces the manifest of a store at once. */
export function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const bytes = encodeFrames([JSON.stringify(manifest)], 0);
  return writeDurably(pathOf(folder), `${pathOf(folder)}.draft`, [bytes]);
}

/** The manifest of a store; undefined for one that is new, or where it is lost. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  if (existsSync(join(folder, 'journal.mdb'))) refuse('E_STORE_CORRUPT', OLD_FORMAT, { format: 1 });
  const bytes = await readFile(pathOf(folder)).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') refuse('E_IO', 'the manifest of the store cannot be read', {}, cause);
    return undefined;
  });
  if (!bytes) return undefined;
  const payload = frameAt(bytes, 0);
  if (!payload) refuse('E_STORE_CORRUPT', `the manifest of the store is damaged; ${ADVICE}`, {});
  const manifest = JSON.parse(payload.toString()) as Manifest;
  if (manifest.format === 3) return manifest;
  const { format } = manifest as { format: number };
  return refuse('E_STORE_CORRUPT', 'the store was written by a later version of Pólya; use that one', { format });
}

/** Creates the folder of a store if there is none, and makes this process its owner. Returns how to release it. */
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
