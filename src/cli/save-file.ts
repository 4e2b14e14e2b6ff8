import { open, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ErrorCode } from '../errors.ts';
import { fail } from './problem.ts';
import { files } from './texts/files.ts';

/**
 * Writes a file as a whole: into another file of the same folder, synced, then renamed, and the folder synced. Whatever
 * happens, the name leads to the old content or to the new. What an ended process left behind is cleared away.
 */
export async function saveFile(
  path: string,
  bytes: Uint8Array,
  onInterrupt: (cleanup: () => void) => () => void,
): Promise<void> {
  try {
    const target = await realpath(path).catch(() => path); // a link stays a link
    if (await isDevice(target)) return await writeFile(target, bytes);
    await clearLeftovers(target);
    await replace(target, bytes, onInterrupt);
  } catch (error) {
    refuseWrite(path, error);
  }
}

/** Whether a path leads to a device or a pipe: what is written to it goes through, and it keeps its name. */
export const isDevice = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => !found.isFile() && !found.isDirectory(),
    () => false,
  );

async function replace(target: string, bytes: Uint8Array, onInterrupt: (cleanup: () => void) => () => void) {
  const { rmSync } = await import('node:fs');
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
  const forget = onInterrupt(() => rmSync(temporary, { force: true }));
  try {
    const file = await open(temporary, 'w', 0o666);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
    await syncFolder(dirname(target));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    forget();
  }
}

/** Makes the new name last; systems that cannot sync a folder do without. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/** Removes what processes that are no more began to write for this name. */
async function clearLeftovers(target: string): Promise<void> {
  const prefix = `.${basename(target)}.`;
  for (const name of await readdir(dirname(target))) {
    const pid = /^(\d+)\.tmp$/.exec(name.slice(prefix.length))?.[1];
    if (!name.startsWith(prefix) || pid === undefined || isAlive(Number(pid))) continue;
    await rm(join(dirname(target), name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const reasons: Readonly<Record<string, readonly [ErrorCode, keyof typeof files]>> = {
  ENOSPC: ['E_DISK_FULL', 'diskFull'],
  EDQUOT: ['E_DISK_FULL', 'diskFull'],
  EFBIG: ['E_DISK_FULL', 'diskFull'],
  ENOENT: ['E_PATH', 'noFolder'],
  ENOTDIR: ['E_PATH', 'noFolder'],
  EISDIR: ['E_PATH', 'isFolder'],
  EACCES: ['E_PATH', 'notAllowed'],
  EPERM: ['E_PATH', 'notAllowed'],
  EROFS: ['E_PATH', 'notAllowed'],
};

/** Says why a file could not be written. */
export function refuseWrite(path: string, error: unknown): never {
  const reason = String((error as NodeJS.ErrnoException).code ?? 'unknown');
  const [code, text] = reasons[reason] ?? ['E_IO', 'writeFailed'];
  fail(code, files[text](basename(path), reason), { cause: error, details: { file: basename(path), reason } });
}
