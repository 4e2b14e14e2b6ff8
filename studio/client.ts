import type { News, Question, Refusal, Reply } from './protocol.ts';
import type { Laboratory } from './worker/laboratory.ts';

/** What a worker can be asked, without the listener that it gets beside. */
type Methods = {
  readonly [K in keyof Laboratory]: Laboratory[K] extends (...given: infer G) => infer R
    ? (...given: G extends [...infer Own, (news: News) => void] ? Own : G) => Promise<Awaited<R>>
    : never;
};

/** A refusal of the worker, thrown on the page. */
export class WorkerRefusal extends Error {
  readonly code: string;

  constructor({ code, sentence }: Refusal) {
    super(sentence);
    this.code = code;
  }
}

interface Pending {
  readonly settle: (reply: Reply) => void;
  readonly hear: ((news: News) => void) | undefined;
}

/** One worker and the questions that it has not answered yet. */
export class Client {
  private worker: Worker | undefined;
  private readonly pending = new Map<number, Pending>();
  private last = 0;

  /** Asks the worker; `hear` receives the progress reports. */
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

  /** Ends whatever is being done, at once; the next question starts afresh and knows nothing. */
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

/** Holds the rows, trains and looks into models. */
export const lab = new Client();

/** Holds the model that is tried and exported; it answers while the other trains. */
export const desk = new Client();
