import type { State } from '../core/artifact.ts';
import { flag, integer } from '../core/options.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { readerOf } from '../text/analyze.ts';
import { Bags } from '../text/bag.ts';
import { type AsyncDocuments, type Documents, requireDocuments } from '../text/documents.ts';
import { TextEstimator } from '../text/estimator.ts';
import type { Growing, Merging, Study, StudyOptions } from '../text/growth.ts';
import { hashTerm } from '../text/hash.ts';
import { Lesson } from '../text/lesson.ts';
import { type AnalyzerOptions, analyzerSpec, type SpecOf } from '../text/options.ts';
import { corrupt } from '../text/saved.ts';
import { divideByNorm, type Norm, normOption } from '../text/tfidf.ts';
import { feed, feedAsync, type Intake } from '../text/vectorize.ts';
import type { Given } from '../text/vectorizer.ts';

interface Options extends AnalyzerOptions {
  readonly nFeatures: number;
  readonly binary: boolean;
  readonly norm: Norm;
  readonly alternateSign: boolean;
}

const spec: SpecOf<Options> = {
  ...analyzerSpec,
  nFeatures: integer({ default: 2 ** 20, min: 1, max: 2 ** 31 - 1, doc: 'number of columns' }),
  binary: flag({ default: false, doc: 'present is 1, however often' }),
  norm: normOption,
  alternateSign: flag({ default: true, doc: 'a term counts up or down by the sign of its hash' }),
};

/** Parameters of `HashingVectorizer`. */
export type HashingVectorizerOptions = Omit<Given<Options>, 'vocabulary'>;

/**
 * Documents to rows without a vocabulary: the column of a term is |MurmurHash3| mod nFeatures. It learns nothing, so it
 * needs no fit; terms may share a column, and no column can be named. Agrees with scikit-learn's class of this name.
 * Models of counts need `alternateSign: false`, without which cells are negative.
 */
export class HashingVectorizer extends TextEstimator<Options> implements Growing<Documents, SparseMatrix> {
  /** A row depends on its document alone. */
  readonly rowwise = true;

  constructor(options: HashingVectorizerOptions = {}) {
    super('HashingVectorizer', spec, options);
  }

  /** Learns nothing. */
  fit(documents: Documents, _y?: unknown, _options?: StudyOptions): this {
    requireDocuments(documents);
    return this;
  }

  /** The same as `transform`. */
  fitTransform(documents: Documents, _y?: unknown, _options?: StudyOptions): SparseMatrix {
    return this.transform(documents);
  }

  /** One row per document. */
  transform(documents: Documents): SparseMatrix {
    return feed(documents, this.hashing());
  }

  /** `transform` for documents that are still on their way. */
  async transformAsync(documents: AsyncDocuments): Promise<SparseMatrix> {
    return feedAsync(documents, this.hashing());
  }

  /** Learns nothing. */
  partialFit(documents: Documents, _y?: unknown, _options?: StudyOptions): this {
    return this.fit(documents);
  }

  /** Forgets nothing, for nothing was learned. */
  unlearn(documents: Documents, _y?: unknown, _options?: StudyOptions): this {
    return this.fit(documents);
  }

  /** For pipelines: the rows; nothing changes. */
  study(documents: Documents): Study<SparseMatrix> {
    const rows = this.transform(documents);
    return { features: this.params.nFeatures, moves: undefined, rows: () => rows, commit: () => undefined };
  }

  /** For pipelines: the rows; nothing changes. */
  studyUnlearning(documents: Documents): Study<SparseMatrix> {
    return this.study(documents);
  }

  /** For pipelines: nothing changes. */
  studyMerging(other: this): Merging {
    this.requireAlike(other);
    return { features: this.params.nFeatures, moves: undefined, theirs: undefined, commit: () => undefined };
  }

  protected save(): Pick<State, 'learned' | 'arrays'> {
    return { learned: {}, arrays: {} };
  }

  protected load(): void {
    corrupt('a HashingVectorizer has learned something');
  }

  /** Within one call every term has a number, so that each is hashed once. */
  private hashing(): Intake<SparseMatrix> {
    const { nFeatures, alternateSign } = this.params;
    const reader = readerOf(this.params);
    const bags = new Bags();
    const lesson = new Lesson(reader, { add: true, binary: false, bags });
    return {
      add: (document) => lesson.add(document),
      finish: () => {
        const { ids } = lesson.tally();
        const places = new Int32Array(reader.size);
        const units = new Int8Array(reader.size).fill(1);
        for (const id of ids) {
          const { column, sign } = hashTerm(reader.term(id), nFeatures);
          places[id] = column;
          if (alternateSign) units[id] = sign;
        }
        return this.finished(bags.toMatrix({ places, features: nFeatures, units }));
      },
    };
  }

  private finished({ rows, cols, indptr, indices, data }: SparseMatrix): SparseMatrix {
    if (this.params.binary) data.fill(1);
    for (let i = 0; i < rows; i++) divideByNorm(data, indptr[i], indptr[i + 1], this.params.norm);
    // Terms of opposite sign in one column may cancel out.
    return data.includes(0)
      ? new SparseMatrix(rows, cols, indptr, indices, data)
      : SparseMatrix.trusted(rows, cols, indptr, indices, data);
  }
}
