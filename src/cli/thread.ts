import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Ahead } from './ahead.ts';
import type { Io, Sink } from './io.ts';
import { EXIT, fail } from './problem.ts';
import { problems } from './texts/problems.ts';

/** What the thread of a command tells the main one. */
export type Message =
  | { readonly kind: 'out' | 'err'; readonly text: string }
  | { readonly kind: 'save'; readonly id: number; readonly path: string; readonly bytes: Uint8Array }
  | { readonly kind: 'done'; readonly exit: number };

/** What the main thread answers when a file is written. */
export interface Saved {
  readonly id: number;
  readonly error?: { readonly code: string; readonly message: string; readonly details: object } | undefined;
}

/** What a thread begins with. */
export interface ThreadStart {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly stdinTty: boolean;
  readonly stdout: Pick<Sink, 'tty' | 'columns'>;
  readonly stderr: Pick<Sink, 'tty' | 'columns'>;
  /** By name of their file, what reaches threads that wait for work. */
  readonly ready: Ahead['ready'];
}

/**
 * Runs a command in a thread of its own. Counting does not pause, so a signal would be heard only at its end; here the main
 * thread listens, writes files, and ends everything at once when it is told to.
 */
export function inThread(words: readonly string[], io: Io, ahead?: Ahead): Promise<number> {
  const file = new URL('./worker.js', import.meta.url);
  if (!existsSync(fileURLToPath(file))) return import('./run.ts').then(({ run }) => run(words, io));
  const facts = ({ tty, columns }: Sink) => ({ tty, columns });
  const start: ThreadStart = {
    words,
    cwd: io.cwd,
    stdinTty: io.stdin.tty,
    stdout: facts(io.stdout),
    stderr: facts(io.stderr),
    ready: ahead?.ready ?? {},
  };
  return new Promise((resolve, reject) => {
    const worker = ahead?.command ?? new Worker(file, { env: io.env as NodeJS.ProcessEnv, stdin: false });
    worker.postMessage(start, Object.values(start.ready).flat());
    ahead?.help();
    worker.on('message', (message: Message) => {
      if (message.kind === 'out') io.stdout.write(message.text);
      else if (message.kind === 'err') io.stderr.write(message.text);
      else if (message.kind === 'save') save(worker, message, io);
      else if (message.kind === 'done') resolve(message.exit);
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') reject(error);
      else reject(outOfMemory(error));
    });
    worker.on('exit', () => resolve(EXIT.internal)); // after `done` this changes nothing
  });
}

function outOfMemory(cause: unknown): unknown {
  try {
    return fail('E_LIMIT', problems.outOfMemory(), { notes: [problems.lessData()], cause });
  } catch (problem) {
    return problem;
  }
}

async function save(worker: Worker, { id, path, bytes }: Extract<Message, { kind: 'save' }>, io: Io): Promise<void> {
  let error: Saved['error'];
  try {
    await io.save(path, bytes);
  } catch (problem) {
    const { code, message, details } = problem as { code: string; message: string; details: object };
    error = { code, message, details };
  }
  worker.postMessage({ id, error } satisfies Saved);
}
