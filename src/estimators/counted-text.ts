import { type ClassWeight, classFactors, requireWeightedClasses } from '../core/class-weight.ts';
import type { Linear } from '../core/linear.ts';
import type { Model } from '../core/model.ts';
import type { Shape } from '../data/batch.ts';
import { compareLabels, type Label } from '../data/labels.ts';
import { type CountArray, dtypeOf, type TensorData } from '../data/safetensors.ts';
import { type Assignment, assign } from '../data/soft-labels.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { readWeights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import type { Sums } from '../stats/sums.ts';
import { Columns } from '../text/columns.ts';
import type { Document } from '../text/documents.ts';
import { sameParams } from '../text/params.ts';
import { keepsAll, keptColumns, pruneRule } from '../text/prune.ts';
import type { Reader } from '../text/reader.ts';
import { type LabelledDocuments, TermCounter, type TermCounts, type TermTable } from '../text/term-counter.ts';
import type { TermScoring } from '../text/term-weights.ts';
import { Vocabulary } from '../text/vocabulary.ts';
import { CountingClassifier } from './classifier.ts';
import { CountVectorizer } from './count-vectorizer.ts';
import { Counts, type Learned } from './learned.ts';
import type { Labels } from './learning.ts';
import { countArrays } from './persist.ts';
import type { PipelineOptions } from './pipeline-learning.ts';
import type { Step } from './pipeline-step.ts';
import { isDocuments, linearScoring, TextScorer } from './text-scorer.ts';

/** A classifier whose statistic is sums of counts by class and term. */
export interface TermClassifier extends Step {
  // biome-ignore lint/suspicious/noExplicitAny: the options are passed on as they come
  readonly model: Model<Sums, any, any>;
  getParams(): Readonly<Record<string, unknown>>;
  inside(): { readonly params: unknown };
  /** What was learned so far. */
  peek(): Learned<Sums> | undefined;
  /** The options of the model; refuses parameters that do not fit. */
  optionsFor(shape: Shape, schema?: JsonValue): unknown;
  adopt(make: () => Learned<Sums>): unknown;
  clone(): TermClassifier;
}

/** Classifiers whose counts are those of terms, or of the documents that contain them. */
const KINDS: ReadonlySet<string> = new Set(['MultinomialNB', 'ComplementNB', 'BernoulliNB']);

const NONE = new Float64Array(0);

/** The shared counts of two steps as plain data, with classes in the order of their slots. */
export interface CountedTextState {
  readonly classes: readonly Label[];
  readonly pruned: boolean;
  readonly counts: TermCounts;
}

type Steps = readonly [vectorizer: CountVectorizer, classifier: TermClassifier];

/** The learned states of two steps. */
interface Given {
  readonly steps: Steps;
  readonly vocabulary: Vocabulary | undefined;
  readonly learned: Learned<Sums> | undefined;
}

/**
 * A `CountVectorizer` and a discrete classifier that share one `TermCounter`: learning and unlearning cost the terms of the documents, not
 * classes × terms. Steps with sorted columns are created on demand. Unsupported features (a choice of alpha, exact sums, column names) are
 * learned step by step; `from` converts the result.
 */
export class CountedText {
  private readonly vectorizer: CountVectorizer;
  private readonly classifier: TermClassifier;
  private readonly counter: TermCounter;
  private readonly slots: Map<Label, number> = new Map();
  /** The columns of terms that were given. */
  private readonly fixed: Columns | undefined;
  /** Terms that keep a column even if no counted document contains them. */
  private readonly uncounted: ReadonlySet<number> | undefined;
  /** The weight of documents that the classifier has learned and the vectorizer has not. */
  private frozen = 0;
  private pruned: boolean;
  private readonly closed: boolean;
  private readonly schema: Learned<Sums>['schema'];
  private given: Given | undefined;
  /** The sorted labels of the present counts. */
  private labels: readonly Label[] | undefined;
  private scorer: TextScorer | undefined;
  private isScorerCurrent = false;

