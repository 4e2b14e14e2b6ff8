import { refuse } from '../../errors.ts';
import type { Past } from './history.ts';

/** A version that is kept as a file. */
export interface KeptFile {
  readonly version: number;
  readonly file: string;
  readonly bytes: number;
  readonly sum: number;
}

/** What the store knows of a model: its versions, and those that are kept as files, the latest of which records are added to. */
export interface ModelEntry {
  readonly name: string;
  /** No number up to this one is given to a version again, not even when the model was removed. */
  readonly highest: number;
  readonly removed?: boolean | undefined;
  readonly files: readonly KeptFile[];
  readonly history: readonly Past[];
}

/** What the store knows: its models, and with which block the journal begins. */
export interface Manifest {
  readonly format: 1;
  /** The number of the first block that is needed. */
  readonly first: number;
  /** The checksum of the block before it. */
  readonly before: number;
  readonly models: readonly ModelEntry[];
}

/** Under which numbers the journal keeps what. */
export const MANIFEST = 0;
export const KEYS = 1;
export const PROBE = 2;
export const FIRST_BLOCK = 16;

/** A store without models. */
export const emptyManifest: Manifest = { format: 1, first: FIRST_BLOCK, before: 0, models: [] };

/** A manifest whose checksum was right; refuses one of a later format. */
export function readManifest(value: unknown): Manifest {
  const manifest = value as Manifest;
  if (manifest.format === 1) return manifest;
  return refuse('E_STORE_CORRUPT', 'the store was written by a later version of Pólya; use that one', {
    format: (manifest as { format: number }).format,
  });
}
