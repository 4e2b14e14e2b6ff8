import type { Model } from '../core/model.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import { maximum, sum } from '../math/arrays.ts';
import type { Sums } from '../stats/sums.ts';
import type { Document } from '../text/documents.ts';
import { grown } from '../text/grown.ts';
import type { Vocabulary } from '../text/vocabulary.ts';
import type { CountVectorizer } from './count-vectorizer.ts';
import { type Later, learnedLater, vocabularyLater } from './later.ts';
import type { Learned } from './learned.ts';
import { Scored } from './scored.ts';
import { type Bag, WordTable } from './word-table.ts';
import { WordWeights } from './word-weights.ts';

/** A classifier of counts as words are taught to it one by one. */
export interface WordLearner {
  // biome-ignore lint/suspicious/noExplicitAny: the options are handed on as they come
  readonly model: Model<Sums, any, any>;
  /** What was learned, where that is plain counts by class and word. */
  readonly wordCounts: Learned<Sums> | undefined;
  /** Whether this is what was learned. */
  knows(learned: Learned<Sums>): boolean;
  /** How it is estimated. */
  wordOptions(learned: Learned<Sums>): unknown;
  /** Takes over what was counted since. */
  adopt(make: () => Learned<Sums>): unknown;
  clone(): WordLearner;
}

/** More rows at once than this are better scored with the parameters of all words. */
const FEW = 64;

/** So many rows asked while nothing is learned pay for the parameters of all words. */
const MUCH = 10_000;

/** Parameters of all words, three times over in memory, are not worth their room beyond this number, unless so many rows come at once. */
const LARGE = 1 << 20;
const FLOOD = 16_384;

/** What a count of what is new can hold. */
const COUNTABLE = 2 ** 32 - 1;

const NONE = new Float64Array(0);

/**
 * A vocabulary and the counts of its words, while documents are learned one by one. To learn costs the words of the document,
 * not classes × words: terms and counts grow in place, in the order of arrival. `settle` brings them into the order of the columns
 * and gives them to the vectorizer and the classifier, which then know what learning in the plain way would have taught them. Until
 * somebody looks at these, they keep nothing: the counts are here, in a tenth of the room.
 * Whatever is out of the ordinary (a new class, weights that are not whole, counts near 2^53) is left to the plain way.
 */
export class LiveWords {
  private readonly vectorizer: CountVectorizer;
  private readonly learner: WordLearner;
  private readonly slots: ReadonlyMap<Label, number>;
  private readonly table: WordTable;
  private readonly n: Float64Array;
  private readonly totals: Float64Array;
  private readonly weights: WordWeights;
  private readonly binary: boolean;
  /** What learning does not change. */
  private readonly about: Omit<Learned<Sums>, 'stats' | 'ceiling'>;
  private learned: Learned<Sums>;
  private vocabulary: Vocabulary;
  /** The vocabulary that the vectorizer has. */
  private given: Vocabulary;
  /** No count of the classifier is larger than this. */
  private ceiling: number;
  /** No count, and no sum of counts, is larger than this; not known before something is learned. */
  private highest: number | undefined;
  /** Whether it knows more than the vectorizer and the classifier do. */
  ahead = false;
  /** Documents, and by id in how many of them and how often a term was, since the vocabulary was made. */
  private documents = 0;
  private df: Uint32Array = new Uint32Array(0);
  private tf: Uint32Array = new Uint32Array(0);
  /** None of these counts is larger than this. */
  private since = 0;
  private values: Float64Array = new Float64Array(256);
  /** How many rows were scored since something was learned. */
  private asked = 0;

  private constructor(vectorizer: CountVectorizer, learner: WordLearner, learned: Learned<Sums>, known: Vocabulary) {
    this.vectorizer = vectorizer;
    this.learner = learner;
    const { stats: counts, ceiling, ...about } = learned;
    const stats = counts as Sums;
    this.about = about;
    this.learned = learned;
    this.vocabulary = known;
    this.given = known;
    const options = learner.wordOptions(learned);
    this.binary = vectorizer.getParams().binary;
    this.slots = new Map(learned.classes.map((label, c) => [label, c]));
    this.table = new WordTable(known, stats.classes);
    this.n = stats.n.slice();
    this.weights = new WordWeights({ model: learner.model, options, counts: this.table.counts, n: this.n });
    this.totals = this.table.fill(stats) ?? Float64Array.of(Number.NaN);
    this.ceiling = ceiling;
  }

  /** The words of a vectorizer and a classifier that reads its rows; undefined where they are not plain whole counts. */
  static begin(vectorizer: CountVectorizer, learner: WordLearner): LiveWords | undefined {
    const { wordCounts: learned } = learner;
    const known = vectorizer.learnedVocabulary;
    if (!learned || !known || known.counts.left || known.columns.ids.length !== learned.stats.features)
      return undefined;
    const live = new LiveWords(vectorizer, learner, learned, known);
    return live.totals.every(Number.isSafeInteger) && live.n.every(Number.isSafeInteger) ? live : undefined;
  }

  /** Whether vectorizer and classifier are still as they were when they were last given what was learned. */
  get current(): boolean {
    return this.learner.knows(this.learned) && this.vectorizer.learnedVocabulary === this.given;
  }

