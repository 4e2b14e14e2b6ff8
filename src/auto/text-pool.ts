import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { decide } from '../core/posterior.ts';
import { inspect, printModel, refuseJson } from '../core/printed.ts';
import { requireItems, requireNumber, requireOptions } from '../data/arguments.ts';
import { encodeLabels, type Label, placesIn, placesShown, sortClasses } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { Tensor } from '../data/safetensors.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { CountVectorizer, type CountVectorizerOptions } from '../estimators/count-vectorizer.ts';
import type { Explanation } from '../estimators/explanation.ts';
import type { FittedModel } from '../estimators/fitted-model.ts';
import { damaged, SavedArrays, tensor } from '../estimators/persist.ts';
import { restore } from '../estimators/restore.ts';
import { accuracyScore, type WeightOptions } from '../evaluate/metrics.ts';
import { applyPosterior } from '../evaluate/posterior-calibration.ts';
import type { Sigmoid } from '../evaluate/sigmoid.ts';
import { addInto, remainder } from '../math/arrays.ts';
import { logShares, logSoftmaxInto } from '../math/logs.ts';
import { requireEnough } from '../stats/additive.ts';
import { type Document, requireDocument } from '../text/documents.ts';
import type { Tried } from './selection.ts';
import { explainByWord, finite, LearningView, TableView, type TextView, type ViewMember } from './text-view.ts';

/** Counts of an ensemble of text: of every view, and by class. */
interface Counted {
  readonly views: readonly LearningView[];
  /** The label of every class by its number, in order of arrival: those of the fit come first. */
  readonly labels: readonly Label[];
  /** The weight of the documents of every class. */
  readonly n: Float64Array;
}

/** An ensemble of text without counts: tables of weights for the sorted classes, and the scores of a document without terms. */
interface Frozen {
  readonly views: readonly TableView[];
  readonly labels: readonly Label[];
  readonly start: Float64Array;
  /** ln p(c) of the training rows; files of version 0.1 do not have it. */
  readonly logPrior: Float64Array | undefined;
  /** The most by which rounding to float32 has changed a weight, where weights were rounded. */
  readonly largestError: number | undefined;
}

/** What the fit has settled beside views and members: it stays when counts change. */
export interface TextPlan {
  /** The classes of the fit, and a bias and perhaps Platt's sigmoid over the log-odds of each; no sigmoids if softmax is as good. */
  readonly classes: readonly Label[];
  readonly bias: Float64Array;
  readonly sigmoids: readonly Sigmoid[];
  /** What was tried when the ensemble was chosen. */
  readonly tried: readonly Tried[];
}

/**
 * A log-linear ensemble of naive Bayes models of text. Each member scores the counts of one view of the text, and so does their sum:
 *
 *   L[c] = b[c] + Σ_views Σⱼ xⱼ w[j,c],   ln p(c | x) = L[c] − ln Σ e^L, or Platt's curves of L where they were better  (1)
 *
 * It keeps its counts, so that it learns, unlearns and merges; the weights of members and terms and the curves stay as they were
 * chosen. `chooseText` makes one.
 */
export class TextPool implements FittedModel<readonly Document[]> {
  readonly kind = 'TextPool';
  private readonly plan: TextPlan;
  private body: Counted | Frozen;

  /** @internal */
  constructor(plan: TextPlan, body: Counted | Frozen) {
    this.plan = plan;
    this.body = body;
  }

  /** The sorted class labels. */
  get classes(): Label[] {
    return this.shown.map((c) => this.body.labels[c]);
  }

  /** What was tried when the ensemble was chosen. */
  get tried(): readonly Tried[] {
    return this.plan.tried;
  }

  /** The views that the ensemble reads, in order. */
  get views(): string[] {
    return this.body.views.map(({ name }) => name);
  }

  /** Whether it keeps counts, and so learns, unlearns and merges. */
  get learns(): boolean {
    return 'n' in this.body;
  }

  /** By class: the weight of its documents; undefined if no counts are kept. */
  get classCount(): Float64Array | undefined {
    const { body } = this;
    return 'n' in body ? Float64Array.from(this.shown, (c) => body.n[c]) : undefined;
  }

