import type { State, StateOptions } from '../core/artifact.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { refuse } from '../errors.ts';
import type { SpecOf } from '../text/option-kinds.ts';
import { type AnalyzerOptions, analyzerSpec } from '../text/options.ts';
import { givenIdf, idfOf, termWeight, type WeightOptions, weigh, weightSpec } from '../text/tfidf.ts';
import type { Vocabulary } from '../text/vocabulary.ts';
import { type Given, VocabularyLearner } from '../text/vocabulary-learner.ts';
import { type VocabularyOptions, vocabularySpec } from '../text/vocabulary-options.ts';

type Options = AnalyzerOptions & VocabularyOptions & WeightOptions;

const spec: SpecOf<Options> = { ...analyzerSpec, ...vocabularySpec, ...weightSpec };

/** Parameters of `TfidfVectorizer`. */
export type TfidfVectorizerOptions = Given<Options>;

/**
 * Documents to weights of their terms: `CountVectorizer` and `TfidfTransformer` in one. Agrees with scikit-learn's class of
 * this name, and also weighs by √tf and ln(1 + tf): `new TfidfVectorizer({ tf: 'sqrt', useIdf: false })`, or `sqrtTf()`,
 * before complement naive Bayes is the best plain text classifier we have measured.
 */
export class TfidfVectorizer extends VocabularyLearner<Options> {
  private weights: { of: Vocabulary; idf: Float64Array; given: boolean } | undefined;

  constructor(options: TfidfVectorizerOptions = {}) {
    super('TfidfVectorizer', spec, options);
    termWeight(this.params);
  }

  /** Without idf a row depends on its document and the columns alone; with it, on all documents. */
  get rowwise(): boolean {
    return !this.params.useIdf;
  }

  /** The inverse document frequency of each column. What is set holds until documents are learned. */
  get idf(): Float64Array {
    return this.idfNow().slice();
  }

  set idf(values: ArrayLike<number>) {
    this.requireIdf();
    const of = this.known();
    this.learned = of;
    this.weights = { of, idf: givenIdf(values, of.columns.ids.length), given: true };
  }

  override toState(options?: StateOptions): State {
    const state = super.toState(options);
    if (!this.weights?.given || this.weights.of !== this.learned) return state;
    const { idf } = this.weights;
    return { ...state, arrays: { ...state.arrays, idf: { shape: [idf.length], data: idf } } };
  }

  protected weighed(counts: SparseMatrix): SparseMatrix {
    const { useIdf, norm } = this.params;
    return weigh(counts, termWeight(this.params), useIdf ? this.idfNow() : undefined, norm);
  }

  private idfNow(): Float64Array {
    this.requireIdf();
    const of = this.known();
    const { documents } = of;
    if (this.weights?.of === of) return this.weights.idf;
    if (documents === 0) refuse('E_NOT_FITTED', 'this TfidfVectorizer knows its terms and no document; call fit first');
    this.weights = { of, idf: idfOf(of.df, documents, this.params), given: false };
    return this.weights.idf;
  }

  private requireIdf(): void {
    if (!this.params.useIdf) refuse('E_PARAM', 'there is no idf with useIdf: false', { name: 'useIdf' });
  }
}

/** Square roots of counts, rows of length 1, no idf: the text features to begin with for a text classifier. */
export function sqrtTf(options: TfidfVectorizerOptions = {}): TfidfVectorizer {
  return new TfidfVectorizer({ ...options, tf: 'sqrt', useIdf: false, norm: 'l2' });
}
