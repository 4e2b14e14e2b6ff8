import { requireGoing } from '../engines/memory.ts';

/** How far long work is: the share that is done, from 0 to 1, and what comes next. */
export interface Step {
  readonly share: number;
  readonly what: string;
  /** The scores so far of the models that the last step of a race has scored. */
  readonly scored?: (() => readonly Scored[]) | undefined;
}

/** A model in a race among models, on the rows held out so far. */
export interface Scored {
  /** The text column that it classifies by, or 'columns' for all other columns. */
  readonly of: string;
  readonly name: string;
  readonly rows: number;
  readonly logLoss: number;
  readonly accuracy: number;
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
  /**
   * Called with the finished share of the work, from 0 to 1, and the next step; while models race, also with a function that returns the
   * scores so far of the models scored last. Default: none.
   */
  readonly onProgress?: ((share: number, what: string, scored?: () => readonly Scored[]) => void) | undefined;
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

function between({ share, what, scored }: Step, { signal, onProgress, enough }: StepOptions): boolean {
  requireGoing(signal);
  onProgress?.(share, what, scored);
  return enough?.() ?? false;
}

/** Work as a part of other work, of which it is the share from `begin` to `end`. */
export function* within<T>(steps: Steps<T>, begin: number, end: number): Steps<T> {
  let next = steps.next(false);
  while (!next.done) {
    const { share, ...step } = next.value;
    next = steps.next(yield { ...step, share: begin + (end - begin) * share });
  }
  return next.value;
}
