import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { PolyaError, refuse } from '../errors.ts';

/** What a thread answers: a result, or why there is none. */
export type Answer<T> =
  | { readonly done: T }
  | { readonly refused: { readonly code: string; readonly message: string; readonly details: object } };

/** As many threads as there are cores to run them. */
export const cores = (): number => Math.max(1, availableParallelism());

/** What threads have done: what each has counted, and by task what was answered and by which thread. */
export interface Work<Part, Told> {
  readonly parts: readonly Part[];
  readonly told: readonly { readonly thread: number; readonly answer: Told }[];
}

/**
 * Hands tasks to threads: each thread gets the next task as soon as it has answered, and when there is none left it is asked for
 * what it has counted. Statistics merge, so nothing else is needed. `worker` names a module that calls `serve`.
 */
export async function onThreads<Task, Part, Told = null>(
  worker: URL,
  tasks: readonly Task[],
  options: {
    readonly threads: number;
    readonly data: unknown;
    readonly signal?: AbortSignal;
    readonly onTask?: () => void;
  },
): Promise<Work<Part, Told>> {
  const queue = [...tasks.entries()];
  const told: Work<Part, Told>['told'][number][] = new Array(tasks.length);
  const threads = Math.max(1, Math.min(options.threads, tasks.length));
  const crew = Array.from({ length: threads }, () => hire(worker, options.data));
  const stop = () => crew.forEach((thread) => void thread.terminate());
  options.signal?.addEventListener('abort', stop);
  try {
    options.signal?.throwIfAborted();
    const parts = crew.map((worker, thread) =>
      employ<Task, Part, Told>(worker, queue, (task, answer) => {
        told[task] = { thread, answer };
        options.onTask?.();
      }),
    );
    return { parts: await Promise.all(parts), told };
  } catch (cause) {
    if (options.signal?.aborted) refuse('E_CANCELLED', 'counting was cancelled', {}, cause);
    throw cause;
  } finally {
    options.signal?.removeEventListener('abort', stop);
    stop();
  }
}

/** A thread runs what is built. Where sources are run, as tests and benchmarks do, it is what was built of them. */
function hire(worker: URL, workerData: unknown): Worker {
  const source = worker.href.endsWith('.ts');
  const built = source ? new URL(worker.href.replace(/\/src\/(.*)\.ts$/, '/dist/$1.js')) : worker;
  return new Worker(built, { workerData, resourceLimits: { maxYoungGenerationSizeMb: 8 } }); // statistics lie elsewhere
}

async function employ<Task, Part, Told>(
  thread: Worker,
  queue: [number, Task][],
  tell: (task: number, answer: Told) => void,
): Promise<Part> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const [number, task] = next;
    tell(number, await ask<Told>(thread, { task }));
  }
  return ask<Part>(thread, { finish: true });
}

function ask<T>(thread: Worker, message: object): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
      act();
    };
    const onMessage = (answer: Answer<T>) =>
      settle(() => ('done' in answer ? resolve(answer.done) : reject(refusalOf(answer.refused))));
    const onError = (cause: unknown) => settle(() => reject(cause));
    const onExit = (code: number) => settle(() => reject(new Error(`a thread ended with ${code}`)));
    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
    thread.postMessage(message);
  });
}

function refusalOf({ code, message, details }: Extract<Answer<never>, { refused: unknown }>['refused']): unknown {
  try {
    return refuse(code as never, message, details as never);
  } catch (refusal) {
    return refusal;
  }
}

/** Something for another thread, and which of its buffers are given away. */
export interface Parcel<T> {
  readonly part: T;
  readonly transfer: ArrayBuffer[];
}

/** What a thread does: takes tasks one by one, perhaps with an answer to each, and at the end tells what it has counted. */
export function serve<Task, Part, Told = null>(
  port: NonNullable<typeof import('node:worker_threads').parentPort>,
  work: { take(task: Task): Parcel<Told> | undefined; finish(): Parcel<Part> },
): void {
  port.on('message', (message: { task: Task } | { finish: true }) => {
    try {
      const parcel = 'task' in message ? work.take(message.task) : work.finish();
      port.postMessage({ done: parcel?.part ?? null }, parcel?.transfer ?? []);
    } catch (cause) {
      if (!(cause instanceof PolyaError)) throw cause;
      const { code, message: sentence, details } = cause;
      port.postMessage({ refused: { code, message: sentence, details } });
    }
  });
}
