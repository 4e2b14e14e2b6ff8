import { setImmediate as pause } from 'node:timers/promises';

/** Milliseconds that work may hold the event loop in one go. */
const SLICE = 5;

/** Whether work over so many rows is short enough to be done at once. */
export const isShort = (rows: number): boolean => rows <= 64;

/** Does work over rows a few at a time, and lets others have their turn in between. */
export async function inSlices(rows: number, work: (from: number, to: number) => void): Promise<void> {
  let started = performance.now();
  for (let from = 0; from < rows; from += 32) {
    work(from, Math.min(rows, from + 32));
    if (performance.now() - started < SLICE) continue;
    await pause();
    started = performance.now();
  }
}
