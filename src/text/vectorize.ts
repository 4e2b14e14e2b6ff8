import type { SparseMatrix } from '../data/sparse.ts';
import { refuse } from '../errors.ts';
import { readerOf } from './analyze.ts';
import { Bags } from './bag.ts';
import type { Columns } from './columns.ts';
import { type AsyncDocuments, type Document, type Documents, requireDocuments } from './documents.ts';
import type { Growth, Merging, Study, StudyOptions } from './growth.ts';
import { Lesson, type Tally, takeTerms } from './lesson.ts';
import type { AnalyzerOptions, VocabularyOptions } from './options.ts';
import { keepsAll, type PruneOptions, pruneRule, withinLimits } from './prune.ts';
import { Vocabulary } from './vocabulary.ts';

/** Options of every vectorizer that keeps a vocabulary. */
export type CountOptions = AnalyzerOptions & VocabularyOptions;

/** Takes documents one by one and then answers. */
export interface Intake<T> {
  add(document: Document): void;
  finish(): T;
}

/** Hands over documents that are there. */
export function feed<T>(documents: Documents, intake: Intake<T>): T {
  for (const document of requireDocuments(documents)) intake.add(document);
  return intake.finish();
}

/** Hands over documents as they come. */
export async function feedAsync<T>(documents: AsyncDocuments, intake: Intake<T>): Promise<T> {
  for await (const document of requireDocuments(documents)) intake.add(document);
  return intake.finish();
}

/** Counts documents by a vocabulary that is learned, grows and can be unlearned. What it has learned is replaced or changed
 * only when an intake finishes or a study is committed, so that whatever fails leaves it as it was. */
export class TextCounter {
  readonly options: CountOptions;
  vocabulary: Vocabulary | undefined;
  private provided: Vocabulary | undefined;

  constructor(options: CountOptions) {
    this.options = options;
  }

  /** The vocabulary that was learned, or else the one that was given. */
  known(kind: string): Vocabulary {
    if (this.vocabulary) return this.vocabulary;
    if (!this.options.vocabulary) {
      refuse('E_NOT_FITTED', `this ${kind} has not learned a vocabulary yet; call fit first`);
    }
    this.provided ??= this.fresh();
    return this.provided;
  }

  /** Forgets everything and learns anew; answers the rows where they are wanted. */
  fitting(options: StudyOptions, bags?: Bags): Intake<SparseMatrix | undefined> {
    const vocabulary = this.fresh();
    const lesson = this.lesson(vocabulary, options, true, bags);
    return {
      add: (document) => lesson.add(document),
      finish: () => {
        this.settle(vocabulary, lesson.finish());
        const rows = bags && this.toMatrix(bags, vocabulary.columns);
        this.vocabulary = this.compact(vocabulary);
        return rows;
      },
    };
  }

  /** One row per document, by the vocabulary as it is. */
  transforming(kind: string): Intake<SparseMatrix> {
    const { columns, reader } = this.known(kind);
    const bags = new Bags();
    const lesson = new Lesson(reader, { add: false, binary: false, bags });
    return {
      add: (document) => lesson.add(document),
      finish: () => this.toMatrix(bags, columns),
    };
  }

  /** What would be known after these documents as well. */
  studying(options: StudyOptions, bags: Bags): Intake<Study<SparseMatrix>> {
    const vocabulary = this.vocabulary ?? this.fresh();
    const lesson = this.lesson(vocabulary, options, true, bags);
    return {
      add: (document) => lesson.add(document),
      finish: () => {
        const change = vocabulary.learn(lesson.finish());
        requireTerms(change.features);
        const commit = () => {
          change.commit();
          this.vocabulary = vocabulary;
        };
        return { ...change, commit, rows: () => this.toMatrix(bags, change.columns) };
      },
    };
  }

