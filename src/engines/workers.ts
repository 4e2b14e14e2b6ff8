import { availableParallelism } from 'node:os';
import { type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { PolyaError, refuse } from '../errors.ts';

/** What a thread says: how far it is, what it has found, or why there is nothing. */
type Answer<Found> = { readonly id: number } & (
  | { readonly note: number }
  | { readonly done: Found }
  | { readonly refused: { readonly code: string; readonly message: string; readonly details: object } }
);

/** A question with the number that its answers will have. */
interface Letter<Question> {
  readonly id: number;
  readonly question: Question;
}

/** As many threads as there are cores to run them. */
export const cores = (): number => Math.max(1, availableParallelism());

/**
 * Threads that wait for work. They begin to load when they are hired, so that whoever hires them can do something else before the first
 * question. Statistics merge, so a thread takes its tasks from a list that all share and tells at the end what it has.
 */
export class Crew {
  private readonly threads: readonly Thread[];

  /** `worker` names a module that calls `serve`. */
  constructor(worker: URL, threads: number) {
    this.threads = Array.from({ length: threads }, () => takeReady(worker) ?? hire(worker));
    for (let left = takeReady(worker); left; left = takeReady(worker)) end(left); // whoever is not wanted need not wait
  }

  get size(): number {
    return this.threads.length;
  }

  /** Asks every thread a question of its own. A refusal of one ends all. */
  async ask<Question, Found>(
    questions: readonly Question[],
    { signal, onNote }: { readonly signal?: AbortSignal; readonly onNote?: (note: number) => void } = {},
  ): Promise<Found[]> {
    const stop = () => this.dismiss();
    signal?.addEventListener('abort', stop);
    try {
      signal?.throwIfAborted();
      return await Promise.all(this.threads.map((thread, k) => ask<Found>(thread, questions[k], onNote)));
    } catch (cause) {
      this.dismiss();
      if (signal?.aborted) refuse('E_CANCELLED', 'counting was cancelled', {}, cause);
      throw cause;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /** What one of them, which somebody else has started, has said before it was asked anything. */
  unasked<Said>(): Said | undefined {
    for (const thread of this.threads) {
      const said = thread instanceof Worker ? undefined : receiveMessageOnPort(thread);
      if (said) return said.message as Said;
    }
    return undefined;
  }

  /** Asks one thread, which answers when it has answered what it was asked before. */
  askFirst<Question, Found>(question: Question, transfer: readonly ArrayBuffer[] = []): Promise<Found> {
    return ask<Found>(this.threads[0], question, undefined, transfer);
  }

  /** Ends the threads, whatever they do. */
  dismiss(): void {
    for (const thread of this.threads) end(thread);
  }
}

/** A thread, or what reaches one that somebody else has started. */
type Thread = Worker | MessagePort;

const ready = new Map<string, MessagePort[]>();

/** Gives this thread others that wait for work; `name` is the file they run, without its ending. They end when they are left. */
export function offerThreads(name: string, ports: readonly MessagePort[]): void {
  ready.set(name, [...ports]);
  for (const port of ports) port.unref();
}

const takeReady = ({ pathname }: URL): MessagePort | undefined =>
  ready.get(pathname.slice(pathname.lastIndexOf('/') + 1).replace(/\.\w+$/, ''))?.pop();

/** Tells a thread of somebody else to end: it hears so at once, whatever this one does next. */
const END = 'end';

function end(thread: Thread): void {
  if (thread instanceof Worker) {
    void thread.terminate();
    return;
  }
  thread.postMessage(END);
  thread.close();
}

/** A thread runs what is built. Where sources are run, as tests and benchmarks do, it is what was built of them. */
function hire(worker: URL): Worker {
  const source = worker.href.endsWith('.ts');
  const built = source ? new URL(worker.href.replace(/\/src\/(.*)\.ts$/, '/dist/$1.js')) : worker;
  const thread = new Worker(built, { resourceLimits: { maxYoungGenerationSizeMb: 8 } }); // statistics lie elsewhere
  thread.unref(); // who waits for an answer is waited for
  return thread;
}

let asked = 0;

function ask<Found>(
  thread: Thread,
  question: unknown,
  onNote?: (note: number) => void,
  transfer: readonly ArrayBuffer[] = [],
): Promise<Found> {
  const id = asked++;
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      thread.off('message', onMessage).off('error', onError).off('exit', onExit).off('close', onClose);
      thread.unref();
      act();
    };
    const onMessage = (answer: Answer<Found>) => {
      if (answer.id !== id) return;
      if ('note' in answer) onNote?.(answer.note);
      else settle(() => ('done' in answer ? resolve(answer.done) : reject(refusalOf(answer.refused))));
    };
    const onError = (cause: unknown) => settle(() => reject(cause));
    const onExit = (code: number) => settle(() => reject(new Error(`a thread ended with ${code}`)));
    const onClose = () => onExit(0);
    thread.on('message', onMessage).on('error', onError).on('exit', onExit).on('close', onClose);
    thread.ref();
    thread.postMessage({ id, question } satisfies Letter<unknown>, transfer);
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
  readonly found: T;
  readonly transfer: ArrayBuffer[];
}

/** How a thread answers a question, and notes on the way how far it is. */
export type Answering<Question, Found> = (
  question: Question,
  note: (note: number) => void,
) => Parcel<Found> | Promise<Parcel<Found>>;

/** What a thread does: answers questions one after the other, and ends when it is told to. */
export function serve<Question, Found>(
  port: MessagePort,
  answer: Answering<Question, Found>,
  stop: () => void = process.exit,
): void {
  let last = Promise.resolve();
  port.on('message', (letter: Letter<Question> | typeof END) => {
    if (letter === END) stop();
    else last = last.then(() => reply(port, letter, answer));
  });
}

async function reply<Question, Found>(
  port: MessagePort,
  { id, question }: Letter<Question>,
  answer: Answering<Question, Found>,
): Promise<void> {
  try {
    const { found, transfer } = await answer(question, (note) => port.postMessage({ id, note }));
    port.postMessage({ id, done: found }, transfer);
  } catch (cause) {
    if (!(cause instanceof PolyaError)) throw cause;
    const { code, message: sentence, details } = cause;
    port.postMessage({ id, refused: { code, message: sentence, details } });
  }
}
