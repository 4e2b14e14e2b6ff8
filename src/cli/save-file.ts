import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ErrorCode } from '../errors.ts';
import { settleFolder, sweep } from '../node/atomic-file.ts';
import { fail } from './problem.ts';
import { safe } from './terminal.ts';

/** Removes a file or folder if the process is interrupted; the returned function cancels that. */
export type Guard = (file: string) => () => void;

/** Writes a file atomically, from one or several parts: the name always refers to the old content or to the new. */
export async function saveFile(path: string, bytes: Uint8Array | Iterable<Uint8Array>, guard: Guard): Promise<void> {
  const file = await growFile(path, guard);
  try {
    for (const part of bytes instanceof Uint8Array ? [bytes] : bytes) await file.write(part);
    await file.end();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** A file that is written piece by piece: it is renamed into place when complete, and removed if it fails. */
export interface GrowingFile {
  write(content: string | Uint8Array): Promise<void>;
  /** Syncs the file and renames it into place. */
  end(): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/** Creates a temporary file next to its target, and removes stale ones; devices and pipes are written directly. */
export async function growFile(path: string, guard: Guard): Promise<GrowingFile> {
  const target = await realpath(path).catch(() => path); // a link stays a link
  const device = await isDevice(target);
  const place = device ? target : join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
  const checked = <T>(work: Promise<T>): Promise<T> => work.catch((error: unknown) => refuseWrite(path, error));
  if (!device) await checked(sweep(target));
  const file: FileHandle = await checked(open(place, 'w', 0o666));
  const before = device ? undefined : await stat(target).catch(() => undefined);
  if (before) await checked(file.chmod(before.mode & 0o7777)); // a file that is replaced keeps its permissions
  const forget = device ? () => undefined : guard(place);
  const finish = async (): Promise<void> => {
    if (!device) await file.sync();
    await file.close();
    if (!device) {
      await rename(place, target);
      await settleFolder(dirname(target));
    }
    forget();
  };
  return {
    write: async (content) => void (await checked(file.writeFile(content))),
    end: () => checked(finish()),
    discard: async () => {
      await file.close().catch(() => undefined);
      if (!device) await rm(place, { force: true });
      forget();
    },
  };
}

/** Whether a path is a device or a pipe, which cannot be replaced. */
const isDevice = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => !found.isFile() && !found.isDirectory(),
    () => false,
  );

const noFolder = ['E_PATH', 'could not be written: its folder does not exist.'] as const;
const isFolder = ['E_PATH', 'is a folder; name a file.'] as const;
const notAllowed = ['E_PATH', 'cannot be written: permission denied.'] as const;
const diskFull = ['E_DISK_FULL', 'could not be written: the disk is full. Nothing was changed.'] as const;

const reasons: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ...{ ENOSPC: diskFull, EDQUOT: diskFull, EFBIG: diskFull },
  ...{ ENOENT: noFolder, ENOTDIR: noFolder, EISDIR: isFolder },
  ...{ EACCES: notAllowed, EPERM: notAllowed, EROFS: notAllowed },
};

/** Reports why a file could not be written, by the system's name of the reason. */
export function refuseWrite(path: string, error: unknown): never {
  const reason = String((error as NodeJS.ErrnoException).code ?? 'unknown');
  const [code, text] = reasons[reason] ?? ['E_IO', `could not be written (${reason}). Nothing was changed.`];
  const file = basename(path);
  fail(code, `"${safe(file)}" ${text}`, { cause: error, details: { file, reason } });
}
