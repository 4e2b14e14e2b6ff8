import type { State, StateOptions } from '../core/artifact.ts';
import type { ColumnTable } from '../data/column-table.ts';
import { type Label, placesIn, placesShown, sortClasses } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { Tensor } from '../data/safetensors.ts';
import { SparseMatrix } from '../data/sparse.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import { CountVectorizer, type CountVectorizerOptions } from '../estimators/count-vectorizer.ts';
import { damaged, SavedArrays } from '../estimators/learned.ts';
import { tensor } from '../estimators/persist.ts';
import { restore } from '../estimators/restore.ts';
import { withPrior } from '../evaluate/pool.ts';
import { applyPosterior } from '../evaluate/posterior-calibration.ts';
import type { Sigmoid } from '../evaluate/sigmoid.ts';
import { countCodes, remainder } from '../math/arrays.ts';
import { logShares, logSoftmaxInto } from '../math/logs.ts';
import { requireEnough } from '../stats/additive.ts';
import type { Document } from '../text/documents.ts';
import { type LabelledRows, type Predictor, refuseMismatch, type Scores, type Term } from './predictor.ts';
import { revive } from './records-pool.ts';
import type { SchemaColumn } from './schema.ts';
import {
  explainByWord,
  finite,
  LearningView,
  TableView,
  type TextView,
  tableOf,
  type ViewMember,
} from './text-view.ts';

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
}

/**
 * A log-linear ensemble of naive Bayes models of one column of text. Each member scores the counts of one view of the text, and so does
 * their sum:
 *
 *   L[c] = b[c] + Σ_views Σⱼ xⱼ w[j,c],   ln p(c | x) = L[c] − ln Σ e^L, or Platt's curves of L where they were better  (1)
 *
 * It keeps its counts, so that it learns, unlearns and merges; the weights of members and terms and the curves stay as they were
 * chosen.
 */
export class TextPool implements Predictor {
  readonly columns: readonly [Pick<SchemaColumn, 'name'>];
  private readonly plan: TextPlan;
  private body: Counted | Frozen;

  constructor(column: Pick<SchemaColumn, 'name'>, plan: TextPlan, body: Counted | Frozen) {
    this.columns = [column];
    this.plan = plan;
    this.body = body;
  }

