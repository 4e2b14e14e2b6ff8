import { requireGoing } from '../engines/memory.ts';

/** How far long work is: the share that is done, from 0 to 1, and what comes next. */
export interface Step {
  readonly share: number;
  readonly what: string;
}

/**
 * Long work in steps. Before each step it yields how far it is, and is resumed with whether it should finish with the best models so far.
 * The caller decides what happens in between: nothing, a progress bar, or a turn of the event loop.
 */
export type Steps<T> = Generator<Step, T, boolean>;

/** How work in steps is watched and stopped. */
export interface StepOptions {
  /** Aborts the work with E_CANCELLED. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each step: true makes it finish with the best models so far. Default: none. */
  readonly enough?: (() => boolean) | undefined;
  /** Called with the finished share of the work, from 0 to 1, and the next step. Default: none. */
  readonly onProgress?: ((share: number, what: string) => void) | undefined;
}

/** Runs work to its end. */
export function finish<T>(steps: Steps<T>, options: StepOptions = {}): T {
  let next = steps.next(false);
  while (!next.done) next = steps.next(between(next.value, options));
  options.onProgress?.(1, 'done');
  return next.value;
}

/** The same, and lets the event loop turn between steps. */
export async function finishAsync<T>(steps: Steps<T>, options: StepOptions, turn: () => Promise<void>): Promise<T> {
  let next = steps.next(false);
  while (!next.done) {
    await turn();
    next = steps.next(between(next.value, options));
  }
  options.onProgress?.(1, 'done');
  return next.value;
}

function between({ share, what }: Step, { signal, onProgress, enough }: StepOptions): boolean {
  requireGoing(signal);
  onProgress?.(share, what);
  return enough?.() ?? false;
}

/** Work as a part of other work, of which it is the share from `begin` to `end`. */
export function* within<T>(steps: Steps<T>, begin: number, end: number): Steps<T> {
  let next = steps.next(false);
  while (!next.done) {
    const { share, what } = next.value;
    next = steps.next(yield { share: begin + (end - begin) * share, what });
  }
  return next.value;
}
