import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { readOptions } from '../core/options.ts';
import { inspect, printModel, refuseJson } from '../core/printed.ts';
import { requireLearning, requireNoOptions, requireOptions } from '../data/arguments.ts';
import type { Features } from '../data/input.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { refuse } from '../errors.ts';
import { analyzerOf, cleaning, readerOf, stopWordsOf, tokenizing } from './analyze.ts';
import { Columns } from './columns.ts';
import { DocumentCounter, feed, type Intake } from './document-counter.ts';
import type { Documents } from './documents.ts';
import { encodeTerms } from './encoded.ts';
import type { Growing, Merging, Study, StudyOptions } from './growth.ts';
import { inverseTransform } from './inverse.ts';
import type { SpecOf } from './option-kinds.ts';
import type { AnalyzerOptions } from './options.ts';
import { requireAlike, toJson } from './params.ts';
import { dropOutside, pruneRule } from './prune.ts';
import type { Reader } from './reader.ts';
import { saveVocabulary } from './saved.ts';
import { Vocabulary } from './vocabulary.ts';
import type { VocabularyOptions } from './vocabulary-options.ts';
import type { TextFunction } from './words.ts';

/** Options of every vectorizer that keeps a vocabulary. */
export type CountOptions = AnalyzerOptions & VocabularyOptions;

/** Options as a caller may give them: each is optional, and lists of words may be any iterable. */
export type Given<Options> = Partial<Omit<Options, 'stopWords' | 'vocabulary'>> & {
  /** Words to ignore: a language, or a list. Default: none. */
  readonly stopWords?: AnalyzerOptions['stopWords'] | (Iterable<string> & object);
  /** The terms that have columns. Default: learned from the documents. */
  readonly vocabulary?: VocabularyOptions['vocabulary'] | ReadonlySet<string> | ReadonlyMap<string, number>;
};

/**
 * Base class of the vectorizers with a vocabulary. A subclass defines what is computed from the counts. The learned
 * state is replaced as a whole after all documents are read, so a failure leaves it unchanged.
 */
