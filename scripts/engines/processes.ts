import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** How a process is started. */
export interface StartOptions {
  /** The file for all output of the process. Default: our own output. */
  readonly log?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** The user to run as, for programs that do not run as root. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
}

const running = new Set<ChildProcess>();

/** Starts a process in its own process group, so that its children end with it. */
export function start(command: string, args: readonly string[], { log, env, cwd, user }: StartOptions): ChildProcess {
  const output = log === undefined ? 'inherit' : openSync(log, 'a');
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', output, output],
    env: { ...process.env, ...env },
    ...(cwd && { cwd }),
    ...user,
  });
  if (typeof output === 'number') closeSync(output);
  running.add(child);
  child.on('error', () => running.delete(child));
  return child;
}

/** Ends every started process, and waits until they are gone: by signal first, forced after five seconds. */
export async function stopAll(): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const child of running) signalGroup(child, signal);
    for (let tries = 0; tries < 50 && running.size > 0; tries++) {
      for (const child of running) if (!groupLives(child)) running.delete(child);
      if (running.size > 0) await pause(100);
    }
  }
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid) process.kill(-child.pid, signal);
  } catch {
    running.delete(child); // the whole group is gone
  }
}

function groupLives(child: ChildProcess): boolean {
  try {
    return child.pid !== undefined && process.kill(-child.pid, 0);
  } catch {
    return false;
  }
}

/** Runs a program that starts servers, and stops them however it ends: by returning, by an error or by a signal. */
export async function withServers(program: () => Promise<number>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void stopAll().then(() => process.exit(1)));
  }
  try {
    process.exitCode = await program();
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    await stopAll();
  }
}

/** This many free ports of the loopback address. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}

/** Whether a port of the loopback address is in use. */
export function listens(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = createConnection({ host: '127.0.0.1', port }, () => {
      socket.destroy();
      done(true);
    });
    socket.on('error', () => done(false));
  });
}

/** Waits until a check holds; if the process ends or the time is over, throws the tail of its log. */
export async function waitFor(
  what: string,
  check: () => Promise<boolean>,
  { seconds, child, log }: { seconds: number; child?: ChildProcess; log: string },
): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    if (await check().catch(() => false)) return;
    if (child && (child.exitCode !== null || child.signalCode !== null)) break;
    await pause(100);
  }
  throw new Error(`${what} did not start; the end of its log:\n${readFileSync(log, 'utf8').slice(-3000)}`);
}