  /** ln p(c) of what was learned; undefined for files of version 0.1. */
  get logPrior(): Float64Array | undefined {
    return 'n' in this.body ? logShares(this.classCount!) : this.body.logPrior;
  }

  /** The numbers of the classes that have documents, in the order of their labels. */
  private get shown(): number[] {
    const { body } = this;
    return placesShown(body.labels, 'n' in body ? body.n : undefined);
  }

  /** The scores of a document without any term. */
  private get start(): Float64Array {
    const { body } = this;
    if (!('n' in body)) return body.start;
    const logPrior = logShares(this.classCount!);
    const factor = body.views.flatMap(({ members }) => members).reduce((total, member) => total + member.factor, 0);
    return Float64Array.from(this.shown, (c, k) => (this.plan.bias[c] ?? 0) + factor * logPrior[k]);
  }

  /**
   * The pooled scores L of (1), before they become probabilities.
   *
   * @internal
   */
  pooledScores(documents: readonly Document[]): Matrix {
    return this.scored(documents).scores;
  }

  /** ln p(c | x) for every document and class; the class prior for a document without a known term. */
  predictLogProba(documents: readonly Document[]): Matrix {
    return this.answer(documents).logProba;
  }

  /**
   * The same, and whether each document has a known term.
   *
   * @internal
   */
  answer(documents: readonly Document[]): { logProba: Matrix; known: Uint8Array } {
    const { scores, known } = this.scored(documents);
    const { logPrior } = this;
    const parts = this.sigmoids();
    for (let i = 0; i < scores.rows; i++) logSoftmaxInto(scores.data, i * scores.cols, scores.cols, scores.data);
    const curves = { method: 'sigmoid', classes: scores.cols, parts } as const;
    const logProba = parts.length > 1 ? applyPosterior(curves, scores, 0) : scores;
    for (let i = 0; logPrior && i < logProba.rows; i++) if (known[i] === 0) logProba.row(i).set(logPrior);
    return { logProba, known };
  }

  /**
   * Whether each document has a known term, as 1 or 0.
   *
   * @internal
   */
  presentIn(documents: readonly Document[]): Float64Array {
    return Float64Array.from(this.scored(documents).known);
  }

  /** p(c | x) for every document and class. */
  predictProba(documents: readonly Document[]): Matrix {
    const { rows, cols, data } = this.predictLogProba(documents);
    return new Matrix(rows, cols, data.map(Math.exp));
  }

  /** The most probable class of every document. */
  predict(documents: readonly Document[]): Label[] {
    const { classes } = this;
    return Array.from(decide(this.predictLogProba(documents).data, classes.length), (c) => classes[c]);
  }

  /** The weighted share of documents whose class is predicted. */
  score(documents: readonly Document[], y: ArrayLike<Label>, options: WeightOptions = {}): number {
    return accuracyScore(y, this.predict(documents), options);
  }

  /**
   * Why each document got its label: bias + contributions = pooled score, class by class. Contributions of n-grams within a word are
   * added up by word; other n-grams of characters are shown between two dots.
   */
  explain(documents: readonly Document[]): Explanation[] {
    const { classes, start, logPrior, shown } = this;
    const { views, labels: all } = this.body;
    const labels = this.predict(documents);
    return documents.map((document, i) => {
      const contributions = explainByWord(views, document, i, all.length, shown);
      const prior = contributions.length === 0 && logPrior ? logPrior : start;
      const score = prior.slice();
      for (const { byClass } of contributions) addInto(score, byClass);
      const rest = new Float64Array(classes.length);
      return { label: labels[i], classes, prior: prior.slice(), contributions, rest, score };
    });
  }

  /** Learns further documents; new words and classes are added. All are learned, or none. */
  partialFit(documents: readonly Document[], y: ArrayLike<Label>, options: TextLearnOptions = {}): this {
    this.change('partialFit', ...readDocuments(documents, y, options))();
    return this;
  }

  /** Removes documents that were learned: the result is the model of the remaining documents. */
  unlearn(documents: readonly Document[], y: ArrayLike<Label>, options: TextLearnOptions = {}): this {
    this.change('unlearn', ...readDocuments(documents, y, options))();
    return this;
  }

  /** Adds what another ensemble with the same members has learned. */
  merge(other: TextPool): this {
    this.mergeLater(other)();
    return this;
  }

