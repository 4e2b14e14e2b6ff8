import type { State } from '../core/artifact.ts';
import { flag, integer } from '../core/options.ts';
import { requireLearning, requireNoOptions } from '../data/arguments.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { analyzerOf, cleaning, readerOf, stopWordsOf, tokenizing } from '../text/analyze.ts';
import { DocumentCounter, feed, type Intake } from '../text/document-counter.ts';
import { type Documents, requireDocuments } from '../text/documents.ts';
import { TextEstimator } from '../text/estimator.ts';
import type { Growing, Merging, Study, StudyOptions } from '../text/growth.ts';
import { hashTerm } from '../text/hash.ts';
import type { SpecOf } from '../text/option-kinds.ts';
import { type AnalyzerOptions, analyzerSpec } from '../text/options.ts';
import { requireAlike } from '../text/params.ts';
import { corrupt } from '../text/saved-terms.ts';
import { divideByNorm, type Norm, normOption } from '../text/tfidf.ts';
import type { Given } from '../text/vocabulary-learner.ts';
import type { TextFunction } from '../text/words.ts';

interface Options extends AnalyzerOptions {
  /** The number of columns. Default: 2 ** 20. */
  readonly nFeatures: number;
  /** Count each term once per document. Default: false. */
  readonly binary: boolean;
  /** The norm of each row: 'l1', 'l2', or null for none. Default: 'l2'. */
  readonly norm: Norm;
  /** Add or subtract a term by the sign of its hash. Models of counts need false. Default: true. */
  readonly alternateSign: boolean;
}

const spec: SpecOf<Options> = {
  ...analyzerSpec,
  /** Number of columns. */
  nFeatures: integer({ default: 2 ** 20, min: 1, max: 2 ** 31 - 1 }),
  /** Present is 1, however often. */
  binary: flag({ default: false }),
  norm: normOption,
  /** A term counts up or down by the sign of its hash. */
  alternateSign: flag({ default: true }),
};

/** Parameters of `HashingVectorizer`. */
export type HashingVectorizerOptions = Omit<Given<Options>, 'vocabulary'>;

/**
 * Documents to rows without a vocabulary: the column of a term is |MurmurHash3| mod nFeatures. It is stateless, so it needs no fit; terms
 * may share a column, and columns have no names. Agrees with scikit-learn's class of this name. Models of counts need `alternateSign:
 * false`, without which cells are negative.
 */
export class HashingVectorizer extends TextEstimator<Options> implements Growing<Documents, SparseMatrix> {
  /** A row depends on its document alone. */
  readonly rowwise = true;

  constructor(options: HashingVectorizerOptions = {}) {
    super('HashingVectorizer', spec, options);
  }

  /** Does nothing; the vectorizer is stateless. */
  fit(documents: Documents, y?: unknown, options: StudyOptions = {}): this {
    requireLearning(this.kind, options);
    requireNoOptions(y);
    requireDocuments(documents);
    return this;
  }

  /** The same as `transform`. */
  fitTransform(documents: Documents, y?: unknown, options?: StudyOptions): SparseMatrix {
    return this.fit(documents, y, options).transform(documents);
  }

  /** What a text becomes before it is split: normal form, small letters, accents, or the preprocessor that was given. */
  buildPreprocessor(): TextFunction {
    return cleaning(this.params);
  }

  /** From a text to its words, before stop words and n-grams. */
  buildTokenizer(): (text: string) => readonly string[] {
    return tokenizing(this.params);
  }

  /** From a text to its terms. */
  buildAnalyzer(): (text: string) => readonly string[] {
    return analyzerOf(this.params);
  }

  /** The words that are left out; null where none are. */
  getStopWords(): readonly string[] | null {
    return this.params.stopWords === null ? null : stopWordsOf(this.params);
  }

  /** One row per document. */
  transform(documents: Documents): SparseMatrix {
    return feed(documents, this.transforming());
  }

  /** Does nothing; the vectorizer is stateless. */
  partialFit(documents: Documents, y?: unknown, options?: StudyOptions): this {
    return this.fit(documents, y, options);
  }

  /** Does nothing; the vectorizer is stateless. */
  unlearn(documents: Documents, y?: unknown, options?: StudyOptions): this {
    return this.fit(documents, y, options);
  }

  /**
   * For pipelines: the rows; nothing changes.
   *
   * @internal
   */
  study(documents: Documents): Study<SparseMatrix> {
    const rows = this.transform(documents);
    return { features: this.params.nFeatures, moves: undefined, rows: () => rows, commit: () => undefined };
  }

  /**
   * For pipelines: the rows; nothing changes.
   *
   * @internal
   */
  studyUnlearning(documents: Documents): Study<SparseMatrix> {
    return this.study(documents);
  }

  /**
   * For pipelines: nothing changes.
   *
   * @internal
   */
  studyMerging(other: this): Merging {
    requireAlike(this, other);
    return { features: this.params.nFeatures, moves: undefined, theirs: undefined, commit: () => undefined };
  }

  protected save(): Pick<State, 'learned' | 'arrays'> {
    return { learned: {}, arrays: {} };
  }

  /**
   * Takes over a state, which holds nothing: there is nothing to learn.
   *
   * @internal
   */
  restore({ learned, arrays }: State): this {
    if (Object.keys(learned).length + Object.keys(arrays).length > 0)
      corrupt('a HashingVectorizer has learned something');
    return this;
  }

  /** Within one call every term has a number, so that each is hashed once. */
  transforming(): Intake<SparseMatrix> {
    const { nFeatures: features, alternateSign } = this.params;
    const reader = readerOf(this.params);
    const counter = new DocumentCounter(reader, { add: true, keep: true });
    const finish = () => {
      const places = new Int32Array(reader.size);
      const units = new Int8Array(reader.size).fill(1);
      const { bytes, ends } = reader.encode(Uint32Array.from(places.keys()));
      for (let id = 0; id < ends.length; id++) {
        const { column, sign } = hashTerm(bytes.subarray(id > 0 ? ends[id - 1] : 0, ends[id]), features);
        places[id] = column;
        if (alternateSign) units[id] = sign;
      }
      return this.finished(counter.bags.toMatrix({ places, features, units }));
    };
    return [counter, finish];
  }

  private finished({ rows, cols, indptr, indices, data }: SparseMatrix): SparseMatrix {
    if (this.params.binary) data.fill(1);
    for (let i = 0; i < rows; i++) divideByNorm(data, indptr[i], indptr[i + 1], this.params.norm);
    // Terms of opposite sign in one column may cancel out.
    return data.includes(0)
      ? new SparseMatrix(rows, cols, indptr, indices, data)
      : SparseMatrix.tidy(rows, cols, indptr, indices, data);
  }
}
