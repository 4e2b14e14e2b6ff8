import { decodeState, type State } from '../core/artifact.ts';
import { isLike, requireLike } from '../data/arguments.ts';
import { loadVocabulary } from '../text/saved.ts';
import { readIdf } from '../text/saved-terms.ts';
import { givenIdf } from '../text/tfidf.ts';
import { VocabularyLearner } from '../text/vocabulary-learner.ts';
import { CountingClassifier } from './classifier.ts';
import type { AnyClassifier } from './copy.ts';
import { readLearned, readParameters } from './learned.ts';

/** An estimator that reads its own state. */
interface Restorable {
  restore(state: State): unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: a walk over all vectorizers
type AnyVocabulary = VocabularyLearner<any, any>;

/**
 * Restores an estimator from a state or a model file. `load` finds the class by itself; use this for an estimator whose parameters a file
 * cannot contain, such as your own tokenizer. A state that contradicts the options of the estimator throws and changes nothing.
 */
export function restore<E extends object>(estimator: E, saved: State | Uint8Array): E {
  requireLike(estimator, 'an estimator', { kind: 'string' });
  const state = isLike(saved, { kind: 'string', learned: 'object', arrays: 'object' })
    ? (saved as State)
    : decodeState(saved as Uint8Array);
  const empty = Object.keys(state.learned).length + Object.keys(state.arrays).length === 0;
  if (estimator instanceof CountingClassifier) {
    if (!empty) restoreCounts(estimator as AnyClassifier, state);
  } else if (estimator instanceof VocabularyLearner) {
    if (!empty) restoreVocabulary(estimator, state);
  } else (estimator as E & Restorable).restore(state);
  return estimator;
}

/** A vocabulary, and the idf that was set for it. */
function restoreVocabulary(estimator: AnyVocabulary, state: State): void {
  const { idf, ...arrays } = state.arrays;
  const own = idf && 'idf' in estimator ? { ...state, arrays } : state;
  const made = loadVocabulary(own, estimator.readerFor(), estimator.getParams().vocabulary);
  if (own !== state) givenIdf(readIdf(idf), made.columns.ids.length);
  estimator.adopt(() => made);
  if (own !== state) (estimator as { idf?: Float64Array }).idf = readIdf(idf);
}

/** Parameters of a full model are estimated on demand, so reading takes time proportional to the file. */
function restoreCounts(estimator: AnyClassifier, state: State): void {
  const { form } = estimator.model;
  estimator.adopt(
    (statisticKind) => readLearned(statisticKind, state),
    ({ counts, slim }, options) => (slim ? readParameters(form, state, counts.shape, options) : undefined),
  );
}
