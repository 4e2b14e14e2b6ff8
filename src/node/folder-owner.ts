import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { refuse } from '../errors.ts';

/*
 * The lock of a folder is a listening Unix socket in it. The kernel holds it: it refuses connections from the moment the
 * owner and its last write are gone, however the owner died, and it answers across PID namespaces and containers, because a socket is
 * found by its file. Every process binds a socket with a name of its own and then connects to all others, so a dead one can be removed
 * without a race. Sockets of another kernel (a network file system, or this machine before a reboot) cannot be asked; their owner
 * updates the time of the file, and one that stays unchanged for 12 s is dead.
 */

/** What follows the prefix in the name of a socket: the kernel and a random number. */
const SUFFIX = /-([0-9a-f]{8})-[0-9a-f]{16}\.sock$/;

/** Milliseconds between two updates of the file, and for how long an owner on another machine is watched. */
const [BEAT, WATCH] = [4000, 12_000];

/** Milliseconds in which an owner must answer or end. One that was killed exists until its last write has returned. */
const ANSWER = 10_000;

/** The longest path of a socket; the systems allow 103 to 107 bytes. */
const MAX_PATH = 103;

/**
 * Makes this process the owner of a folder, or of what `prefix` names in it, or refuses with `E_STORE_LOCKED`. Returns how to
 * release it.
 */
export async function ownFolder(folder: string, prefix = 'owner'): Promise<() => void> {
  const own = `${prefix}-${kernelId()}-${randomBytes(8).toString('hex')}.sock`;
  const claim = { name: own, owned: false, yielded: false };
  const server = await listen(folder, own, claim);
  const path = join(folder, own);
  const release = () => {
    clearInterval(beat);
    server.close();
    rmSync(path, { force: true });
  };
  const beat = setInterval(() => touch(path), BEAT).unref();
  try {
    for (const name of readdirSync(folder)) {
      if (name === own || !SUFFIX.test(name) || name.replace(SUFFIX, '') !== prefix) continue;
      if (await lives(folder, name, own)) refuseOwned();
      rmSync(join(folder, name), { force: true });
    }
    if (claim.yielded) refuseOwned();
    claim.owned = true;
    return release;
  } catch (cause) {
    release();
    throw cause;
  }
}

function refuseOwned(): never {
  return refuse('E_STORE_LOCKED', 'another process owns the store; stop it, or give another folder');
}

interface Claim {
  readonly name: string;
  owned: boolean;
  /** Whether a process that started at the same time goes first. */
  yielded: boolean;
}

/** Listens on a socket in the folder. A process that asks sends its name; of two that start together the smaller name goes first. */
async function listen(folder: string, name: string, claim: Claim): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (asking) => {
      if (!claim.owned && asking.toString() < claim.name) claim.yielded = true;
      socket.end(claim.yielded ? 'yielded' : 'owned');
    });
  });
  await withSocketPath(folder, name, (path) => {
    return new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
  });
  return server.unref();
}

/** Whether the process behind a socket owns the folder or may come to own it. */
async function lives(folder: string, name: string, own: string): Promise<boolean> {
  if (SUFFIX.exec(name)?.[1] !== kernelId()) return beats(join(folder, name));
  for (const start = performance.now(); performance.now() - start < ANSWER; await pause(20)) {
    const answer = await withSocketPath(folder, name, (path) => ask(path, own, ANSWER));
    if (answer !== '') return answer === 'owned';
  }
  return true;
}

/** What the owner of a socket answers; 'dead' if no process listens, '' if it ended before it answered. */
function ask(path: string, own: string, wait: number): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket: Socket = connect(path, () => socket.write(own));
    socket.setTimeout(wait, () => socket.destroy());
    socket.on('data', (piece) => {
      answer += piece.toString();
    });
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED' || code === 'ENOENT') answer = 'dead';
    });
    socket.on('close', () => resolve(answer));
  });
}

/** Whether the time of a file changes while it is watched. */
async function beats(path: string): Promise<boolean> {
  const before = timeOf(path);
  for (const start = performance.now(); performance.now() - start < WATCH; await pause(200)) {
    if (timeOf(path) !== before) return timeOf(path) !== undefined;
  }
  return false;
}

function timeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // the folder is gone; the next write fails
  }
}

/** A name of the running kernel, the same in all containers of a machine. */
function kernelId(): string {
  let text = hostname();
  try {
    text = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
  } catch {
    // not Linux
  }
  return Buffer.from(text.padEnd(8)).subarray(0, 4).toString('hex');
}

/** Calls `use` with a path of the socket that is short enough: through an open folder on Linux, relative to this process elsewhere. */
async function withSocketPath<T>(folder: string, name: string, use: (path: string) => Promise<T>): Promise<T> {
  const full = join(folder, name);
  const path = [full, relative(process.cwd(), full)].find((own) => Buffer.byteLength(own) <= MAX_PATH);
  if (path !== undefined) return use(path);
  if (process.platform !== 'linux') refuse('E_PATH', 'the path of the folder is too long; give a shorter one');
  const handle = openSync(folder, 'r');
  try {
    return await use(`/proc/self/fd/${handle}/${name}`);
  } finally {
    closeSync(handle);
  }
}
