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

let turn: Promise<void> | undefined;

/**
 * Resolves when all requests that arrived in this turn of the event loop are read. Answering them together instead of one between two
 * reads halves the processor time of a short prediction: the client is not woken, and caches are not emptied, in between.
 */
export function endOfTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}