  private constructor([vectorizer, classifier]: Steps, known: Vocabulary, learned?: Learned<Sums>) {
    this.vectorizer = vectorizer.clone();
    this.classifier = classifier.clone();
    this.fixed = known.fixed ? known.columns : undefined;
    this.uncounted = known.counts.uncounted;
    this.pruned = known.pruned;
    this.closed = learned?.closed ?? false;
    this.schema = learned?.schema;
    const { binary } = vectorizer.getParams();
    this.counter = new TermCounter(known.reader, { binary, presence: binary || classifier.kind === 'BernoulliNB' });
  }

  /**
   * Counts documents from scratch, with or without pruning; undefined if these steps and options must learn one by one. Documents without
   * any term are left to the steps, which throw, unless they are a part of the documents.
   */
  static fit(
    steps: readonly Step[],
    X: unknown,
    y: Labels | undefined,
    options: PipelineOptions,
    {
      prunes,
      isPart,
      reader,
    }: { readonly prunes: boolean; readonly isPart: boolean; readonly reader?: Reader | undefined },
  ): CountedText | undefined {
    const own = stepsOf(steps);
    if (!own || own[1].getParams().alpha === 'auto') return undefined;
    const counted = new CountedText(own, own[0].blank(reader));
    if (!counted.learn(X, y, options) || (!isPart && !(counted.features > 0))) return undefined;
    if (prunes) counted.prune();
    const { classes } = counted;
    counted.modelOptions(classes); // throws if parameters do not fit the classes
    requireWeightedClasses(own[1].getParams().classWeight as ClassWeight | null, classes);
    return counted;
  }

  /** Steps that have learned nothing, to merge counts into; undefined if they cannot share a counter. */
  static blank(steps: readonly Step[], reader?: Reader): CountedText | undefined {
    const own = stepsOf(steps);
    if (!own || own[1].getParams().alpha === 'auto' || !isBlank(steps)) return undefined;
    return new CountedText(own, own[0].blank(reader));
  }

  /** What reads documents. */
  get reader(): Reader {
    return this.counter.reader;
  }

  /** Whether the steps of another pipeline have the same parameters. */
  isLike(steps: readonly Step[]): boolean {
    const own = stepsOf(steps);
    const params = (classifier: TermClassifier) => JSON.stringify(classifier.getParams());
    if (own?.[1].kind !== this.classifier.kind || params(own[1]) !== params(this.classifier)) return false;
    return sameParams(own[0].getParams(), this.vectorizer.getParams());
  }

  /** Converts the state of two steps; undefined if it is not plain counts of terms. */
  static from(steps: readonly Step[]): CountedText | undefined {
    const own = stepsOf(steps);
    const [learned, vocabulary] = [own && plainCounts(own[1]), own?.[0].learnedVocabulary];
    if (!own || !learned || learned.slim || !vocabulary || vocabulary.counts.left) return undefined;
    if (vocabulary.columns.ids.length !== learned.counts.shape.features) return undefined;
    if (!vocabulary.fixed && vocabulary.df.includes(0)) return undefined; // imported without the documents of its terms
    const counted = new CountedText(own, vocabulary, learned);
    counted.take(vocabulary, learned);
    if (counted.features !== learned.counts.shape.features) {
      counted.drop(); // counts that have decayed to nothing
      return undefined;
    }
    counted.given = { steps: own, vocabulary, learned };
    return counted;
  }

  /** The two steps with what was learned. */
  get steps(): Steps {
    this.given ??= this.made();
    return this.given.steps;
  }

  /** Whether steps that were handed out are unchanged. */
  get current(): boolean {
    const { given } = this;
    if (!given) return true;
    const [vectorizer, classifier] = given.steps;
    return classifier.peek() === given.learned && vectorizer.learnedVocabulary === given.vocabulary;
  }

  /** Whether a term has a column. */
  private readonly has = (id: number): boolean =>
    this.fixed ? this.fixed.place(id) !== -1 : this.counter.df.get(id) > 0 || this.uncounted?.has(id) === true;

  /** The sorted class labels. */
  get classes(): Label[] {
    if (!this.labels) {
      const known = [...this.slots].filter(([, slot]) => this.closed || this.counter.documents[slot] > 0);
      this.labels = known.map(([label]) => label).sort(compareLabels);
    }
    return [...this.labels];
  }

  /** The weight of each class. */
  get classCount(): Float64Array {
    return Float64Array.from(this.classes, (label) => this.counter.documents[this.slots.get(label) as number]);
  }

