import type { Option } from '../core/options.ts';
import { show } from '../errors.ts';
import { custom } from '../text/option-kinds.ts';

/** An option that stays as it is at this door; the refusal of another value names the way to it. */
export function only<T>(value: T, instead: string): Option<T> {
  return custom(value, `${show(value)} at polya/light (use ${instead})`, (given) =>
    given === value ? given : undefined,
  );
}

/** An option that stays as it is, or is a function; the refusal of a name tells which functions of this door are meant by it. */
export function orFunction<T>(value: T, instead?: string): Option<T> {
  const hint = instead ? ` (${instead} of polya/light)` : '';
  return custom(value, `${show(value)} or a function${hint}`, (given) =>
    given === value || typeof given === 'function' ? given : undefined,
  );
}
