import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ErrorCode } from '../errors.ts';
import { settleFolder, sweep } from '../node/whole-file.ts';
import { fail } from './problem.ts';
import { files } from './texts/files.ts';

/** Has a file removed if the process is interrupted, until what it returns is called. */
export type Guard = (file: string) => () => void;

/** Writes a file as a whole, from one or several parts. Whatever happens, the name leads to the old content or to the new. */
export async function saveFile(path: string, bytes: Uint8Array | readonly Uint8Array[], guard: Guard): Promise<void> {
  const file = await growFile(path, guard);
  try {
    for (const part of bytes instanceof Uint8Array ? [bytes] : bytes) await file.write(part);
    await file.end();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** A file that is written piece by piece: it takes its name when it is whole, and nothing is left of it when it is not. */
export interface GrowingFile {
  write(content: string | Uint8Array): Promise<void>;
  /** Syncs what was written and gives it its name. */
  end(): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/** Begins a file beside the one it will replace, and clears away what ended processes left of it; devices and pipes are written directly. */
export async function growFile(path: string, guard: Guard): Promise<GrowingFile> {
  const target = await realpath(path).catch(() => path); // a link stays a link
  const device = await isDevice(target);
  const place = device ? target : join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
  const checked = <T>(work: Promise<T>): Promise<T> => work.catch((error: unknown) => refuseWrite(path, error));
  if (!device) await checked(sweep(target));
  const file: FileHandle = await checked(open(place, 'w', 0o666));
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

/** Whether a path leads to a device or a pipe: what is written to it goes through, and it keeps its name. */
const isDevice = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => !found.isFile() && !found.isDirectory(),
    () => false,
  );

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

/** Reports why a file could not be written. */
function refuseWrite(path: string, error: unknown): never {
  const reason = String((error as NodeJS.ErrnoException).code ?? 'unknown');
  const [code, text] = reasons[reason] ?? ['E_IO', 'writeFailed'];
  fail(code, files[text](basename(path), reason), { cause: error, details: { file: basename(path), reason } });
}