  /** How many columns there are. */
  get features(): number {
    const { fixed, counter, uncounted } = this;
    if (fixed) return fixed.ids.length;
    let features = counter.terms;
    for (const id of uncounted ?? []) if (counter.df.get(id) === 0) features++;
    return features;
  }

  /** Learns documents, all or none; returns false without learning if the steps must learn one by one. */
  learn(X: unknown, y: Labels | undefined, options: PipelineOptions): boolean {
    const text = this.read(X, y, options);
    const { counter, slots } = this;
    if (!text || !(this.mostOf(text) + counter.largest <= Number.MAX_SAFE_INTEGER)) return false;
    for (const label of text.classes) if (!slots.has(label)) slots.set(label, slots.size);
    counter.reserve(slots.size);
    counter.count(this.labelled(text), !this.fixed);
    this.changed();
    return true;
  }

  /** Unlearns documents, all or none; returns false without changes if the steps must unlearn one by one. */
  unlearn(X: unknown, y: Labels | undefined, options: PipelineOptions): boolean {
    const text = this.read(X, y, options);
    const { slots, fixed, counter } = this;
    if (!text || this.pruned || this.frozen !== 0 || text.classes.some((label) => !slots.has(label))) return false;
    const taken = new TermCounter(counter.reader, counter.rule);
    taken.reserve(slots.size);
    try {
      const unknown = taken.count(this.labelled(text), false);
      if (unknown > 0 && !fixed) return false;
      counter.subtract(taken);
    } finally {
      taken.drop();
    }
    this.changed();
    return true;
  }

  /** Documents with the slots of their classes. */
  private labelled({ documents, order, classes, codes, w, signal }: LabelledText): LabelledDocuments {
    const places = Int32Array.from(classes, (label) => this.slots.get(label) as number);
    const rows = Uint32Array.from({ length: codes.length }, (_, k) => order?.[k] ?? k);
    return { documents, rows, slots: codes.map((code) => places[code]), weights: w, signal };
  }

  /** A bound of what documents add to the counts: a document has at most as many terms of each length as it has characters. */
  private mostOf({ documents, w }: LabelledText): number {
    const { ngramRange } = this.vectorizer.getParams();
    const heaviest = w.reduce((most, weight) => Math.max(most, weight), 0);
    let characters = 0;
    for (const document of documents) characters += 1 + (document?.length ?? 0);
    return heaviest * characters * (1 + ngramRange[1] - ngramRange[0]);
  }

  /** What was counted, as plain data; undefined if it cannot be merged as it is. */
  toState(isSameReader = false): CountedTextState | undefined {
    const { counter, slots, pruned, closed, schema, frozen, uncounted } = this;
    if (closed || schema !== undefined || !counter.whole || frozen !== 0 || uncounted) return undefined;
    return { classes: [...slots.keys()], pruned, counts: counter.toState(isSameReader) };
  }

  /** Adds counts of the same steps; returns false without changes if the steps must merge one by one. */
  merge({ classes, pruned, counts }: CountedTextState): boolean {
    const { counter, slots } = this;
    const [known] = slots.keys();
    const alike = known === undefined || classes.length === 0 || typeof known === typeof classes[0];
    const most = counter.largest + sum(counts.documents) + sum(counts.totals);
    if (!alike || this.closed || this.schema !== undefined || !(most <= Number.MAX_SAFE_INTEGER)) return false;
    for (const label of classes) if (!slots.has(label)) slots.set(label, slots.size);
    counter.reserve(slots.size);
    counter.merge(
      counts,
      classes.map((label) => slots.get(label) as number),
    );
    this.pruned ||= pruned;
    this.changed();
    return true;
  }

  /** Scores documents by what was counted; undefined if the model cannot be scored term by term. */
  get textScorer(): TextScorer | undefined {
    if (!this.isScorerCurrent) {
      const before = this.scorer;
      this.scorer = this.makeScorer(before);
      if (before !== this.scorer) before?.drop();
      this.isScorerCurrent = true;
    }
    return this.scorer;
  }