  /** Learns documents, all or none; false, and nothing done, where that is for the plain way. */
  learn(documents: readonly Document[], labels: ArrayLike<Label>, weights?: Weights): boolean {
    const rows = documents.length;
    const odd = rows === 0 || labels.length !== rows || (typeof weights === 'object' && weights.length !== rows);
    if (odd) return false;
    const w = readWeights(weights, rows);
    const slots = Array.from(labels, (label) => this.slots.get(label));
    if (slots.includes(undefined) || !w.every(isWhole)) return false;
    const bags = documents.map((document, row): Bag => {
      const bag = this.table.read(document, row, !this.vocabulary.fixed);
      return rows === 1 ? bag : { ids: bag.ids.slice(), counts: bag.counts.slice() };
    });
    const peak = bags.reduce((most, { counts }) => Math.max(most, maximum(counts)), 1);
    const words = bags.reduce((total, { counts }, i) => total + w[i] * (1 + sum(counts)), 0);
    const growth = words + sum(w) * peak;
    const before = this.highest ?? this.mostNow();
    if (!(before + growth <= Number.MAX_SAFE_INTEGER) || growth > COUNTABLE) return false;
    if (this.since + growth > COUNTABLE) this.arrange();
    this.highest = before + growth;
    this.since += growth;
    this.ceiling += sum(w) * peak;
    this.goAhead();
    for (let i = 0; i < bags.length; i++) this.add(bags[i], slots[i] as number, w[i]);
    this.asked = 0;
    this.weights.forget();
    if (this.table.crowded) this.arrange();
    return true;
  }

  private mostNow(): number {
    return maximum(this.vocabulary.tf) + this.ceiling + sum(this.totals) + sum(this.n);
  }

  /** Documents with their scores; undefined where the plain way is better: many rows, or much asked and nothing learned. */
  score(documents: readonly Document[]): Scored | undefined {
    this.asked += documents.length;
    if (documents.length === 0 || this.paysForAll(documents.length)) return undefined;
    const joint = new Matrix(documents.length, this.n.length);
    let logPrior: Float64Array | undefined;
    for (let i = 0; i < documents.length; i++) {
      logPrior = this.scoreRow(this.table.read(documents[i], i, false), joint.row(i));
      if (!logPrior) return undefined;
    }
    return logPrior && new Scored(joint, logPrior);
  }

  /** Whether so many rows are scored in less time with the parameters of all words. */
  private paysForAll(rows: number): boolean {
    const large = this.n.length * this.table.features > LARGE;
    return large ? rows > FLOOD : rows > FEW || this.asked > MUCH;
  }

  /** Gives the vectorizer and the classifier what was learned. */
  settle(): void {
    if (!this.ahead) return;
    this.ahead = false;
    const learned = this.learnedBy((columns) => this.table.counts.table(columns, false));
    this.give(learned, this.vocabulary);
  }

  /**
   * A vectorizer and a classifier that have what was learned, to be saved and no more: their counts are the narrowest numbers that hold
   * them, as a file has them, so that a model is saved in the room of the file.
   */
  toSave(): readonly [CountVectorizer, WordLearner] {
    const learned = this.learnedBy((columns) => this.table.counts.table(columns, true) as Float64Array);
    const classifier = this.learner.clone();
    classifier.adopt(() => learned);
    return [this.vectorizer.clone().adopt(() => this.vocabulary), classifier];
  }

  private learnedBy(table: (columns: Uint32Array) => Float64Array): Learned<Sums> {
    this.arrange();
    const { ids } = this.vocabulary.columns;
    const stats = { classes: this.n.length, features: ids.length, n: this.n.slice(), s: table(ids), m: NONE };
    return { ...this.about, stats, ceiling: this.ceiling };
  }

  /** From now on the vectorizer and the classifier know what they know when somebody looks. */
  goAhead(): void {
    if (this.ahead) return;
    this.ahead = true;
    const later = () => this.settled();
    this.give(learnedLater(this.about, later), vocabularyLater(this.vocabulary, later));
  }

  private settled(): Later {
    this.settle();
    return { vocabulary: this.vocabulary, stats: this.learned.stats as Sums, ceiling: this.ceiling };
  }

  private give(learned: Learned<Sums>, vocabulary: Vocabulary): void {
    this.learned = learned;
    this.given = vocabulary;
    this.learner.adopt(() => learned);
    this.vectorizer.adopt(() => vocabulary);
  }

  /** Gives new terms their columns. */
  private arrange(): void {
    const { documents, df, tf } = this;
    if (documents === 0) return;
    const counts = { documents, df: new Float64Array(df), tf: new Float64Array(tf) };
    this.vocabulary = this.vocabulary.learn(counts, this.vocabulary.pruned, this.table.arranged());
    this.table.rank(this.vocabulary);
    this.documents = this.since = 0;
    this.df = new Uint32Array(df.length);
    this.tf = new Uint32Array(tf.length);
  }

  private add({ ids, counts }: Bag, c: number, weight: number): void {
    const { table, binary, totals } = this;
    const { fixed, reader } = this.vocabulary;
    this.df = grown(this.df, reader.size);
    this.tf = grown(this.tf, reader.size);
    const { df, tf } = this;
    for (let k = 0; k < ids.length; k++) {
      const id = ids[k];
      const value = binary ? weight : weight * counts[k];
      df[id] += weight;
      tf[id] += value;
      if (!table.has(id)) {
        if (fixed) continue;
        table.admit(id);
      }
      table.counts.add(id, c, value);
      totals[c] += value;
    }
    this.n[c] += weight;
    this.documents += weight;
  }

  /** Scores one document into `out` and answers the class prior. */
  private scoreRow(bag: Bag, out: Float64Array): Float64Array | undefined {
    const { table, totals, binary } = this;
    const order = table.inOrder(bag);
    this.values = grown(this.values, order.length);
    for (let k = 0; k < order.length; k++) this.values[k] = binary ? 1 : bag.counts[order[k]];
    return this.weights.score(bag.ids, order, this.values, { features: table.features, totals }, out);
  }
}

const isWhole = (weight: number): boolean => weight > 0 && Number.isInteger(weight);