export abstract class VocabularyLearner<Options extends CountOptions, Input extends Documents = Documents>
  implements Growing<Input, SparseMatrix>
{
  /** The public name of the class. */
  readonly kind: string;
  protected readonly params: Options;
  protected learned: Vocabulary | undefined;
  private provided: Vocabulary | undefined;
  private map: { readonly of: Vocabulary; readonly columns: ReadonlyMap<string, number> } | undefined;

  abstract readonly rowwise: boolean;
  /** Converts counts to the output of this vectorizer, using the current state. */
  protected abstract weighed(counts: SparseMatrix): SparseMatrix;

  protected constructor(kind: string, spec: SpecOf<Options>, given: unknown) {
    this.kind = kind;
    this.params = readOptions(kind, spec, given) as Options;
  }

  /** The parameters, as given or by default. */
  getParams(): Options {
    return { ...this.params };
  }

  /** Replaces some parameters. What was learned is forgotten: call `fit` again. */
  setParams(params: Partial<Options>): this {
    requireOptions(this.kind, Object.keys(this.params), params);
    return Object.assign(this, this.with({ ...this.params, ...params }));
  }

  /** An unfitted estimator with the same parameters. */
  clone(): this {
    return this.with(this.params);
  }

  private with(params: Options): this {
    return new (this.constructor as new (params: Options) => this)(params);
  }

  /**
   * For functions beside the vectorizer: a fresh reader by its options.
   *
   * @internal
   */
  readerFor(): Reader {
    return readerOf(this.params);
  }

  /** Refuses: a model is saved with `toBytes`. */
  toJSON(): never {
    return refuseJson(this);
  }

  /** @internal */
  [inspect](): string {
    return printModel(this);
  }

  /** The estimator as the bytes of a model file. Before the first fit it holds parameters alone. */
  toBytes(options?: SaveOptions): Uint8Array<ArrayBuffer> {
    return encodeModel(this, options);
  }

  /** The estimator as plain data. For a function among the parameters only its name is saved. */
  toState({ slim }: StateOptions = {}): State {
    const { kind, learned, params, rowwise } = this;
    const kept = learned && saveVocabulary(learned, slim ? (rowwise ? 'none' : 'df') : undefined);
    return { kind, params: toJson(params), ...(kept ?? { learned: {}, arrays: {} }) };
  }

  /** Learns the vocabulary of these documents, discarding earlier ones. */
  fit(documents: Input, y?: unknown, options: StudyOptions = {}): this {
    requireNoOptions(y);
    feed(documents, this.fitting(options, false));
    return this;
  }

  /** Learns the vocabulary and returns the rows, reading the documents once. */
  fitTransform(documents: Input, y?: unknown, options: StudyOptions = {}): SparseMatrix {
    requireNoOptions(y);
    const intake = this.fitting(options, true);
    return this.toMatrix(intake[0], feed(documents, intake));
  }

  /** One row per document; terms without a column are ignored. */
  transform(documents: Input): SparseMatrix {
    return feed(documents, this.transforming());
  }

  /**
   * Learns further documents: new terms get a column in sorted order, and counts are added. No term is dropped: see
   * `prune`.
   */
  partialFit(documents: Input, y?: unknown, options: StudyOptions = {}): this {
    requireNoOptions(y);
    this.study(documents, options).commit();
    return this;
  }

  /** Unlearns documents; a term that no remaining document contains loses its column. */
  unlearn(documents: Input, y?: unknown, options: StudyOptions = {}): this {
    requireNoOptions(y);
    this.studyUnlearning(documents, options).commit();
    return this;
  }

  /** Adds the counts of another vectorizer with the same parameters. */
  merge(other: this): this {
    this.studyMerging(other).commit();
    return this;
  }

  /**
   * For pipelines: what `partialFit` would do.
   *
   * @internal
   */
  study(documents: Input, options: StudyOptions = {}): Study<SparseMatrix> {
    return feed(documents, this.studying(options));
  }

  /**
   * For pipelines: what `unlearn` would do.
   *
   * @internal
   */
  studyUnlearning(documents: Input, options: StudyOptions = {}): Study<SparseMatrix> {
    const before = this.learned ?? this.refuseUnfitted();
    const counter = this.counter(before, options, false);
    return feed(documents, [
      counter,
      () => this.change(before, before.unlearn(counter.finish(), counter.unknown), counter, before),
    ]);
  }

  /**
   * For pipelines: what `merge` would do.
   *
   * @internal
   */
  studyMerging(other: this): Merging {
    requireAlike(this, other);
    const before = this.learned ?? this.blank();
    const theirs = other.learned;
    if (!theirs)
      return { features: before.columns.ids.length, moves: undefined, theirs: undefined, commit: () => undefined };
    const ids = before.reader.idsOf(theirs.columns.encoded());
    const next = before.learn(theirs.countsAt(ids, before.reader.size), before.pruned || theirs.pruned);
    return { ...this.change(before, next), theirs: Int32Array.from(ids, (id) => next.columns.place(id)) };
  }

  /** The column of each term. */
  get vocabulary(): ReadonlyMap<string, number> {
    const of = this.known();
    if (this.map?.of !== of) this.map = { of, columns: new Map(of.terms.map((term, j) => [term, j])) };
    return this.map.columns;
  }

  /**
   * The function that prepares a text before splitting: normal form, lower case, accents, or the given preprocessor.
   */
  buildPreprocessor(): TextFunction {
    return cleaning(this.params);
  }

  /** The function that splits a text into words, before stop words and n-grams. */
  buildTokenizer(): (text: string) => readonly string[] {
    return tokenizing(this.params);
  }

  /** The function that maps a text to its terms. */
  buildAnalyzer(): (text: string) => readonly string[] {
    return analyzerOf(this.params);
  }

  /** The stop words; null if there are none. */
  getStopWords(): readonly string[] | null {
    return this.params.stopWords === null ? null : stopWordsOf(this.params);
  }

  /** Whether the vocabulary was given rather than learned. */
  get fixedVocabulary(): boolean {
    return this.params.vocabulary !== null && this.params.vocabulary !== undefined;
  }

  /** The terms of each row: those with a value other than zero. */
  inverseTransform(X: Features): string[][] {
    return inverseTransform(this, X);
  }

  /** The terms, in the order of the columns. */
  getFeatureNamesOut(): string[] {
    return [...this.known().terms];
  }

  /** The number of documents learned, by weight. */
  get documentCount(): number {
    return this.known().documents;
  }

  /** The document frequency of each column, by weight. */
  get documentFrequency(): Float64Array {
    return this.known().df;
  }

  /** The number of occurrences in each column, by weight. */
  get termFrequency(): Float64Array {
    return this.known().tf;
  }

  /**
   * The vocabulary that was learned, or else the one that was given; refuses where there is none.
   *
   * @internal
   */
  known(): Vocabulary {
    if (!this.learned && !this.params.vocabulary) this.refuseUnfitted();
    return this.learned ?? (this.provided ??= this.blank());
  }

  /**
   * The vocabulary that was learned, where one was.
   *
   * @internal
   */
  get learnedVocabulary(): Vocabulary | undefined {
    return this.learned;
  }

  /**
   * For functions beside the vectorizer: takes over the vocabulary that they make.
   *
   * @internal
   */
  adopt(make: (options: Options) => Vocabulary | undefined): this {
    this.learned = make(this.params);
    return this;
  }

  /**
   * Forgets everything and learns anew; answers by what its rows are made.
   *
   * @internal
   */
  fitting(options: StudyOptions, keep: boolean): Intake<Vocabulary> {
    const fresh = this.blank();
    const counter = this.counter(fresh, options, true, keep);
    const finish = () => {
      const counts = counter.finish();
      const rule = pruneRule(this.params);
      const pruned = !fresh.fixed && dropOutside(counts, rule);
      const all = requireTerms(fresh.learn(counts, pruned));
      const next = fresh.fixed || rule.maxFeatures === null ? all : all.prune(rule);
      this.learned = next.compact(() => this.readerFor());
      return next;
    };
    return [counter, finish];
  }

  /**
   * One row per document, by the vocabulary as it is.
   *
   * @internal
   */
  transforming(): Intake<SparseMatrix> {
    const known = this.known();
    const { columns, reader } = known;
    const counter = new DocumentCounter(reader, { add: false, columns });
    const features = columns.ids.length;
    return [counter, () => this.weighed(counter.bags.toMatrix({ features, binary: this.params.binary }))];
  }

  /**
   * What would be known after some documents as well.
   *
   * @internal
   */
  studying(options: StudyOptions): Intake<Study<SparseMatrix>> {
    const before = this.learned ?? this.blank();
    const counter = this.counter(before, options, true);
    return [counter, () => this.change(before, requireTerms(before.learn(counter.finish())), counter)];
  }

  /**
   * For functions beside the vectorizer: a vocabulary that has learned nothing, of a reader with its options.
   *
   * @internal
   */
  blank(reader: Reader = this.readerFor()): Vocabulary {
    const { vocabulary } = this.params;
    const ids = reader.idsOf(encodeTerms(vocabulary ?? []));
    return new Vocabulary(reader, new Columns(reader, ids), vocabulary !== null);
  }

  private counter({ reader, fixed }: Vocabulary, options: StudyOptions, learns: boolean, keep = true): DocumentCounter {
    const { sampleWeight, signal } = requireLearning('a vectorizer', options);
    const weights = sampleWeight ?? undefined;
    return new DocumentCounter(reader, {
      add: learns && !fixed,
      binary: this.params.binary,
      keep,
      sampleWeight: weights,
      signal,
    });
  }

  /**
   * A change from one vocabulary to another, applied by `commit`; the documents are in the columns of the one that
   * reads them.
   */
  private change(before: Vocabulary, next: Vocabulary, counter?: DocumentCounter, by = next): Study<SparseMatrix> {
    return {
      features: next.columns.ids.length,
      moves: before.columns.movesTo(next.columns),
      rows: () => this.toMatrix(counter as DocumentCounter, by),
      commit: () => {
        this.learned = next.documents > 0 || next.counts.uncounted ? next : undefined;
      },
    };
  }

  private toMatrix({ bags }: DocumentCounter, { columns: { places, ids } }: Vocabulary): SparseMatrix {
    return this.weighed(bags.toMatrix({ places, features: ids.length, binary: this.params.binary }));
  }

  private refuseUnfitted(): never {
    return refuse('E_NOT_FITTED', `this ${this.kind} has not learned a vocabulary yet; call fit first`);
  }
}

function requireTerms(vocabulary: Vocabulary): Vocabulary {
  if (vocabulary.columns.ids.length > 0) return vocabulary;
  return refuse('E_EMPTY_INPUT', 'the vocabulary is empty; perhaps the documents contain only stop words', {
    features: 0,
  });
}
