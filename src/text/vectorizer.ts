import type { State } from '../core/artifact.ts';
import { readOptions } from '../core/options.ts';
import { rowsOf, toSparse } from '../data/batch.ts';
import type { Matrix } from '../data/matrix.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { refuse } from '../errors.ts';
import { readerOf } from './analyze.ts';
import { Bags } from './bag.ts';
import type { AsyncDocuments, Documents } from './documents.ts';
import { TextEstimator } from './estimator.ts';
import type { Growing, Growth, Merging, Study, StudyOptions } from './growth.ts';
import { type AnalyzerOptions, type SpecOf, type VocabularyOptions, vocabularySpec } from './options.ts';
import type { PruneOptions } from './prune.ts';
import { loadVocabulary, saveVocabulary } from './saved.ts';
import { type CountOptions, feed, feedAsync, TextCounter } from './vectorize.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Options as a caller may give them: each may be left out, and lists of words may come in any container. */
export type Given<Options> = Partial<Omit<Options, 'stopWords' | 'vocabulary'>> & {
  readonly stopWords?: AnalyzerOptions['stopWords'] | (Iterable<string> & object);
  readonly vocabulary?: VocabularyOptions['vocabulary'] | ReadonlySet<string> | ReadonlyMap<string, number>;
};

const { minDf, maxDf, maxFeatures } = vocabularySpec;
const ruleSpec = { minDf, maxDf, maxFeatures };

/** What the vectorizers that keep a vocabulary have in common. A subclass says what becomes of the counts. */
export abstract class VocabularyVectorizer<Options extends CountOptions>
  extends TextEstimator<Options>
  implements Growing<Documents, SparseMatrix>
{
  private readonly counter: TextCounter;
  private map: { terms: readonly string[]; columns: ReadonlyMap<string, number> } | undefined;

  abstract readonly rowwise: boolean;
  /** Counts to what this vectorizer answers, by what is known now. */
  protected abstract weighed(counts: SparseMatrix): SparseMatrix;

  protected constructor(kind: string, spec: SpecOf<Options>, given: unknown) {
    super(kind, spec, given);
    this.counter = new TextCounter(this.params);
  }

  /** Learns the vocabulary of these documents alone. */
  fit(documents: Documents, _y?: unknown, options: StudyOptions = {}): this {
    feed(documents, this.counter.fitting(options));
    return this;
  }

  /** `fit` for documents that are still on their way. */
  async fitAsync(documents: AsyncDocuments, _y?: unknown, options: StudyOptions = {}): Promise<this> {
    await feedAsync(documents, this.counter.fitting(options));
    return this;
  }

  /** Learns the vocabulary and answers the rows, reading the documents once. */
  fitTransform(documents: Documents, _y?: unknown, options: StudyOptions = {}): SparseMatrix {
    const counts = feed(documents, this.counter.fitting(options, new Bags()));
    return this.weighed(counts!);
  }

  /** One row per document; terms without a column are passed over. */
  transform(documents: Documents): SparseMatrix {
    return this.weighed(feed(documents, this.counter.transforming(this.kind)));
  }

  /** `transform` for documents that are still on their way. */
  async transformAsync(documents: AsyncDocuments): Promise<SparseMatrix> {
    return this.weighed(await feedAsync(documents, this.counter.transforming(this.kind)));
  }

  /** Learns on: new terms get a column at their place in the order, and all counts go on. It drops none: see `prune`. */
  partialFit(documents: Documents, _y?: unknown, options: StudyOptions = {}): this {
    this.study(documents, options).commit();
    return this;
  }

  /** `partialFit` for documents that are still on their way. */
  async partialFitAsync(documents: AsyncDocuments, _y?: unknown, options: StudyOptions = {}): Promise<this> {
    (await feedAsync(documents, this.counter.studying(options, new Bags()))).commit();
    return this;
  }

  /** Takes away documents that were learned; a term that is in none of the others loses its column. */
  unlearn(documents: Documents, _y?: unknown, options: StudyOptions = {}): this {
    this.studyUnlearning(documents, options).commit();
    return this;
  }

  /** Drops rare and common terms by a rule, or by the one in the options. What is dropped is forgotten. */
  prune(rule: Partial<PruneOptions> = {}): this {
    this.studyPruning(rule).commit();
    return this;
  }

  /** Adds what another vectorizer with the same parameters has learned. */
  merge(other: this): this {
    this.studyMerging(other).commit();
    return this;
  }

  /** For pipelines: what `partialFit` would do. */
  study(documents: Documents, options: StudyOptions = {}): Study<SparseMatrix> {
    return this.weighedStudy(feed(documents, this.counter.studying(options, new Bags())));
  }

  /** For pipelines: what `unlearn` would do. */
  studyUnlearning(documents: Documents, options: StudyOptions = {}): Study<SparseMatrix> {
    return this.weighedStudy(feed(documents, this.counter.unlearning(this.kind, options, new Bags())));
  }

  /** For pipelines: what `prune` would do. */
  studyPruning(rule: Partial<PruneOptions> = {}): Growth & { commit(): void } {
    return this.counter.pruning(this.kind, readOptions('prune', ruleSpec, { ...this.rule(), ...rule }));
  }

  /** For pipelines: what `merge` would do. */
  studyMerging(other: this): Merging {
    this.requireAlike(other);
    return this.counter.merging(other.counter.vocabulary);
  }

  /** Terms to columns. */
  get vocabulary(): ReadonlyMap<string, number> {
    const { terms } = this.known();
    if (this.map?.terms !== terms) this.map = { terms, columns: new Map(terms.map((term, j) => [term, j])) };
    return this.map.columns;
  }

  /** The terms, in the order of the columns. */
  getFeatureNamesOut(): string[] {
    return [...this.known().terms];
  }

  /** How many documents, by weight, have been learned. */
  get documentCount(): number {
    return this.known().documents;
  }

  /** In how many documents, by weight, each term was: one number per column. */
  get documentFrequency(): Float64Array {
    return this.known().df;
  }

  /** How often, by weight, each term was met: one number per column. */
  get termFrequency(): Float64Array {
    return this.known().tf;
  }

  /** The terms of each row: those with a value other than zero. */
  inverseTransform(X: Matrix | SparseMatrix): string[][] {
    const { terms } = this.known();
    if (X.cols !== terms.length) {
      refuse('E_FEATURE_COUNT', `rows have ${X.cols} columns, the vocabulary has ${terms.length}`, {
        expected: terms.length,
        actual: X.cols,
      });
    }
    const { rows, indptr, indices } = toSparse(rowsOf(X));
    return Array.from({ length: rows }, (_, i) =>
      Array.from(indices.subarray(indptr[i], indptr[i + 1]), (j) => terms[j]),
    );
  }

  /** The vocabulary that was learned or given; refuses where there is none. */
  protected known(): Vocabulary {
    return this.counter.known(this.kind);
  }

  protected save(): Pick<State, 'learned' | 'arrays'> {
    return this.counter.vocabulary ? saveVocabulary(this.counter.vocabulary) : { learned: {}, arrays: {} };
  }

  protected load(state: State): void {
    this.counter.vocabulary = loadVocabulary(state, readerOf(this.params), this.params.vocabulary);
  }

  private weighedStudy(study: Study<SparseMatrix>): Study<SparseMatrix> {
    return { ...study, rows: () => this.weighed(study.rows()) };
  }

  private rule(): PruneOptions {
    return { minDf: this.params.minDf, maxDf: this.params.maxDf, maxFeatures: this.params.maxFeatures };
  }
}
