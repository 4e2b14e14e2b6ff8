import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Io, Sink } from './io.ts';
import { EXIT, fail } from './problem.ts';
import type { ProcessEnd } from './process-io.ts';
import { problems } from './texts/problems.ts';

/** What the thread of a command tells the main one. */
export type Message =
  | { readonly kind: 'out' | 'err'; readonly text: string }
  | { readonly kind: 'writing' | 'written'; readonly file: string }
  | { readonly kind: 'choosing'; readonly now: boolean }
  | { readonly kind: 'done'; readonly exit: number };

/** What a thread begins with. */
export interface ThreadStart {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly stdinTty: boolean;
  readonly stdout: Pick<Sink, 'tty' | 'columns'>;
  readonly stderr: Pick<Sink, 'tty' | 'columns'>;
  /** 1 once the user wants a choice to end. */
  readonly enough: Int32Array<SharedArrayBuffer>;
}

/**
 * Runs a command in a thread of its own. Counting does not pause, so a signal would be heard only at its end; here the main
 * thread listens, ends everything at once when it is told to, and removes files that are half written.
 */
export function inThread(words: readonly string[], io: Io & Pick<ProcessEnd, 'early'>): Promise<number> {
  const file = new URL('./worker.js', import.meta.url);
  if (!existsSync(fileURLToPath(file))) return import('./run.ts').then(({ run }) => run(words, io));
  const facts = ({ tty, columns }: Sink) => ({ tty, columns });
  const start: ThreadStart = {
    words,
    cwd: io.cwd,
    stdinTty: io.stdin.tty,
    stdout: facts(io.stdout),
    stderr: facts(io.stderr),
    enough: new Int32Array(new SharedArrayBuffer(4)),
  };
  const early = () => {
    Atomics.store(start.enough, 0, 1);
    io.stderr.write(`\n${problems.finishing()}\n`);
  };
  const guards = new Map<string, () => void>();
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, { env: io.env as NodeJS.ProcessEnv, stdin: false });
    worker.postMessage(start);
    worker.on('message', (message: Message) => {
      if (message.kind === 'out') io.stdout.write(message.text);
      else if (message.kind === 'err') io.stderr.write(message.text);
      else if (message.kind === 'writing') guards.set(message.file, io.guard(message.file));
      else if (message.kind === 'written') guards.get(message.file)?.();
      else if (message.kind === 'choosing') io.early = message.now ? early : undefined;
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
