import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type ErrorCode, type ErrorDetails, PolyaError, refuse } from '../../errors.ts';
import { runTask, type Task, type TaskProgress, type TaskResult } from './task.ts';

/** A message from a thread about its task. */
export type ThreadMessage =
  | { readonly progress: TaskProgress }
  | { readonly done: TaskResult }
  | { readonly refused: { readonly code: string; readonly message: string; readonly details: ErrorDetails } };

/** How a task is watched and stopped. */
interface Watch {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: TaskProgress) => void) | undefined;
}

/** Megabytes that a thread may use at most. */
const MEMORY = 2048;

/** Starts the thread of a task; returns undefined if there is none, as when sources are run. */
export type StartThread = (task: Task) => Worker | undefined;

/** The thread that is built beside the command. */
const startBuilt: StartThread = (task) => {
  const file = new URL('./job-worker.js', import.meta.url);
  if (!existsSync(fileURLToPath(file))) return undefined;
  return new Worker(file, { workerData: task, resourceLimits: { maxOldGenerationSizeMb: MEMORY } });
};

interface PoolOptions {
  readonly startThread?: StartThread | undefined;
  /** Tasks that run at once, and tasks that may wait. */
  readonly threads?: number;
  readonly queue?: number;
}

/** Runs long tasks in threads: a few at once, the others wait, and more than can wait are refused. */
export class TaskPool {
  private readonly startThread: StartThread;
  private readonly threads: number;
  private readonly queue: number;
  private readonly waiting: (() => void)[] = [];
  private busy = 0;

  constructor({ startThread = startBuilt, threads = 2, queue = 16 }: PoolOptions) {
    this.startThread = startThread;
    this.threads = threads;
    this.queue = queue;
  }

  async run(task: Task, watch: Watch = {}): Promise<TaskResult> {
    if (this.busy >= this.threads) await this.turn(watch.signal);
    if (watch.signal?.aborted) {
      if (this.busy < this.threads) this.waiting.shift()?.();
      refuse('E_CANCELLED', 'the task was cancelled before it started');
    }
    this.busy++;
    try {
      const worker = this.startThread(task);
      return await (worker ? inThread(worker, watch) : runTask(task, (progress) => watch.onProgress?.(progress)));
    } finally {
      this.busy--;
      this.waiting.shift()?.();
    }
  }

  /** Waits until a thread is free or the task is cancelled. */
  private async turn(signal: AbortSignal | undefined): Promise<void> {
    if (this.waiting.length >= this.queue) refuse('E_OVERLOADED', 'too many tasks are waiting already; try again');
    await new Promise<void>((resolve) => {
      this.waiting.push(resolve);
      signal?.addEventListener('abort', () => {
        const i = this.waiting.indexOf(resolve);
        if (i >= 0) this.waiting.splice(i, 1);
        resolve();
      });
    });
  }
}

function inThread(worker: Worker, { signal, onProgress }: Watch): Promise<TaskResult> {
  const stop = () => void worker.terminate();
  signal?.addEventListener('abort', stop);
  return new Promise<TaskResult>((resolve, reject) => {
    worker.on('message', (message: ThreadMessage) => {
      if ('progress' in message) onProgress?.(message.progress);
      else if ('done' in message) resolve(message.done);
      else {
        const { code, message: text, details } = message.refused;
        reject(new PolyaError(code as ErrorCode, text, details));
      }
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      const sentence = `the task needs more than ${MEMORY} MB of memory`;
      reject(isFull ? new PolyaError('E_LIMIT', sentence, { limit: MEMORY }) : error);
    });
    worker.on('exit', () => reject(new PolyaError('E_CANCELLED', 'the task was cancelled')));
  }).finally(() => {
    signal?.removeEventListener('abort', stop);
    stop();
  });
}
