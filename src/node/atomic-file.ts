import { link, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ErrorCode, PolyaError, refuse, show } from '../errors.ts';
import { nameOf, refuseFile } from './file.ts';

/** Writes a file atomically, from one or several parts: concurrent readers get the old file or the new one. */
export async function writeAtomic(
  path: string | URL,
  bytes: Uint8Array | Iterable<Uint8Array>,
  force = true,
  guard?: Guard,
): Promise<void> {
  const file = await growFile(pathOf(path), guard, force);
  try {
    for (const part of bytes instanceof Uint8Array ? [bytes] : bytes) await file.write(part);
    await file.end();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** A file that is written piece by piece. */
export interface GrowingFile {
  write(content: string | Uint8Array): Promise<void>;
  /** Syncs the file and gives it its name. */
  end(): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/** Removes a file or folder if the process is interrupted; the returned function cancels that. */
export type Guard = (file: string) => () => void;

/**
 * A file that is written under another name in the same folder, synced, and then renamed; drafts of dead processes are removed. Links and
 * permissions of a file that is replaced stay. Devices and pipes are written directly. Without `force`, an existing file is an error.
 */
export async function growFile(path: string, guard?: Guard, force = true): Promise<GrowingFile> {
  const checked = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      if (error instanceof PolyaError) throw error;
      return refuseWriting(path, error);
    });
  const target = await realpath(path).catch(() => path); // a link stays a link
  const before = await stat(target).catch(() => undefined);
  if (before && !force) refuseTaken(path);
  const isDevice = before !== undefined && !before.isFile() && !before.isDirectory();
  const place = isDevice ? target : join(dirname(target), `.${basename(target)}.${process.pid}-${drafts++}.part`);
  if (!isDevice) await checked(sweep(target));
  const file = await checked(open(place, isDevice ? 'w' : 'wx'));
  if (before && !isDevice) await checked(file.chmod(before.mode & 0o7777)); // before there is anything to read
  const forget = isDevice ? undefined : guard?.(place);
  const finish = async (): Promise<void> => {
    if (!isDevice) await file.sync();
    await file.close();
    if (!isDevice) {
      if (force) await rename(place, target);
      else await giveName(place, target);
      await settleFolder(dirname(target));
    }
    forget?.();
  };
  return {
    write: async (content) => void (await checked(file.writeFile(content))),
    end: () => checked(finish()),
    discard: async () => {
      await file.close().catch(() => undefined);
      if (!isDevice) await rm(place, { force: true });
      forget?.();
    },
  };
}

let drafts = 0;

function pathOf(path: string | URL): string {
  try {
    if (path instanceof URL) return fileURLToPath(path);
  } catch (error) {
    return refuseFile(path, error);
  }
  return typeof path === 'string' ? path : refuse('E_PATH', `a path is a string or a URL, got ${show(path)}`);
}

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code ?? 'unknown');

const refuseTaken = (path: string): never =>
  refuse('E_CONFLICT', `${show(nameOf(path))} already exists; pass force: true to replace it`, {
    file: nameOf(path),
  });

/**
 * Hard-links the draft to its final name, unless another writer was faster; on a file system without hard links,
 * renames it.
 */
async function giveName(draft: string, target: string): Promise<void> {
  try {
    await link(draft, target);
    await rm(draft);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') refuseTaken(target);
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error))) throw error;
    await rename(draft, target);
  }
}

/** A new name is durable once its folder is synced; some systems cannot open or sync folders. */
async function settleFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

/** Removes drafts of a file whose process is gone. */
async function sweep(target: string): Promise<void> {
  const start = `.${basename(target)}.`;
  for (const name of await readdir(dirname(target))) {
    const [, process] = (name.startsWith(start) && /^(\d+)-\d+\.part$/.exec(name.slice(start.length))) || [];
    if (process && !isAlive(Number(process))) await rm(join(dirname(target), name), { force: true });
  }
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

const noFolder = ['E_PATH', 'cannot be written: its folder does not exist'] as const;
const notAllowed = ['E_PATH', 'cannot be written: permission denied'] as const;
const diskFull = ['E_DISK_FULL', 'cannot be written: the disk is full; nothing was changed'] as const;

const failures: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ...{ ENOSPC: diskFull, EDQUOT: diskFull, EFBIG: diskFull },
  ...{ ENOENT: noFolder, ENOTDIR: noFolder, EISDIR: ['E_PATH', 'is a folder; name a file'] },
  ...{ EACCES: notAllowed, EPERM: notAllowed, EROFS: notAllowed },
};

/** Reports a system error while writing a file. */
export function refuseWriting(path: string, error: unknown): never {
  const reason = codeOf(error);
  if (!Object.hasOwn(failures, reason) && !reason.startsWith('E')) refuseFile(path, error);
  const [code, sentence] = failures[reason] ?? ['E_IO', `could not be written (${reason}); nothing was changed`];
  refuse(code, `${show(nameOf(path))} ${sentence}`, { file: nameOf(path), reason }, error);
}
