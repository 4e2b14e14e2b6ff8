import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { refuse } from '../../errors.ts';
import { lifeOf, startOf } from './life.ts';

/** Who owns a store. */
interface Owner {
  readonly pid: number;
  /** When the process began, in the clock of its machine: numbers of processes are used again. */
  readonly start: string | null;
  readonly host: string;
  /** Tells two owners of one process apart. */
  readonly mark: string;
}

const NAME = 'owner.lock';

/** How often an owner says that it lives, and how long an owner on another machine may be silent. */
const BEAT = 5000;
const SILENCE = 30_000;

/** How often an owner is looked at again, how long one that lives, and how long one that is ending: milliseconds. */
const [LOOK, LIVING, ENDING] = [20, 200, 10_000];

/** Makes this process the owner of a folder; refuses while another one lives. Answers how to give it free. */
export async function ownFolder(folder: string): Promise<() => void> {
  const path = join(folder, NAME);
  const mark = randomBytes(8).toString('hex');
  const own: Owner = { pid: process.pid, start: startOf(process.pid), host: hostname(), mark };
  const draft = `${path}.${mark}`;
  writeFileSync(draft, JSON.stringify(own));
  try {
    while (!links(draft, path)) {
      await untilGone(path);
      takeAway(path, mark);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  const beat = setInterval(() => touch(path), BEAT).unref();
  return () => {
    clearInterval(beat);
    if (read(path)?.mark === mark) rmSync(path, { force: true });
  };
}

/** Waits for an owner of this machine that is ending, and a moment for one that seems to live and may just have been killed. */
async function untilGone(path: string): Promise<void> {
  const start = performance.now();
  for (let calm = start; ; await pause(LOOK)) {
    const owner = read(path);
    if (!owner || owner.host !== hostname() || owner.pid === process.pid) return;
    const life = lifeOf(owner.pid, owner.start);
    const now = performance.now();
    if (life === 'ending') calm = now;
    if (life === 'gone' || now - calm > LIVING || now - start > ENDING) return;
  }
}

/** Whether the file now has this name too, which nothing had before. */
function links(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw cause;
  }
}

/** Moves the lock of a dead owner out of the way; refuses if its owner lives. */
function takeAway(path: string, mark: string): void {
  const owner = read(path);
  if (owner && lives(owner, path)) refuseOwned(owner);
  const stale = `${path}.stale.${mark}`;
  try {
    renameSync(path, stale);
  } catch {
    return; // somebody else was faster: look again
  }
  const moved = read(stale);
  if (moved && moved.mark !== owner?.mark && lives(moved, stale)) {
    links(stale, path); // it was taken over in between, and goes back
    rmSync(stale, { force: true });
    refuseOwned(moved);
  }
  rmSync(stale, { force: true });
}

function refuseOwned({ pid, host }: Owner): never {
  return refuse('E_STORE_LOCKED', `the store belongs to process ${pid} on ${host}; stop it, or give another folder`, {
    pid,
    host,
  });
}

function read(path: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Owner;
  } catch {
    return undefined;
  }
}

/** Whether an owner lives: on this machine by its process, on another one by its silence. */
function lives({ pid, start, host }: Owner, path: string): boolean {
  return host === hostname() ? lifeOf(pid, start) !== 'gone' : Date.now() - beatOf(path) < SILENCE;
}

function beatOf(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // the folder may be gone; the next write will tell
  }
}
