import { type Context, text } from '../declare.ts';
import { refuseForm } from '../usage.ts';

/** The time limit of a search. */
export const budgeting = {
  budget: text('stop after this time, such as 500ms, 10s or 2m, with the best result so far', {
    value: 'TIME',
    common: true,
  }),
} as const;

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** Milliseconds of a time such as `10s`; a number alone is in seconds. */
export function millisecondsOf(word: string): number {
  const [, amount, unit = 's'] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/.exec(word.trim()) ?? [];
  if (amount === undefined || Number(amount) === 0) refuseForm('--budget', '500ms, 10s, 2m or 1h', word);
  return Number(amount) * units[unit as keyof typeof units];
}

/** Runs a search among models. `enough` turns true when the time of `--budget` is up, or after the first Ctrl-C. */
export function choose<T>(
  { io, options }: Pick<Context, 'io' | 'options'>,
  work: (enough: () => boolean) => Promise<T>,
): Promise<T> {
  const { budget } = options as { readonly budget?: string | undefined };
  const end = budget === undefined ? Number.POSITIVE_INFINITY : millisecondsOf(budget);
  const isOver = () => performance.now() >= end; // the clock starts with the process
  return io.choosing ? io.choosing((stopped) => work(() => stopped() || isOver())) : work(isOver);
}
