import { type FileHandle, open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isDevice, refuseWrite } from './save-file.ts';

/** A file that is written piece by piece: it takes its name when it is whole, and nothing is left of it when it is not. */
export interface GrowingFile {
  write(text: string): Promise<void>;
  /** Syncs what was written and gives it its name. */
  end(): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/** Begins a file beside the one it will replace; devices and pipes are written to themselves. */
export async function growFile(path: string, onInterrupt: (cleanup: () => void) => () => void): Promise<GrowingFile> {
  const { rmSync } = await import('node:fs');
  const target = await realpath(path).catch(() => path); // a link stays a link
  const device = await isDevice(target);
  const place = device ? target : join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
  const checked = <T>(work: Promise<T>): Promise<T> => work.catch((error: unknown) => refuseWrite(path, error));
  const file: FileHandle = await checked(open(place, 'w', 0o666));
  const forget = onInterrupt(() => device || rmSync(place, { force: true }));
  const finish = async (): Promise<void> => {
    if (!device) await file.sync();
    await file.close();
    if (!device) await rename(place, target);
    forget();
  };
  return {
    write: async (text) => void (await checked(file.writeFile(text))),
    end: () => checked(finish()),
    discard: async () => {
      await file.close().catch(() => undefined);
      if (!device) await rm(place, { force: true });
      forget();
    },
  };
}