  /** A scorer of the present counts: the given one with other weights, if that is possible. */
  private makeScorer(before: TextScorer | undefined): TextScorer | undefined {
    const { counter, features, classes, fixed, has } = this;
    if (classes.length === 0) return undefined;
    const slots = classes.map((label) => this.slots.get(label) as number);
    const counts = {
      ...{ classes, features },
      documents: Float64Array.from(slots, (slot) => counter.documents[slot]),
      totals: Float64Array.from(slots, (slot) => counter.totals[slot]),
      read: (terms: Int32Array, out: Float64Array) => {
        const ids = fixed ? terms.map((column) => fixed.ids[column]) : terms;
        for (const [c, slot] of slots.entries()) counter.counts[slot].gather(ids, out, c * ids.length);
      },
    };
    const scoring = countScoring(this.classifier, this.modelOptions(classes), counts);
    if (!scoring) return undefined;
    const own = { ...scoring, presence: counter.rule.presence, columns: fixed, has };
    if (before?.restart(classes, own)) return before;
    return new TextScorer(counter.reader, classes, own, this.classifier.getParams().zeroEvidence);
  }

  /** Frees the memory of the kernels; steps that were handed out stay as they are. */
  drop(): void {
    this.scorer?.drop();
    this.counter.drop();
  }

  /** The two steps without what was learned. */
  get unfitted(): Steps {
    return [this.vectorizer, this.classifier];
  }

  /** Drops the steps that were handed out, which hold a copy of all counts; returns steps that have learned nothing. */
  condense(): Steps {
    this.given = undefined;
    return this.unfitted;
  }

  /** Steps to be saved, which are not kept. */
  toSave(streamed: boolean): Steps {
    return (this.given ?? this.made(streamed)).steps;
  }

  private modelOptions(classes: readonly Label[]): unknown {
    return this.classifier.optionsFor({ classes: classes.length, features: this.features }, this.schema);
  }

  /** Drops rare and common terms as the vectorizer asks. */
  private prune(): void {
    const rule = pruneRule(this.vectorizer.getParams());
    if (this.fixed || keepsAll(rule)) return;
    const { counter } = this;
    const { ids } = Columns.sorted(counter.reader, (id) => counter.df.get(id) > 0);
    const columns = keptColumns(counter.df.gather(ids), counter.occurrences(ids), counter.weight, rule);
    if (columns.length === ids.length) return;
    const kept = new Set(Uint32Array.from(columns, (j) => ids[j]));
    counter.keep((id) => kept.has(id));
    this.pruned = true;
  }

  /** Documents with their labels and weights; undefined if the input is invalid or must be handled by the steps. */
  private read(X: unknown, y: Labels | undefined, options: PipelineOptions): LabelledText | undefined {
    if (!isDocuments(X) || !y || hasMore(options) || X.length === 0 || y.length !== X.length) return undefined;
    const { sampleWeight, signal } = options;
    if (typeof sampleWeight === 'object' && sampleWeight?.length !== X.length) return undefined;
    const labelled = assign(y, readWeights(sampleWeight, X.length));
    const { classes } = labelled;
    const [known] = this.slots.keys();
    const fits = classes.every((label) => this.slots.has(label) || !this.closed);
    if (!fits || (known !== undefined && typeof known !== typeof classes[0])) return undefined;
    return { ...labelled, documents: X, signal };
  }

  private changed(): void {
    this.given = undefined;
    this.labels = undefined;
    this.isScorerCurrent = false;
  }

  /** Fills the counter with what two steps have learned. */
  private take({ columns, df, tf, documents }: Vocabulary, { classes, counts }: Learned<Sums>): void {
    const { counter, slots } = this;
    const { n, s, features } = counts.read() as Sums;
    for (const label of classes) slots.set(label, slots.size);
    counter.reserve(classes.length);
    counter.fill(columns.ids, { df, tf, n, s: (c) => s.subarray(c * features, (c + 1) * features) });
    this.frozen = counter.weight - documents;
  }