  /** What would be known without these documents. */
  unlearning(kind: string, options: StudyOptions, bags: Bags): Intake<Study<SparseMatrix>> {
    const vocabulary =
      this.vocabulary ?? refuse('E_NOT_FITTED', `this ${kind} has not learned anything yet; call fit first`);
    const lesson = this.lesson(vocabulary, options, false, bags);
    return {
      add: (document) => lesson.add(document),
      finish: () => {
        const change = vocabulary.unlearn(lesson.finish());
        const { columns } = vocabulary;
        const commit = () => {
          change.commit();
          if (vocabulary.documents === 0) this.vocabulary = undefined;
        };
        return { ...change, commit, rows: () => this.toMatrix(bags, columns) };
      },
    };
  }

  /** What would be left by a rule; where it says nothing, the options speak. */
  pruning(kind: string, rule: Partial<PruneOptions>): Growth & { commit(): void } {
    const vocabulary = this.known(kind);
    if (vocabulary.fixed) refuse('E_PARAM', 'a vocabulary that was given is not pruned', { name: 'vocabulary' });
    const change = vocabulary.prune(pruneRule({ ...this.options, ...rule }));
    const commit = () => {
      change.commit();
      this.vocabulary = this.compact(vocabulary);
    };
    return { ...change, commit };
  }

  /** What would be known with what another counter has learned. */
  merging(other: Vocabulary | undefined): Merging {
    const vocabulary = this.vocabulary ?? this.fresh();
    if (!other) {
      return { features: vocabulary.terms.length, moves: undefined, theirs: undefined, commit: () => undefined };
    }
    const { documents, terms, df, tf, pruned } = other;
    const ids = Uint32Array.from(terms, (term) => vocabulary.reader.idOf(term));
    const change = vocabulary.learn({ documents, ids, df, tf, unknown: 0 });
    const commit = () => {
      change.commit();
      vocabulary.pruned ||= pruned;
      this.vocabulary = vocabulary;
    };
    return { ...change, theirs: Int32Array.from(ids, (id) => change.columns.place(id)), commit };
  }

  /** Gives a new vocabulary its first terms. What the limits drop is dropped first: it needs no string and no order. */
  private settle(vocabulary: Vocabulary, tally: Tally): void {
    if (!vocabulary.fixed) requireTerms(tally.ids.length);
    const rule = pruneRule(this.options);
    if (vocabulary.fixed || keepsAll(rule)) {
      vocabulary.learn(tally).commit();
      return;
    }
    const kept = withinLimits(tally.df, tally.documents, rule);
    vocabulary.learn(takeTerms(tally, kept)).commit();
    vocabulary.pruned = kept.length < tally.ids.length;
    if (rule.maxFeatures !== null) vocabulary.prune(rule).commit();
  }

  private fresh(): Vocabulary {
    const { vocabulary } = this.options;
    return new Vocabulary(readerOf(this.options), vocabulary ?? [], vocabulary !== null);
  }

  private lesson(vocabulary: Vocabulary, options: StudyOptions, learns: boolean, bags: Bags | undefined): Lesson {
    const { sampleWeight, signal } = options;
    const { binary } = this.options;
    return new Lesson(vocabulary.reader, { add: learns && !vocabulary.fixed, binary, sampleWeight, signal, bags });
  }

  private toMatrix(bags: Bags, { places, terms }: Columns): SparseMatrix {
    return bags.toMatrix({ places, features: terms.length, binary: this.options.binary });
  }

  /** A reader that remembers more dropped words than kept ones is exchanged for one that knows the kept ones alone. */
  private compact(vocabulary: Vocabulary): Vocabulary {
    const wasteful = vocabulary.pruned && vocabulary.reader.size > 2 * vocabulary.terms.length;
    return wasteful ? vocabulary.with(readerOf(this.options)) : vocabulary;
  }
}

function requireTerms(features: number): void {
  if (features === 0) {
    refuse('E_EMPTY_INPUT', 'the vocabulary is empty; perhaps the documents hold only stop words', { features });
  }
}
