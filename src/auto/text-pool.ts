import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { decide } from '../core/posterior.ts';
import { requireItems, requireNumber, requireOptions } from '../data/arguments.ts';
import { encodeLabels, type Label, sortClasses } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { Tensor } from '../data/safetensors.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { CountVectorizer, type CountVectorizerOptions } from '../estimators/count-vectorizer.ts';
import type { Contribution, Explanation } from '../estimators/explanation.ts';
import type { FittedModel } from '../estimators/fitted-model.ts';
import { damaged, SavedArrays, tensor } from '../estimators/persist.ts';
import { restore } from '../estimators/restore.ts';
import { accuracyScore, type WeightOptions } from '../evaluate/metrics.ts';
import { applyPosterior } from '../evaluate/posterior-calibration.ts';
import type { Sigmoid } from '../evaluate/sigmoid.ts';
import { addInto } from '../math/arrays.ts';
import { logSoftmaxInto } from '../math/logs.ts';
import { type Document, requireDocument } from '../text/documents.ts';
import type { Tried } from './choose.ts';
import { LearningText, LearningView, type ViewMember } from './text-learning.ts';
import { finite, TextTables, tableOf } from './text-tables.ts';

/** Platt's sigmoid for each of some classes over its log-odds; no sigmoids if the softmax of the scores stands as it is. */
export interface ClassCurves {
  readonly classes: readonly Label[];
  readonly sigmoids: readonly Sigmoid[];
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
  /** What was tried when the ensemble was chosen. */
  readonly tried: readonly Tried[];
  private readonly body: LearningText | TextTables;
  private readonly curves: ClassCurves;

  /** @internal */
  constructor(body: LearningText | TextTables, curves: ClassCurves, tried: readonly Tried[]) {
    this.body = body;
    this.curves = curves;
    this.tried = tried;
  }

  /** The sorted class labels. */
  get classes(): Label[] {
    return [...this.body.classes];
  }

  /** The views that the ensemble reads, in order. */
  get views(): string[] {
    return this.body.views.map(({ name }) => name);
  }

  /** Whether it keeps counts, and so learns, unlearns and merges. */
  get learns(): boolean {
    return this.body instanceof LearningText;
  }

  /** By class: the weight of its documents; undefined if no counts are kept. */
  get classCount(): Float64Array | undefined {
    return this.body instanceof LearningText ? this.body.classCount : undefined;
  }

  /** ln p(c) of what was learned; undefined for files of version 0.1. */
  get logPrior(): Float64Array | undefined {
    return this.body.logPrior;
  }

  /** The pooled scores L of (1), before they become probabilities. */
  pooledScores(documents: readonly Document[]): Matrix {
    return this.scored(documents).scores;
  }

  /** ln p(c | x) for every document and class; the class prior for a document without a known term. */
  predictLogProba(documents: readonly Document[]): Matrix {
    const { scores, known } = this.scored(documents);
    const { logPrior } = this.body;
    const parts = this.sigmoids();
    for (let i = 0; i < scores.rows; i++) logSoftmaxInto(scores.data, i * scores.cols, scores.cols, scores.data);
    const curves = { method: 'sigmoid', classes: scores.cols, parts } as const;
    const answer = parts.length > 1 ? applyPosterior(curves, scores, 0) : scores;
    for (let i = 0; logPrior && i < answer.rows; i++) if (known[i] === 0) answer.row(i).set(logPrior);
    return answer;
  }