  /** Multiplies the weight of all that was learned by a factor. */
  decay(factor: number): this {
    requireNumber('factor', factor, 'above 0 and up to 1', (value) => value > 0 && value <= 1);
    const { views, labels, n } = this.counted('decay');
    for (const view of views) view.decay(factor);
    this.body = { views, labels, n: n.map((have) => have * factor) };
    return this;
  }

  /** The same members, weights and curves without counts. After it has learned other documents, it can be merged with this one. */
  blank(): TextPool {
    const views = this.counted('blank').views.map((view) => view.blank());
    const labels = this.plan.classes;
    return new TextPool(this.plan, { views, labels, n: new Float64Array(labels.length) });
  }

  /**
   * Validates a change and returns a function that applies it. A label that is new gets the next number.
   *
   * @internal
   */
  change(
    method: 'partialFit' | 'unlearn',
    documents: readonly Document[],
    y: readonly Label[],
    weights?: Float64Array,
  ): () => void {
    const { views, labels: before, n: have } = this.counted(method);
    const labels = [...before];
    const codes = placesIn(labels, y);
    const n = new Float64Array(labels.length);
    codes.forEach((c, i) => {
      n[c] += weights?.[i] ?? 1;
    });
    const known = Float64Array.from(n, (_, c) => have[c] ?? 0);
    if (method === 'unlearn') requireEnough(known, n, 'n');
    const rows = { documents, codes, weights };
    const commits = views.map((view) => (method === 'unlearn' ? view.unlearn(rows, labels.length) : view.learn(rows)));
    return () => {
      for (const commit of commits) commit();
      if (method === 'unlearn')
        this.body = { views, labels: before, n: have.map((own, c) => remainder(own, n[c] ?? 0)) };
      else this.body = { views, labels, n: known.map((own, c) => own + n[c]) };
    };
  }

  /**
   * The same for `merge`.
   *
   * @internal
   */
  mergeLater(other: TextPool): () => void {
    const [mine, theirs] = [this.counted('merge'), other.counted('merge')];
    if (this.settled !== other.settled) {
      refuse('E_MERGE_MISMATCH', 'the two ensembles have different members; fit one like the other to merge them');
    }
    return () => {
      const labels = [...mine.labels];
      const place = placesIn(labels, theirs.labels);
      const n = Float64Array.from(labels, (_, c) => mine.n[c] ?? 0);
      place.forEach((at, c) => {
        n[at] += theirs.n[c];
      });
      mine.views.forEach((view, v) => void view.merge(theirs.views[v], place));
      this.body = { views: mine.views, labels, n };
    };
  }

  /** What the fit has chosen, apart from the weights of terms. */
  private get settled(): string {
    const { classes, bias } = this.plan;
    const views = this.counted('merge').views.map((view) => [view.name, plainMembers(view)]);
    return JSON.stringify([Array.from(bias, (own, c) => [classes[c], own]), views]);
  }

  /** Refuses: a model is saved with `toBytes`. */
  toJSON(): never {
    return refuseJson(this);
  }

  /** @internal */
  [inspect](): string {
    return printModel(this);
  }

  /** The ensemble as the bytes of a model file; a slim one has no counts. */
  toBytes(options?: SaveOptions): Uint8Array<ArrayBuffer> {
    return encodeModel(this, options);
  }

  /** The ensemble as plain data. */
  toState(options: StateOptions = {}): State {
    const { body, plan, kind } = this;
    const frozen = options.slim || options.tables || !('n' in body) ? this.frozen() : undefined;
    const sigmoids = frozen ? this.sigmoids() : plan.sigmoids;
    const arrays: Record<string, Tensor> = { curves: tensor(sigmoids.flatMap(({ a, b }) => [a, b])) };
    const { learned, steps } = frozen ? saveTables(frozen, arrays, options) : saveCounts(plan, body as Counted, arrays);
    const tried = plan.tried.map((entry) => ({ ...entry }));
    return { kind, params: {}, learned: { ...learned, views: this.views, tried }, arrays, steps };
  }

