import { refuse } from '../../errors.ts';

/** Refuses what a target has no way to say. */
export function cannotTranslate(target: string, what: string): never {
  return refuse('E_CONFLICT', `${target} cannot carry ${what}`, { target, what });
}
