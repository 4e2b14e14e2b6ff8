import { setImmediate as pause } from 'node:timers/promises';

/** Milliseconds that work may block the event loop. */
const SLICE = 5;

/** Works on rows a few at a time and yields to other requests in between. */
export async function inSlices(rows: number, work: (from: number, to: number) => void): Promise<void> {
  let started = performance.now();
  for (let from = 0; from < rows; from += 32) {
    work(from, Math.min(rows, from + 32));
    if (performance.now() - started < SLICE) continue;
    await pause();
    started = performance.now();
  }
}

/**
 * Gathers what arrives in one turn of the event loop and handles it together. Requests that are answered together cost half as much
 * as one between two reads: the model is called once, the client is not woken and caches are not emptied in between.
 */
export class TurnQueue<T> {
  private waiting: T[] = [];
  private readonly handle: (all: readonly T[]) => void;

  constructor(handle: (all: readonly T[]) => void) {
    this.handle = handle;
  }

  add(item: T): void {
    if (this.waiting.push(item) > 1) return;
    setImmediate(() => {
      const all = this.waiting;
      this.waiting = [];
      this.handle(all);
    });
  }
}
