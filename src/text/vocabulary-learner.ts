import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { readOptions } from '../core/options.ts';
import { inspect, printModel, refuseJson } from '../core/printed.ts';
import { requireLearning, requireOptions } from '../data/arguments.ts';
import type { Features } from '../data/input.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { refuse } from '../errors.ts';
import { analyzerOf, cleaning, readerOf, stopWordsOf, tokenizing } from './analyze.ts';
import { Columns } from './columns.ts';
import type { Documents } from './documents.ts';
import { encodeTerms } from './encoded.ts';
import type { Growing, Merging, Study, StudyOptions } from './growth.ts';
import { inverseTransform } from './inverse.ts';
import { feed, type Intake, Lesson } from './lesson.ts';
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

/** Options as a caller may give them: each may be left out, and lists of words may come in any container. */
export type Given<Options> = Partial<Omit<Options, 'stopWords' | 'vocabulary'>> & {
  readonly stopWords?: AnalyzerOptions['stopWords'] | (Iterable<string> & object);
  readonly vocabulary?: VocabularyOptions['vocabulary'] | ReadonlySet<string> | ReadonlyMap<string, number>;
};

/**
 * What the vectorizers that keep a vocabulary have in common. A subclass says what becomes of the counts. What was learned is replaced
 * as a whole when all has been read, so that whatever fails leaves it as it was.
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
  /** Counts to what this vectorizer answers, by what is known now. */
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

  /** The estimator as plain data. Of a function among the parameters only its name is kept. */
  toState({ slim }: StateOptions = {}): State {
    const { kind, learned, params, rowwise } = this;
    const kept = learned && saveVocabulary(learned, slim ? (rowwise ? 'none' : 'df') : undefined);
    return { kind, params: toJson(params), ...(kept ?? { learned: {}, arrays: {} }) };
  }

  /** Learns the vocabulary of these documents alone. */
  fit(documents: Input, _y?: unknown, options: StudyOptions = {}): this {
    feed(documents, this.fitting(options, false));
    return this;
  }

  /** Learns the vocabulary and answers the rows, reading the documents once. */
  fitTransform(documents: Input, _y?: unknown, options: StudyOptions = {}): SparseMatrix {
    const intake = this.fitting(options, true);
    return this.toMatrix(intake[0], feed(documents, intake));
  }

  /** One row per document; terms without a column are passed over. */
  transform(documents: Input): SparseMatrix {
    return feed(documents, this.transforming());
  }

  /** Learns on: new terms get a column at their place in the order, and all counts go on. It drops none: see `prune`. */
  partialFit(documents: Input, _y?: unknown, options: StudyOptions = {}): this {
    this.study(documents, options).commit();
    return this;
  }

  /** Takes away documents that were learned; a term that is in none of the others loses its column. */
  unlearn(documents: Input, _y?: unknown, options: StudyOptions = {}): this {
    this.studyUnlearning(documents, options).commit();
    return this;
  }

  /** Adds what another vectorizer with the same parameters has learned. */
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
    const lesson = this.lesson(before, options, false);
    return feed(documents, [
      lesson,
      () => this.change(before, before.unlearn(lesson.finish(), lesson.unknown), lesson, before),
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

  /** Terms to columns. */
  get vocabulary(): ReadonlyMap<string, number> {
    const of = this.known();
    if (this.map?.of !== of) this.map = { of, columns: new Map(of.terms.map((term, j) => [term, j])) };
    return this.map.columns;
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
    const lesson = this.lesson(fresh, options, true, keep);
    const finish = () => {
      const counts = lesson.finish();
      const rule = pruneRule(this.params);
      const pruned = !fresh.fixed && dropOutside(counts, rule);
      const all = requireTerms(fresh.learn(counts, pruned));
      const next = fresh.fixed || rule.maxFeatures === null ? all : all.prune(rule);
      this.learned = next.compact(() => this.readerFor());
      return next;
    };
    return [lesson, finish];
  }

  /**
   * One row per document, by the vocabulary as it is.
   *
   * @internal
   */
  transforming(): Intake<SparseMatrix> {
    const known = this.known();
    const { columns, reader } = known;
    const lesson = new Lesson(reader, { add: false, columns });
    const features = columns.ids.length;
    return [lesson, () => this.weighed(lesson.bags.toMatrix({ features, binary: this.params.binary }))];
  }

  /**
   * What would be known after some documents as well.
   *
   * @internal
   */
  studying(options: StudyOptions): Intake<Study<SparseMatrix>> {
    const before = this.learned ?? this.blank();
    const lesson = this.lesson(before, options, true);
    return [lesson, () => this.change(before, requireTerms(before.learn(lesson.finish())), lesson)];
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

  private lesson({ reader, fixed }: Vocabulary, options: StudyOptions, learns: boolean, keep = true): Lesson {
    const { sampleWeight, signal } = requireLearning('a vectorizer', options);
    const weights = sampleWeight ?? undefined;
    return new Lesson(reader, {
      add: learns && !fixed,
      binary: this.params.binary,
      keep,
      sampleWeight: weights,
      signal,
    });
  }

  /** From one vocabulary to another, once it is wanted; the documents in columns of the one they are read by. */
  private change(before: Vocabulary, next: Vocabulary, lesson?: Lesson, by = next): Study<SparseMatrix> {
    return {
      features: next.columns.ids.length,
      moves: before.columns.movesTo(next.columns),
      rows: () => this.toMatrix(lesson as Lesson, by),
      commit: () => {
        this.learned = next.documents > 0 || next.counts.uncounted ? next : undefined;
      },
    };
  }

  private toMatrix({ bags }: Lesson, { columns: { places, ids } }: Vocabulary): SparseMatrix {
    return this.weighed(bags.toMatrix({ places, features: ids.length, binary: this.params.binary }));
  }

  private refuseUnfitted(): never {
    return refuse('E_NOT_FITTED', `this ${this.kind} has not learned a vocabulary yet; call fit first`);
  }
}

function requireTerms(vocabulary: Vocabulary): Vocabulary {
  if (vocabulary.columns.ids.length > 0) return vocabulary;
  return refuse('E_EMPTY_INPUT', 'the vocabulary is empty; perhaps the documents hold only stop words', {
    features: 0,
  });
}
