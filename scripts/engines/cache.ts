import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where large test dependencies are cached between runs: POLYA_CACHE, or a folder that git and npm ignore. */
export function cacheFolder(): string {
  const folder = resolve(process.env.POLYA_CACHE ?? join(import.meta.dirname, '../../.cache/engines'));
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * A folder of the cache, filled on first use. It is filled under another name and renamed when complete, so that an
 * interrupted run leaves nothing that a later run would use.
 */
export function filledFolder(name: string, fill: (folder: string) => void): string {
  const folder = join(cacheFolder(), name);
  if (existsSync(folder)) return folder;
  const partial = mkdtempSync(`${folder}.partial-`);
  try {
    fill(partial);
    chmodSync(partial, 0o755); // servers that do not run as root read it too
    renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
  return folder;
}