  /**
   * Rebuilds an ensemble from plain data; `restore` rebuilds a vectorizer, and need not be given.
   *
   * @internal
   */
  static fromState(state: State, restore: (state: State) => unknown = restoreVectorizer): TextPool {
    const { steps = [] } = state;
    const { largestError, members, ...learned } = state.learned;
    if (Object.keys(learned).sort().join() !== 'classes,tried,views') damaged('it has unexpected entries');
    const { views: names } = learned;
    if (!Array.isArray(names) || names.length !== steps.length) return damaged('its views are wrong');
    const views = names.map((name, v) => {
      const vectorizer = restore(steps[v]);
      if (typeof name !== 'string' || !(vectorizer instanceof CountVectorizer)) return damaged('it has a wrong view');
      return { name, vectorizer };
    });
    const arrays = new SavedArrays(state);
    const labels = readClasses(learned.classes, members === undefined);
    const pairs = finite(arrays.take('curves'));
    const bias = finite(arrays.take('bias'));
    const fits = members === undefined ? bias.length === labels.length : bias.length <= labels.length;
    if (!fits) damaged('its biases are wrong');
    if (pairs.length !== 0 && pairs.length !== 2 * bias.length) damaged('its curves are wrong');
    const body =
      members === undefined
        ? loadTables(labels, bias, views, arrays, largestError as number | undefined)
        : loadCounts(labels, views, members, arrays);
    arrays.close();
    const sigmoids = Array.from({ length: pairs.length / 2 }, (_, c) => ({ a: pairs[2 * c], b: pairs[2 * c + 1] }));
    const plan = { classes: labels.slice(0, bias.length), bias, sigmoids, tried: readTried(learned.tried) };
    return new TextPool(plan, body);
  }

  private scored(documents: readonly Document[]): { scores: Matrix; known: Uint8Array } {
    requireItems(documents, 'a list of documents').forEach(requireDocument);
    const { shown, start } = this;
    const { views, labels } = this.body;
    if (shown.length === 0) refuse('E_NOT_FITTED', 'this ensemble has learned nothing yet');
    const scores = new Matrix(documents.length, shown.length);
    const known = new Uint8Array(documents.length);
    const own = new Float64Array(labels.length);
    documents.forEach((document, i) => {
      own.fill(0);
      for (let k = 0; k < shown.length; k++) own[shown[k]] = start[k];
      for (const view of views as readonly TextView[]) if (view.addScores(document, i, own)) known[i] = 1;
      const row = scores.row(i);
      for (let k = 0; k < row.length; k++) row[k] = own[shown[k]];
    });
    return { scores, known };
  }

  /** A sigmoid for each class that there is now; a class that came after the fit keeps its log-odds. */
  private sigmoids(): Sigmoid[] {
    const { classes, sigmoids } = this.plan;
    if (sigmoids.length === 0) return [];
    return this.classes.map((label) => sigmoids[classes.indexOf(label)] ?? { a: -1, b: 0 });
  }

  private counted(method: string): Counted {
    if ('n' in this.body) return this.body;
    return refuse('E_CONFLICT', `this ensemble has no ${method}: it was saved without counts`, { method });
  }

  /** The ensemble without its counts: one table of weights for every view. */
  private frozen(): Frozen {
    const { body, shown, start, logPrior, classes } = this;
    if (!('n' in body)) return body;
    const views = body.views.map((view) => TableView.of(view, body.labels.length, shown));
    return { views, labels: classes, start, logPrior, largestError: undefined };
  }
}

const plainMembers = (view: LearningView) => view.members.map(({ weights, ...member }) => member);

function saveCounts({ bias }: TextPlan, { views, labels, n }: Counted, arrays: Record<string, Tensor>) {
  arrays.bias = tensor(bias);
  arrays.n = tensor(n);
  const steps = views.map((view, v) => view.save(v, arrays));
  return { learned: { classes: [...labels], members: JSON.parse(JSON.stringify(views.map(plainMembers))) }, steps };
}

function saveTables(frozen: Frozen, arrays: Record<string, Tensor>, options: StateOptions) {
  const { labels, views, start, logPrior } = frozen;
  const float32 = options.float32 || frozen.largestError !== undefined;
  arrays.bias = tensor(start);
  if (logPrior) arrays.logPrior = tensor(logPrior);
  const saved = views.map((view, v) => view.save(v, labels.length, float32, arrays, options));
  const largestError = Math.max(frozen.largestError ?? 0, ...saved.map((own) => own.largestError));
  return { learned: { classes: [...labels], ...(float32 && { largestError }) }, steps: saved.map(({ step }) => step) };
}