  /** What was counted as two steps; `streamed` ones are only to be written, before anything else is counted. */
  private made(streamed = false): Given {
    const { counter, fixed, classes } = this;
    const { reader } = counter;
    const steps: Steps = [this.vectorizer.clone(), this.classifier.clone()];
    if (counter.weight === 0) return { steps, vocabulary: undefined, learned: undefined };
    const { uncounted } = this;
    const columns = fixed ?? Columns.sorted(reader, this.has);
    const slots = classes.map((label) => this.slots.get(label) as number);
    const { df, tf, ...table } = counter.table(slots, columns.ids);
    const counts = { documents: counter.weight - this.frozen, df, tf, uncounted };
    const vocabulary = new Vocabulary(reader, columns, fixed !== undefined, counts, this.pruned);
    const n = Float64Array.from(slots, (slot) => counter.documents[slot]);
    const { closed, schema } = this;
    const own = storedSums(n, columns.ids.length, table, streamed);
    const learned = { names: undefined, classes, closed, counts: own, schema, ceiling: counter.largest };
    steps[0].adopt(() => vocabulary);
    steps[1].adopt(() => learned);
    return { steps, vocabulary, learned };
  }
}

/** Labelled documents; those of weight zero are not among the codes. */
interface LabelledText extends Assignment {
  readonly documents: readonly Document[];
  readonly signal: AbortSignal | undefined;
}

/** Counts of terms by class. */
interface ClassCounts {
  readonly classes: readonly Label[];
  readonly features: number;
  /** By class: the weight of its documents, and the sum of its counts. */
  readonly documents: Float64Array;
  readonly totals: Float64Array;
  /** See `TermScoring`. */
  read(terms: Int32Array, out: Float64Array): void;
}

type TermRule = Pick<TermScoring, 'start' | 'read' | 'weigh'>;

/** How a classifier scores by counts of terms; undefined if it needs all counts at once. */
function countScoring(
  classifier: TermClassifier,
  options: unknown,
  { classes, features, documents, totals, read }: ClassCounts,
): TermRule | undefined {
  const classWeight = classifier.getParams().classWeight as ClassWeight | null;
  const factors = classWeight ? classFactors(classWeight, classes, documents) : documents.map(() => 1);
  const n = documents.map((weight, c) => factors[c] * weight);
  const whole = { features, totals: totals.map((total, c) => factors[c] * total) };
  const weigh = (counts: Float64Array, weights: Float64Array): Float64Array | undefined => {
    const terms = counts.length / classes.length;
    const s = classWeight ? counts.map((count, at) => factors[Math.floor(at / terms)] * count) : counts;
    const part = { classes: classes.length, features: terms, n, s, m: NONE };
    const params: Linear | undefined = classifier.model.estimatePart?.(part, whole, options, weights);
    return params?.logPrior;
  };
  const start = weigh(NONE, NONE);
  return start && { start, read, weigh };
}

/** A scorer of two steps as they are. */
export interface StepScorer {
  readonly scorer: TextScorer;
  /** Whether the steps are still as they were. */
  isCurrent(): boolean;
}

/** A scorer of two fitted steps; undefined for other steps or if they cannot be scored term by term. */
export function stepScorer(steps: readonly Step[]): StepScorer | undefined {
  const own = stepsOf(steps);
  const vocabulary = own?.[0].learnedVocabulary;
  const learned = own && plainCounts(own[1]);
  if (!own || !vocabulary || !learned || vocabulary.columns.ids.length !== learned.counts.shape.features) {
    return undefined;
  }
  const [vectorizer, classifier] = own;
  if (!scoresTerms(classifier, learned)) return undefined;
  const rule = learned.slim ? linearScoring(classifier.inside().params as Linear) : savedScoring(classifier, learned);
  if (!rule) return undefined;
  const { columns, reader } = vocabulary;
  const scoring = {
    ...rule,
    presence: vectorizer.getParams().binary,
    columns,
    has: (id: number) => columns.place(id) >= 0,
  };
  return {
    scorer: new TextScorer(reader, learned.classes, scoring, classifier.getParams().zeroEvidence),
    isCurrent: () => classifier.peek() === learned && vectorizer.learnedVocabulary === vocabulary,
  };
}

/** Whether the weights of a term follow from its counts and the sums of all. */
function scoresTerms(classifier: TermClassifier, learned: Learned<Sums>): boolean {
  const { classes, features } = learned.counts.shape;
  const none = { classes, features: 0, n: new Float64Array(classes), s: NONE, m: NONE };
  const whole = { features, totals: new Float64Array(classes) };
  const options = classifier.optionsFor(learned.counts.shape, learned.schema);
  return classifier.model.estimatePart?.(none, whole, options, NONE) !== undefined;
}