  /** Whether each document has a known term, as 1 or 0. */
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
    const { classes } = this;
    const { start, logPrior } = this.body;
    const labels = this.predict(documents);
    return documents.map((document, i) => {
      const contributions: Contribution[] = this.body.contributions(document, i);
      const prior = contributions.length === 0 && logPrior ? logPrior : start;
      const score = prior.slice();
      for (const { byClass } of contributions) addInto(score, byClass);
      const rest = new Float64Array(classes.length);
      return { label: labels[i], classes, prior: prior.slice(), contributions, rest, score };
    });
  }

  /** Learns further documents; new words and classes are added. All are learned, or none. */
  partialFit(documents: readonly Document[], y: ArrayLike<Label>, options: TextLearnOptions = {}): this {
    this.change('learn', ...readDocuments(documents, y, options))();
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
    this.counted('decay').decay(factor);
    return this;
  }

  /** The same members, weights and curves without counts. After it has learned other documents, it can be merged with this one. */
  blank(): TextPool {
    return new TextPool(this.counted('blank').blank(), this.curves, this.tried);
  }

  /**
   * Validates a change and returns a function that applies it.
   *
   * @internal
   */
  change(
    method: 'learn' | 'unlearn',
    documents: readonly Document[],
    y: readonly Label[],
    weights?: Float64Array,
  ): () => void {
    return this.counted(method === 'learn' ? 'partialFit' : method)[method](documents, y, weights);
  }

  /**
   * The same for `merge`.
   *
   * @internal
   */
  mergeLater(other: TextPool): () => void {
    return this.counted('merge').merge(other.counted('merge'));
  }

  /** The ensemble as the bytes of a model file; a slim one has no counts. */
  toBytes(options?: SaveOptions): Uint8Array<ArrayBuffer> {
    return encodeModel(this, options);
  }

  /** The ensemble as plain data. */
  toState(options: StateOptions = {}): State {
    const { body, curves, kind } = this;
    const slim = (options.slim || options.tables) && body instanceof LearningText;
    const sigmoids = slim ? this.sigmoids() : curves.sigmoids;
    const arrays: Record<string, Tensor> = { curves: tensor(sigmoids.flatMap(({ a, b }) => [a, b])) };
    const { learned, steps } = (slim ? this.frozen(body) : body).save(arrays, options);
    const tried = this.tried.map((entry) => ({ ...entry }));
    return { kind, params: {}, learned: { ...learned, views: this.views, tried }, arrays, steps };
  }

  /** Rebuilds an ensemble from plain data; `restore` rebuilds a vectorizer, and need not be given. */
  static fromState(state: State, restore: (state: State) => unknown = restoreVectorizer): TextPool {
    const { steps = [] } = state;
    const { largestError, members, ...learned } = state.learned;
    if (Object.keys(learned).sort().join() !== 'classes,tried,views') damaged('it has other entries than it should');
    const { views: names } = learned;
    if (!Array.isArray(names) || names.length !== steps.length) return damaged('its views are wrong');
    const views = names.map((name, v) => {
      const vectorizer = restore(steps[v]);
      if (typeof name !== 'string' || !(vectorizer instanceof CountVectorizer)) return damaged('it has a wrong view');
      return { name, vectorizer };
    });
    const arrays = new SavedArrays(state);
    const classes = readClasses(learned.classes, members === undefined);
    const pairs = finite(arrays.take('curves'));
    const body =
      members === undefined
        ? TextTables.load(classes, views, arrays, largestError as number | undefined)
        : readLearning(classes, views, members, arrays);
    const fitted = body instanceof LearningText ? body.fitted : classes.length;
    if (pairs.length !== 0 && pairs.length !== 2 * fitted) damaged('its curves are wrong');
    arrays.close();
    const sigmoids = Array.from({ length: pairs.length / 2 }, (_, c) => ({ a: pairs[2 * c], b: pairs[2 * c + 1] }));
    return new TextPool(body, { classes: classes.slice(0, fitted), sigmoids }, readTried(learned.tried));
  }

  private scored(documents: readonly Document[]): { scores: Matrix; known: Uint8Array } {
    requireItems(documents, 'a list of documents').forEach(requireDocument);
    if (this.body.classes.length === 0) refuse('E_NOT_FITTED', 'this ensemble has learned nothing yet');
    return this.body.scores(documents);
  }

  /** A sigmoid for each class that there is now; a class that came after the fit keeps its log-odds. */
  private sigmoids(): Sigmoid[] {
    const { classes, sigmoids } = this.curves;
    if (sigmoids.length === 0) return [];
    return this.body.classes.map((label) => sigmoids[classes.indexOf(label)] ?? { a: -1, b: 0 });
  }

  private counted(method: string): LearningText {
    if (this.body instanceof LearningText) return this.body;
    return refuse('E_CONFLICT', `this ensemble has no ${method}: it was saved without counts`, { method });
  }

  /** The ensemble without its counts: one table of weights for every view. */
  private frozen(body: LearningText): TextTables {
    const { classes, start, logPrior, shown } = body;
    const byCode = new Float64Array(body.labels.length);
    const views = body.views.map((view) => {
      const vectorizer = view.current();
      const { ids } = vectorizer.known().columns;
      const table = tableOf(ids.length, classes.length, (j, row) => {
        byCode.fill(0);
        view.addTerm(ids[j], 1, byCode);
        for (let k = 0; k < row.length; k++) row[k] = byCode[shown[k]];
      });
      return { name: view.name, vectorizer, parts: [{ weighting: 'root' as const, ...table }] };
    });
    return new TextTables({ classes, start, views, logPrior });
  }
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
  if (state.kind !== 'CountVectorizer') damaged('a view of it is no vectorizer');
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

function readLearning(
  classes: Label[],
  views: readonly { name: string; vectorizer: CountVectorizer }[],
  members: JsonValue,
  arrays: SavedArrays,
): LearningText {
  if (!Array.isArray(members) || members.length !== views.length) return damaged('its members are wrong');
  const n = arrays.take('n', classes.length);
  if (!n.every((weight) => weight >= 0 && weight < Infinity)) damaged('its class counts are wrong');
  const bias = finite(arrays.take('bias'));
  if (bias.length > classes.length) damaged('its biases are wrong');
  const own = views.map(({ name, vectorizer }, v) => {
    const list = members[v];
    if (!Array.isArray(list) || !list.every(isMember)) return damaged('its members are wrong');
    return LearningView.load(name, v, vectorizer, list as unknown as ViewMember[], arrays, classes.length);
  });
  return new LearningText(classes, n, bias, own);
}

function isMember(value: JsonValue): boolean {
  if (!isObject(value)) return false;
  const { model, alpha, factor, initial, ...others } = value;
  const positive = [alpha, factor, initial].every((number) => Number.isFinite(number) && (number as number) >= 0);
  return Object.keys(others).length === 0 && ['multinomial', 'complement'].includes(model as string) && positive;
}
