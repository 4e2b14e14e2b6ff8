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
