import type { SparseMatrix } from '../data/sparse.ts';
import type { SpecOf } from '../text/option-kinds.ts';
import { type AnalyzerOptions, analyzerSpec } from '../text/options.ts';
import { type Given, VocabularyLearner } from '../text/vocabulary-learner.ts';
import { type VocabularyOptions, vocabularySpec } from '../text/vocabulary-options.ts';

type Options = AnalyzerOptions & VocabularyOptions;

const spec: SpecOf<Options> = { ...analyzerSpec, ...vocabularySpec };

/** Parameters of `CountVectorizer`. */
export type CountVectorizerOptions = Given<Options>;

/**
 * Documents to counts of their terms: one row per document, one column per term, columns sorted by code point.
 * Tokens, n-grams, vocabulary and counts are those of scikit-learn's class of this name; beyond it, the vocabulary grows by
 * `partialFit`, shrinks by `unlearn` and `prune`, and two of them `merge`.
 *
 * Text is read without loss: half a surrogate pair in a string is E_UNICODE, bytes that are not UTF-8 are E_ENCODING.
 */
export class CountVectorizer extends VocabularyLearner<Options> {
  /** A row depends on its document and the columns alone. */
  readonly rowwise = true;

  constructor(options: CountVectorizerOptions = {}) {
    super('CountVectorizer', spec, options);
  }

  protected weighed(counts: SparseMatrix): SparseMatrix {
    return counts;
  }
}

/** Bag of words: how often each word occurs, for multinomial models. */
export function bagOfWords(options: CountVectorizerOptions = {}): CountVectorizer {
  return new CountVectorizer({ ...options, binary: false });
}

/** Set of words: whether each word occurs, as 1 or 0. For Bernoulli models, and often better for short texts. */
export function setOfWords(options: CountVectorizerOptions = {}): CountVectorizer {
  return new CountVectorizer({ ...options, binary: true });
}