/** Scores by the counts of a classifier; undefined where a class has none, which `CountedText` leaves out. */
function savedScoring(classifier: TermClassifier, learned: Learned<Sums>): TermRule | undefined {
  const { classes, closed, counts, schema } = learned;
  const { features } = counts.shape;
  const { n: documents, s } = countArrays(classifier.model.statistic, counts);
  const n = Float64Array.from(documents.data);
  if (classes.length === 0 || (!closed && n.includes(0))) return undefined;
  return countScoring(classifier, classifier.optionsFor(counts.shape, schema), {
    ...{ classes, features, documents: n },
    totals: Float64Array.from(classes, (_, c) => sumOf(s.data, c * features, (c + 1) * features)),
    read: (columns, out) => {
      for (let c = 0, to = 0; c < classes.length; c++) {
        for (let k = 0, from = c * features; k < columns.length; k++) out[to++] = s.data[from + columns[k]];
      }
    },
  });
}

function sumOf(numbers: TensorData, from: number, to: number): number {
  let total = 0;
  for (let k = from; k < to; k++) total += numbers[k];
  return total;
}

/** The learned state of a classifier, unless it has exact sums, named columns or missing cells. */
function plainCounts(classifier: TermClassifier): Learned<Sums> | undefined {
  const learned = classifier.peek();
  const plain = learned && !learned.names && !learned.counts.shape.missing && !classifier.getParams().reproducible;
  return plain ? learned : undefined;
}

/** Sums of counts that stay as narrow as they are until they are needed, or that are made while they are written. */
function storedSums(
  n: Float64Array,
  features: number,
  { type, rows }: Pick<TermTable, 'type' | 'rows'>,
  streamed: boolean,
): Counts<Sums> {
  const shape = { classes: n.length, features };
  const arrays = { n: { shape: [n.length], data: n }, m: { shape: [n.length, 0], data: NONE } };
  const table = <T extends CountArray>(kind: new (length: number) => T): T => {
    const all = new kind(n.length * features);
    let at = 0;
    for (const row of rows()) all.set(row, features * at++);
    return all;
  };
  const sides = [n.length, features];
  const read = (s: () => Float64Array) => () => ({ ...shape, n, s: s(), m: NONE });
  if (streamed) {
    const s = { shape: sides, dtype: dtypeOf(new type(0)), parts: rows };
    return Counts.stored<Sums>(shape, { arrays, streamed: { s }, read: read(() => table(Float64Array)) });
  }
  const data = table(type);
  const stored = { arrays: { ...arrays, s: { shape: sides, data } }, read: read(() => Float64Array.from(data)) };
  return Counts.stored<Sums>(shape, stored);
}

/** Whether two steps that can share a counter have learned nothing. */
export function isBlank(steps: readonly Step[]): boolean {
  const own = stepsOf(steps);
  if (!own) return false;
  return own[1].peek() === undefined && own[0].learnedVocabulary === undefined;
}

/** The two steps, if they can share a counter. */
function stepsOf(steps: readonly Step[]): Steps | undefined {
  const [vectorizer, classifier] = steps;
  if (steps.length !== 2 || !(vectorizer instanceof CountVectorizer) || vectorizer.kind !== 'CountVectorizer')
    return undefined;
  if (!(classifier instanceof CountingClassifier) || !KINDS.has(classifier.kind)) return undefined;
  const {
    alpha,
    alphaAbsent = null,
    reproducible,
    binarize = 0,
  } = classifier.getParams() as Readonly<Record<string, unknown>>;
  if (
    typeof alpha === 'object' ||
    (typeof alphaAbsent === 'object' && alphaAbsent !== null) ||
    reproducible ||
    binarize !== 0
  )
    return undefined;
  return [vectorizer, classifier as Step as TermClassifier];
}

/** Throws if documents learned in parts contain no term at all. */
export function refuseWordless(): never {
  const sentence = 'the vocabulary is empty; perhaps the documents contain only stop words';
  return refuse('E_EMPTY_INPUT', sentence, { features: 0 });
}

/** Whether options ask for more than documents with weights. */
export function hasMore({ freeze, classes, onProgress }: PipelineOptions): boolean {
  return Boolean(freeze || classes || onProgress);
}
