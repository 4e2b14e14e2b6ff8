import type { State } from '../core/artifact.ts';
import type { Form } from '../core/form.ts';
import type { Keeping } from './keeping.ts';
import { fromState } from './saved-counts.ts';
import { learnedFromSlim, paramsFromSlim } from './saved-slim.ts';

// biome-ignore lint/suspicious/noExplicitAny: a walk over all families
type AnyKeeping = Keeping<any, any, any>;

/**
 * Gives a classifier what a state holds. All or nothing: what contradicts the options of the estimator changes nothing. Parameters
 * of a full model are derived when they are first needed, so that reading a file takes as long as the file is.
 */
// biome-ignore lint/suspicious/noExplicitAny: the form of whatever parameters
export function restoreCounts(estimator: AnyKeeping, state: State, form: Form<any, any> | undefined): void {
  const slim = 'slim' in state.learned;
  estimator.adopt(
    (keeper) => (slim ? learnedFromSlim(keeper, state) : fromState(keeper, state)),
    ({ stats }, options) => (slim ? paramsFromSlim(form, state, stats, options) : undefined),
  );
}
