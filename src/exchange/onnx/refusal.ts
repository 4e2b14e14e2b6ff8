import { refuse } from '../../errors.ts';

/** Refuses what a target cannot express. */
export function cannotTranslate(target: string, what: string): never {
  return refuse('E_CONFLICT', `${target} cannot represent ${what}`, { target, what });
}
