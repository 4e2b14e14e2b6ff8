import { decodeState, type State } from '../core/artifact.ts';
import { readerOf } from '../text/analyze.ts';
import { loadVocabulary } from '../text/saved.ts';
import { VocabularyVectorizer } from '../text/vectorizer.ts';
import { CountingClassifier } from './classifier.ts';
import { fromState } from './saved-counts.ts';
import { learnedFromSlim, paramsFromSlim } from './saved-slim.ts';

/** An estimator that reads its own state. */
interface Restorable {
  restore(state: State): unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: a walk over all families
type AnyClassifier = CountingClassifier<any, any, any, any>;

/**
 * Gives an estimator what a state or a model file holds; what it knew before is forgotten. `load` finds the class by itself;
 * this is for an estimator whose parameters a file cannot hold, such as a tokenizer of the caller.
 */
export function restore<E extends object>(estimator: E, saved: State | Uint8Array): E {
  const state = saved instanceof Uint8Array ? decodeState(saved) : saved;
  const empty = Object.keys(state.learned).length + Object.keys(state.arrays).length === 0;
  if (estimator instanceof CountingClassifier) {
    if (!empty) restoreCounts(estimator as AnyClassifier, state);
  } else if (estimator instanceof VocabularyVectorizer) {
    if (!empty) estimator.adopt((options) => loadVocabulary(state, readerOf(options), options.vocabulary));
  } else (estimator as E & Restorable).restore(state);
  return estimator;
}

/**
 * All or nothing: what contradicts the options of the estimator changes nothing. Parameters of a full model are derived when
 * they are first needed, so that reading a file takes as long as the file is.
 */
function restoreCounts(estimator: AnyClassifier, state: State): void {
  const slim = 'slim' in state.learned;
  estimator.adopt(
    (keeper) => (slim ? learnedFromSlim(keeper, state) : fromState(keeper, state)),
    ({ stats }, options) => (slim ? paramsFromSlim(estimator.model.form, state, stats, options) : undefined),
  );
}