  /** The sorted class labels. */
  get classes(): Label[] {
    return this.shown.map((c) => this.body.labels[c]);
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

  /** ln p(c | x) of every row; the class prior for a document without a known term. */
  scores(table: ColumnTable): Scores {
    const { scores: logProba, known } = this.pooled(table);
    const parts = this.sigmoids();
    for (let i = 0; i < logProba.rows; i++)
      logSoftmaxInto(logProba.data, i * logProba.cols, logProba.cols, logProba.data);
    const curves = { method: 'sigmoid', classes: logProba.cols, parts } as const;
    const answer = parts.length > 1 ? applyPosterior(curves, logProba, 0) : logProba;
    return { logProba: withPrior(answer, known, this.logPrior), logEvidence: undefined, present: () => known };
  }

  /**
   * What every word adds to L of the first row, and the bias. Contributions of n-grams within a word are added up by word; other n-grams
   * of characters are shown between two dots.
   */
  terms(table: ColumnTable): { terms: Term[]; rest: Float64Array } {
    const { start, logPrior, shown, body } = this;
    const [document] = this.documentsOf(table);
    const words = explainByWord(body.views, document, 0, body.labels.length, shown);
    const terms = words.map(({ feature, byClass }) => ({ feature: this.columns[0].name, value: feature, byClass }));
    return { terms, rest: terms.length === 0 && logPrior ? logPrior : start.slice() };
  }

  change(method: 'partialFit' | 'unlearn', { table, labels, weights }: LabelledRows): () => void {
    return this.changeBy(method, this.documentsOf(table), labels, weights);
  }

  /** The same for documents. A label that is new gets the next number. */
  changeBy(
    method: 'partialFit' | 'unlearn',
    documents: readonly Document[],
    y: readonly Label[],
    weights?: Float64Array,
  ): () => void {
    const { views, labels: before, n: have } = this.counted(method);
    const labels = [...before];
    const codes = placesIn(labels, y);
    const n = countCodes(codes, labels.length, weights);
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

  mergeLater(other: Predictor): () => void {
    if (!(other instanceof TextPool) || other.columns[0].name !== this.columns[0].name) return refuseMismatch();
    const [mine, theirs] = [this.counted('merge'), other.counted('merge')];
    if (this.settled !== other.settled) return refuseMismatch();
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

  decay(factor: number): void {
    const { views, labels, n } = this.counted('decay');
    for (const view of views) view.decay(factor);
    this.body = { views, labels, n: n.map((have) => have * factor) };
  }

  blank(): TextPool {
    const views = this.counted('blank').views.map((view) => view.blank());
    const labels = this.plan.classes;
    return new TextPool(this.columns[0], this.plan, { views, labels, n: new Float64Array(labels.length) });
  }

  copy(): TextPool {
    const copy = this.blank();
    copy.mergeLater(this)();
    return copy;
  }

  /** What the fit has chosen, apart from the weights of terms. */
  private get settled(): string {
    const { classes, bias } = this.plan;
    const views = this.counted('merge').views.map((view) => [view.name, plainMembers(view)]);
    return JSON.stringify([Array.from(bias, (own, c) => [classes[c], own]), views]);
  }

  saved(options: StateOptions = {}): State {
    const { body, plan } = this;
    const frozen = options.slim || !('n' in body) ? this.frozen() : undefined;
    const sigmoids = frozen ? this.sigmoids() : plan.sigmoids;
    const arrays: Record<string, Tensor> = { curves: tensor(sigmoids.flatMap(({ a, b }) => [a, b])) };
    const { learned, steps } = frozen ? saveTables(frozen, arrays, options) : saveCounts(plan, body as Counted, arrays);
    return {
      kind: 'TextPool',
      params: {},
      learned: { ...learned, views: body.views.map(({ name }) => name) },
      arrays,
      steps,
    };
  }

  /** The inverse of `saved`; takes nothing on trust. `fitted` are the classes of the fit. */
  static fromState(column: Pick<SchemaColumn, 'name'>, state: State, fitted: readonly Label[]): TextPool {
    if (state.kind === 'TextBayes') return ofOneModel(column, state, fitted);
    const { steps = [] } = state;
    const { largestError, members, tried: _, ...learned } = state.learned; // older files list here what was tried
    if (Object.keys(learned).sort().join() !== 'classes,views') damaged('it has unexpected entries');
    const { views: names } = learned;
    if (!Array.isArray(names) || names.length !== steps.length) return damaged('its views are wrong');
    const views = names.map((name, v) => {
      if (typeof name !== 'string') return damaged('it has a wrong view');
      return { name, vectorizer: restoreVectorizer(steps[v]) };
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
    return new TextPool(column, { classes: labels.slice(0, bias.length), bias, sigmoids }, body);
  }

  private documentsOf(table: ColumnTable): readonly Document[] {
    return table.column(this.columns[0].name).documents();
  }

  /** L of (1), and whether documents have known terms. */
  private pooled(table: ColumnTable): { scores: Matrix; known: Float64Array } {
    const documents = this.documentsOf(table);
    const { shown, start } = this;
    const { views, labels } = this.body;
    if (shown.length === 0) refuse('E_NOT_FITTED', 'this ensemble has learned nothing yet');
    const scores = new Matrix(documents.length, shown.length);
    const known = new Float64Array(documents.length);
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

/** A score of classes that were not learned: far below any other. */
const UNMET = -1e4;

/**
 * What files of format 1 hold of a text whose model was named: an estimator of the words, whose scores are multiplied by a weight. Its
 * scores are linear in the counts, or for Bernoulli in the presence, of words.
 */
function ofOneModel(
  column: Pick<SchemaColumn, 'name'>,
  { learned, steps = [] }: State,
  labels: readonly Label[],
): TextPool {
  const [vectorizer, estimator] = [restoreVectorizer(steps[0]), revive(steps[1])];
  const weight = learned.weight as number;
  const places = estimator.classes as readonly number[];
  const terms = vectorizer.known().columns.ids.length;
  const scoreOf = (...row: (readonly [number, number])[]) =>
    estimator.predictJointLogProba(SparseMatrix.fromRows([row], terms)).data;
  const empty = scoreOf();
  const start = new Float64Array(labels.length).fill(UNMET);
  places.forEach((c, k) => {
    start[c] = weight * empty[k];
  });
  const table = tableOf(terms, labels.length, (j, row) => {
    const own = scoreOf([j, 1]);
    places.forEach((c, k) => {
      row[c] = weight * (own[k] - empty[k]);
    });
  });
  const weighting = estimator.kind === 'BernoulliNB' ? 'presence' : 'count';
  const views = [new TableView('words', vectorizer, [{ weighting, ...table }])];
  const plan = { classes: labels, bias: start, sigmoids: [] };
  return new TextPool(column, plan, { views, labels, start, logPrior: undefined, largestError: undefined });
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

/** A vectorizer from plain data; nothing else is a step of an ensemble. */
function restoreVectorizer(state: State): CountVectorizer {
  if (state.kind !== 'CountVectorizer') damaged('a view of it is not a vectorizer');
  return restore(new CountVectorizer(state.params as CountVectorizerOptions), state);
}

const isObject = (value: JsonValue): value is Record<string, JsonValue> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