type NamedVectorizer = Pick<TextView, 'name' | 'vectorizer'>;

function loadTables(
  labels: Label[],
  start: Float64Array,
  views: readonly NamedVectorizer[],
  arrays: SavedArrays,
  largestError: number | undefined,
): Frozen {
  if (largestError !== undefined && !(largestError >= 0)) damaged('its largest error is none');
  const tables = views.map(({ name, vectorizer }, v) => TableView.load(name, v, vectorizer, arrays, labels.length));
  const logPrior = arrays.has('logPrior') ? finite(arrays.take('logPrior', labels.length)) : undefined;
  return { views: tables, labels, start, logPrior, largestError };
}

function loadCounts(
  labels: Label[],
  views: readonly NamedVectorizer[],
  members: JsonValue,
  arrays: SavedArrays,
): Counted {
  if (!Array.isArray(members) || members.length !== views.length) return damaged('its members are wrong');
  const n = arrays.take('n', labels.length);
  if (!n.every((weight) => weight >= 0 && weight < Infinity)) damaged('its class counts are wrong');
  const own = views.map(({ name, vectorizer }, v) => {
    const list = members[v];
    if (!Array.isArray(list) || !list.every(isMember)) return damaged('its members are wrong');
    return LearningView.load(name, v, vectorizer, list as unknown as ViewMember[], arrays, labels.length);
  });
  return { views: own, labels, n };
}

/** How documents are learned or unlearned. */
export interface TextLearnOptions {
  readonly sampleWeight?: Weights | undefined;
}

function readDocuments(
  documents: readonly Document[],
  y: ArrayLike<Label>,
  options: TextLearnOptions,
): [documents: readonly Document[], y: Label[], weights: Float64Array | undefined] {
  const { sampleWeight } = requireOptions('TextPool', ['sampleWeight'], options);
  requireItems(documents, 'a list of documents').forEach(requireDocument);
  const { classes, codes } = encodeLabels(y);
  if (codes.length !== documents.length) {
    refuse('E_SHAPE', `there are ${codes.length} labels for ${documents.length} documents`, {
      expected: documents.length,
      actual: codes.length,
    });
  }
  const weights = sampleWeight === undefined ? undefined : readWeights(sampleWeight, codes.length);
  return [documents, Array.from(codes, (c) => classes[c]), weights];
}

/** A vectorizer from plain data; nothing else is a step of an ensemble. */
function restoreVectorizer(state: State): CountVectorizer {
  if (state.kind !== 'CountVectorizer') damaged('a view of it is not a vectorizer');
  return restore(new CountVectorizer(state.params as CountVectorizerOptions), state);
}

const isObject = (value: JsonValue): value is Record<string, JsonValue> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readTried(value: JsonValue | undefined): Tried[] {
  const fits = (entry: JsonValue) =>
    isObject(entry) &&
    typeof entry.name === 'string' &&
    Number.isFinite(entry.logLoss) &&
    Number.isFinite(entry.accuracy) &&
    typeof entry.chosen === 'boolean' &&
    (entry.weight === undefined || Number.isFinite(entry.weight));
  if (!Array.isArray(value) || !value.every(fits)) return damaged('its table of what was tried is wrong');
  return value as unknown as Tried[];
}

/** Different labels of one type, sorted unless the classes arrived one by one. */
function readClasses(value: JsonValue | undefined, isSorted: boolean): Label[] {
  if (!Array.isArray(value) || value.length === 0) return damaged('its classes are wrong');
  const sorted = sortClasses(value);
  const fits = isSorted ? sorted.every((label, c) => label === value[c]) : sorted.length === value.length;
  return fits ? (value as Label[]) : damaged('its classes are not in order');
}

function isMember(value: JsonValue): boolean {
  if (!isObject(value)) return false;
  const { model, alpha, factor, initial, ...others } = value;
  const positive = [alpha, factor, initial].every((number) => Number.isFinite(number) && (number as number) >= 0);
  return Object.keys(others).length === 0 && ['multinomial', 'complement'].includes(model as string) && positive;
}
