import { open, readFile, rm } from 'node:fs/promises';

/** A file that a download grows in, and what has to be done when it is over. */
export interface DownloadPart {
  readonly path: string;
  release(): Promise<void>;
}

/**
 * The part beside a target. Its name is always the same, so that a later call finds it; while another process that is alive writes
 * to it, a part of one's own.
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
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // alive, and another user's
  }
}
