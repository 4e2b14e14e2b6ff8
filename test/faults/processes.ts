import { type ChildProcess, spawn } from 'node:child_process';
import { hear, type Said } from './rows.ts';

/** A writer that runs, and what it has said so far. */
export interface Running {
  readonly child: ChildProcess;
  /** Ends it with SIGKILL. */
  kill(): void;
  /** All of its lines. */
  readonly heard: () => string;
  /** Is done when a line begins with this, or the process has ended. */
  waitFor(line: string): Promise<void>;
  /** Is done when the process has ended; all that it said is noted by then. */
  readonly ended: Promise<string | number | null>;
}

/** Starts a writer, perhaps under a program that disturbs it. */
export function startWriter(words: readonly string[], said: Said, under: readonly string[] = []): Running {
  const [program, ...rest] = [...under, process.execPath, ...words];
  const child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  let text = '';
  const watchers = new Set<() => void>();
  child.stdout.on('data', (part: Buffer) => {
    text += part.toString();
    for (const look of watchers) look();
  });
  child.stderr.resume();
  child.stdin.on('error', () => undefined);
  const ended = new Promise<string | number | null>((resolve) => {
    child.on('close', (code, signal) => {
      hear(said, text);
      resolve(signal ?? code);
      for (const look of watchers) look();
    });
  });
  const waitFor = (line: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!text.includes(`\n${line}`) && !text.startsWith(line) && child.exitCode === null && !child.signalCode)
          return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });
  const kill = () => {
    try {
      process.kill(-child.pid!, 'SIGKILL'); // the group: what disturbs the writer ends with it
    } catch {
      // it has ended already
    }
  };
  return { child, kill, heard: () => text, waitFor, ended };
}

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
