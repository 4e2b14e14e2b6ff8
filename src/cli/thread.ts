import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Io, Sink } from './io.ts';
import { EXIT, Problem } from './problem.ts';

/** What the thread of a command tells the main one. */
export type Message =
  | { readonly kind: 'out' | 'err'; readonly text: string }
  | { readonly kind: 'writing'; readonly id: number; readonly file: string }
  | { readonly kind: 'written'; readonly id: number }
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
 * Runs a command that chooses a model in a thread of its own. The choice does not return to the event loop, so a signal would be handled
 * only at its end; here the main thread listens, and the first Ctrl-C makes the choice end with the best models so far.
 */
export function inThread(words: readonly string[], io: Io): Promise<number> {
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
    io.stderr.write('\nFinishing with the best models so far. Press Ctrl-C again to stop.\n');
  };
  const guards = new Map<number, () => void>();
  io.onInterrupt(() => undefined); // this thread is free to handle signals, and ends with the exit code of the signal
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, { env: io.env as NodeJS.ProcessEnv, stdin: false });
    worker.postMessage(start);
    worker.on('message', (message: Message) => {
      if (message.kind === 'out') io.stdout.write(message.text);
      else if (message.kind === 'err') io.stderr.write(message.text);
      else if (message.kind === 'writing') guards.set(message.id, io.guard(message.file));
      else if (message.kind === 'written') guards.get(message.id)?.();
      else if (message.kind === 'choosing') io.onEarly?.(message.now ? early : undefined);
      else if (message.kind === 'done') resolve(message.exit);
    });
    worker.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfMemory(error) : error),
    );
    worker.on('exit', () => resolve(EXIT.internal)); // after `done` this changes nothing
  });
}

const outOfMemory = (cause: unknown): Problem =>
  new Problem('E_LIMIT', 'The work needs more memory than there is.', {
    notes: ['Give it fewer rows (--max-rows), or hash the words (--hash).'],
    cause,
  });
