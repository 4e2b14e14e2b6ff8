import { open, readFile, rm } from 'node:fs/promises';

/** The partial file of a download, and the cleanup for the end. */
export interface DownloadPart {
  readonly path: string;
  release(): Promise<void>;
}

/**
 * The partial file beside a target. Its name is fixed, so that a later call can resume it; while another living process
 * writes to it, a separate partial file is used.
 */
export async function takePart(target: string): Promise<DownloadPart> {
  const lock = `${target}.lock`;
  const release = () => rm(lock, { force: true });
  if (await claim(lock)) return { path: `${target}.part`, release };
  if (!(await ownerLives(lock))) {
    await release();
    if (await claim(lock)) return { path: `${target}.part`, release };
  }
  const own = `${target}.${process.pid}.part`;
  return { path: own, release: () => rm(own, { force: true }) };
}

async function claim(lock: string): Promise<boolean> {
  try {
    const file = await open(lock, 'wx');
    await file.writeFile(String(process.pid)).finally(() => file.close());
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function ownerLives(lock: string): Promise<boolean> {
  const owner = Number(await readFile(lock, 'utf8').catch(() => ''));
  try {
    return owner > 0 && process.kill(owner, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // alive, and owned by another user
  }
}
