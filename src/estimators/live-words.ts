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
import type { Learned } from './learned.ts';
import { Scored } from './scored.ts';
import { type Bag, WordTable } from './word-table.ts';

/** A classifier of counts as words are taught to it one by one. */
export interface WordLearner {
  // biome-ignore lint/suspicious/noExplicitAny: the options are handed on as they come
  readonly model: Model<Sums, any, any>;
  /** What was learned, where that is plain counts by class and word. */
  readonly wordCounts: Learned<Sums> | undefined;
  /** How it is estimated. */
  wordOptions(learned: Learned<Sums>): unknown;
  /** Takes over what was counted since. */
  adopt(make: () => Learned<Sums>): unknown;
}

/** More rows at once than this are better scored with the parameters of all words. */
const FEW = 64;

/** So many rows asked while nothing is learned pay for the parameters of all words. */
const MUCH = 2000;

const NONE = new Float64Array(0);

/** The counts of the words of a document, how often they occur in it, and 0, 1, 2 … */
interface Room {
  readonly s: Float64Array;
  readonly values: Float64Array;
  readonly indices: Uint32Array;
}

/**
 * A vocabulary and the counts of its words, while documents are learned one by one. To learn costs the words of the document,
 * not classes × words: terms and counts grow in place, in the order of arrival. `settle` brings them into the order of the columns
 * and gives them to the vectorizer and the classifier, which then know what learning in the plain way would have taught them.
 * Whatever is out of the ordinary (a new class, weights that are not whole, counts near 2^53) is left to the plain way.
 */
export class LiveWords {
  private readonly vectorizer: CountVectorizer;
  private readonly learner: WordLearner;
  private readonly options: unknown;
  private readonly slots: ReadonlyMap<Label, number>;
  private readonly table: WordTable;
  private readonly n: Float64Array;
  private readonly totals: Float64Array;
  private readonly binary: boolean;
  private learned: Learned<Sums>;
  private vocabulary: Vocabulary;
  /** No count of the classifier, and no sum of counts, is larger than this. */
  private ceiling: number;
  private highest: number;
  /** Documents, and by id in how many of them and how often a term was, since the vocabulary was made. */
  private documents = 0;
  private df: Float64Array = NONE;
  private tf: Float64Array = NONE;
  private room: Room = { s: NONE, values: NONE, indices: new Uint32Array(0) };
  /** How many rows were scored since something was learned. */
  private asked = 0;

  private constructor(vectorizer: CountVectorizer, learner: WordLearner, learned: Learned<Sums>, known: Vocabulary) {
    this.vectorizer = vectorizer;
    this.learner = learner;
    this.learned = learned;
    this.vocabulary = known;
    this.options = learner.wordOptions(learned);
    this.binary = vectorizer.getParams().binary;
    const stats = learned.stats as Sums;
    this.slots = new Map(learned.classes.map((label, c) => [label, c]));
    this.table = new WordTable(known, stats.classes);
    this.n = stats.n.slice();
    this.totals = this.table.fill(stats) ?? Float64Array.of(Number.NaN);
    this.ceiling = learned.ceiling;
    this.highest = maximum(known.tf) + learned.ceiling + sum(this.totals) + sum(this.n);
  }

  /** The words of a vectorizer and a classifier that reads its rows; undefined where they are not plain whole counts. */
  static begin(vectorizer: CountVectorizer, learner: WordLearner): LiveWords | undefined {
    const { wordCounts: learned } = learner;
    const known = vectorizer.learnedVocabulary;
    if (!learned || !known || known.counts.left || known.columns.ids.length !== learned.stats.features)
      return undefined;
    const live = new LiveWords(vectorizer, learner, learned, known);
    return Number.isSafeInteger(live.highest) ? live : undefined;
  }

  /** Whether it knows more than the vectorizer and the classifier do. */
  get ahead(): boolean {
    return this.documents > 0;
  }

  /** Whether vectorizer and classifier are still as they were when they were last given what was learned. */
  get current(): boolean {
    return this.learner.wordCounts === this.learned && this.vectorizer.learnedVocabulary === this.vocabulary;
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
    if (this.highest + growth > Number.MAX_SAFE_INTEGER) return false;
    this.highest += growth;
    this.ceiling += sum(w) * peak;
    for (let i = 0; i < bags.length; i++) this.add(bags[i], slots[i] as number, w[i]);
    this.asked = 0;
    if (this.table.crowded) this.settle();
    return true;
  }

  /** Documents with their scores; undefined where the plain way is better: many rows, or much asked and nothing learned. */
  score(documents: readonly Document[]): Scored | undefined {
    this.asked += documents.length;
    if (documents.length === 0 || documents.length > FEW || this.asked > MUCH) return undefined;
    const joint = new Matrix(documents.length, this.n.length);
    let logPrior: Float64Array | undefined;
    for (let i = 0; i < documents.length; i++) {
      logPrior = this.scoreRow(this.table.read(documents[i], i, false), joint.row(i));
      if (!logPrior) return undefined;
    }
    return logPrior && new Scored(joint, logPrior);
  }

  /** Gives the vectorizer and the classifier what was learned. */
  settle(): void {
    if (!this.ahead) return;
    const { documents, df, tf, n, ceiling, table } = this;
    this.vocabulary = this.vocabulary.learn({ documents, df, tf });
    this.vectorizer.adopt(() => this.vocabulary);
    table.rank(this.vocabulary);
    const { classes, features } = table;
    const stats = { classes, features, n: n.slice(), s: table.toColumns(), m: NONE };
    this.learned = { ...this.learned, stats, ceiling };
    this.learner.adopt(() => this.learned);
    this.documents = 0;
    this.df = new Float64Array(df.length);
    this.tf = new Float64Array(tf.length);
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
      table.cells[id * table.classes + c] += value;
      totals[c] += value;
    }
    this.n[c] += weight;
    this.documents += weight;
  }

  /** Arrays that every document uses again. */
  private roomFor(classes: number, features: number): Room {
    const { room } = this;
    if (room.values.length >= features) return room;
    const length = Math.max(features, 2 * room.values.length);
    const values = new Float64Array(length);
    this.room = { s: new Float64Array(classes * length), values, indices: Uint32Array.from(values.keys()) };
    return this.room;
  }

  /** Scores one document into `out` and answers the class prior. */
  private scoreRow(bag: Bag, out: Float64Array): Float64Array | undefined {
    const { table, n, totals, binary } = this;
    const { model } = this.learner;
    const order = table.inOrder(bag);
    const [classes, features] = [n.length, order.length];
    const { s, values, indices } = this.roomFor(classes, features);
    for (let k = 0; k < features; k++) {
      const from = bag.ids[order[k]] * classes;
      values[k] = binary ? 1 : bag.counts[order[k]];
      for (let c = 0; c < classes; c++) s[c * features + k] = table.cells[from + c];
    }
    const whole = { features: table.features, totals };
    const params = model.estimatePart?.({ classes, features, n, s, m: NONE }, whole, this.options);
    if (!params) return undefined;
    model.score(params, { rows: 1, features, indptr: Uint32Array.of(0, features), indices, values }, out);
    return model.logPrior(params);
  }
}

const isWhole = (weight: number): boolean => weight > 0 && Number.isInteger(weight);
