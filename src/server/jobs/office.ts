import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type ErrorCode, type ErrorDetails, PolyaError, refuse } from '../../errors.ts';
import { runTask } from './run-task.ts';
import type { Task, TaskProgress, TaskResult } from './task.ts';

/** What a thread tells of its task. */
export type Word =
  | { readonly progress: TaskProgress }
  | { readonly done: TaskResult }
  | { readonly refused: { readonly code: string; readonly message: string; readonly details: ErrorDetails } };

/** How a task is watched and stopped. */
export interface Watch {
  readonly signal?: AbortSignal | undefined;
  readonly tell?: ((progress: TaskProgress) => void) | undefined;
}

/** The most megabytes that a thread may use. */
const MEMORY = 2048;

/** Hires the thread for a task; undefined where there is none, as when sources are run. */
export type Hire = (task: Task) => Worker | undefined;

/** The thread that is built beside the command. */
export const builtThread: Hire = (task) => {
  const file = new URL('./job-worker.js', import.meta.url);
  if (!existsSync(fileURLToPath(file))) return undefined;
  return new Worker(file, { workerData: task, resourceLimits: { maxOldGenerationSizeMb: MEMORY } });
};

/** Does long work in threads: a few at once, the others wait, and more than can wait are refused. */
export class Office {
  private readonly hire: Hire;
  private readonly desks: number;
  private readonly chairs: number;
  private readonly waiting: (() => void)[] = [];
  private busy = 0;

  constructor({ hire = builtThread, desks = 2, chairs = 16 }: { hire?: Hire; desks?: number; chairs?: number } = {}) {
    this.hire = hire;
    this.desks = desks;
    this.chairs = chairs;
  }

  /** Does a task. */
  async run(task: Task, watch: Watch = {}): Promise<TaskResult> {
    await this.turn(watch.signal);
    try {
      const worker = this.hire(task);
      return await (worker ? inThread(worker, watch) : runTask(task, (progress) => watch.tell?.(progress)));
    } finally {
      this.busy--;
      this.waiting.shift()?.();
    }
  }

  /** Waits for a free desk. */
  private async turn(signal: AbortSignal | undefined): Promise<void> {
    if (this.busy >= this.desks) {
      if (this.waiting.length >= this.chairs) refuse('E_OVERLOADED', 'too much work is waiting already; try again');
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
        signal?.addEventListener('abort', () => {
          const place = this.waiting.indexOf(resolve);
          if (place >= 0) this.waiting.splice(place, 1);
          resolve();
        });
      });
    }
    this.busy++;
    if (signal?.aborted) {
      this.busy--;
      refuse('E_CANCELLED', 'the work was cancelled before it began');
    }
  }
}

function inThread(worker: Worker, { signal, tell }: Watch): Promise<TaskResult> {
  const stop = () => void worker.terminate();
  signal?.addEventListener('abort', stop);
  return new Promise<TaskResult>((resolve, reject) => {
    worker.on('message', (word: Word) => {
      if ('progress' in word) tell?.(word.progress);
      else if ('done' in word) resolve(word.done);
      else reject(new PolyaError(word.refused.code as ErrorCode, word.refused.message, word.refused.details));
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const full = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      reject(
        full ? new PolyaError('E_LIMIT', `the work needs more than ${MEMORY} MB of memory`, { limit: MEMORY }) : error,
      );
    });
    worker.on('exit', () => reject(new PolyaError('E_CANCELLED', 'the work was cancelled')));
  }).finally(() => {
    signal?.removeEventListener('abort', stop);
    stop();
  });
}
