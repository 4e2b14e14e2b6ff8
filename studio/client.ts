import type { News, Question, Refusal, Reply } from './protocol.ts';
import type { Laboratory } from './worker/laboratory.ts';

/** The arguments of a worker method, without the progress listener. */
type Methods = {
  readonly [K in keyof Laboratory]: Laboratory[K] extends (...given: infer G) => infer R
    ? (...given: G extends [...infer Own, (news: News) => void] ? Own : G) => Promise<Awaited<R>>
    : never;
};

/** An error of the worker, rethrown on the page. */
export class WorkerRefusal extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.sentence);
    this.refusal = refusal;
  }
}

/** Any error as plain data; one that is not a `WorkerRefusal` becomes E_INTERNAL. */
export const refusalIn = (error: unknown): Refusal =>
  error instanceof WorkerRefusal
    ? error.refusal
    : { code: 'E_INTERNAL', sentence: error instanceof Error ? error.message : String(error) };

interface Pending {
  readonly settle: (reply: Reply) => void;
  readonly hear: ((news: News) => void) | undefined;
}

/** One worker and its pending requests. */
export class Client {
  private worker: Worker | undefined;
  private readonly pending = new Map<number, Pending>();
  private last = 0;

  /** Calls a method of the worker; `hear` receives the progress reports. */
  ask<K extends keyof Methods>(
    method: K,
    given: Parameters<Methods[K]>,
    hear?: (news: News) => void,
  ): ReturnType<Methods[K]> {
    const id = ++this.last;
    const question: Question = { id, method, given };
    const answer = new Promise((resolve, reject) => {
      const settle = (reply: Reply) => {
        if ('refusal' in reply) reject(new WorkerRefusal(reply.refusal));
        else if ('value' in reply) resolve(reply.value);
      };
      this.pending.set(id, { settle, hear });
      this.started().postMessage(question);
    });
    return answer as ReturnType<Methods[K]>;
  }

  /** Terminates the worker at once. The next request starts a new one without data or models. */
  stop(): void {
    this.worker?.terminate();
    this.worker = undefined;
    const refusal = { code: 'E_CANCELLED', sentence: 'stopped' };
    for (const [id, { settle }] of this.pending) settle({ id, refusal });
    this.pending.clear();
  }

  private started(): Worker {
    if (this.worker) return this.worker;
    const worker = new Worker(new URL('./worker/main.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      const pending = this.pending.get(data.id);
      if (!pending) return;
      if ('news' in data) return pending.hear?.(data.news);
      this.pending.delete(data.id);
      pending.settle(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      const refusal = { code: 'E_INTERNAL', sentence: event.message || 'the worker could not be started' };
      this.worker = undefined;
      for (const [id, { settle }] of this.pending) settle({ id, refusal });
      this.pending.clear();
    };
    this.worker = worker;
    return worker;
  }
}

/** The worker with the rows: it trains models and answers questions about them. */
export const lab = new Client();

/** The worker with the model for Try and Export; it answers while the other trains. */
export const desk = new Client();
