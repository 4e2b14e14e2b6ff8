import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PolyaError } from '../../errors.ts';

/** Codes by which the system says that no space is left. */
const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/** Why something could not be written: the disk is full, or writing failed. The message contains no path. */
export function writeFailure(cause: unknown): PolyaError {
  const { code } = cause as { code?: unknown };
  return FULL.has(code)
    ? new PolyaError('E_DISK_FULL', 'the disk of the store is full; free some space, and learning resumes', {}, cause)
    : new PolyaError('E_IO', 'writing to the store failed', {}, cause);
}

/** Syncs the entries of a folder to stable storage. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Writes a file atomically: to a temporary file, which is synced and renamed, then the folder is synced. `parts` are written one after
 * another.
 */
export async function writeDurably(folder: string, name: string, parts: readonly Uint8Array[]): Promise<void> {
  const draft = join(folder, `.${name}.draft`);
  try {
    const handle = await open(draft, 'w', 0o600);
    try {
      for (const part of parts) await handle.writeFile(part);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, join(folder, name));
    await syncFolder(folder);
  } catch (cause) {
    await rm(draft, { force: true });
    throw writeFailure(cause);
  }
}
