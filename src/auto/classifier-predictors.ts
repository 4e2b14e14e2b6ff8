import type { State, StateOptions } from '../core/artifact.ts';
import { dateParts } from '../data/cell-date.ts';
import { isFormat } from '../data/cell-format.ts';
import type { ColumnTable } from '../data/column-table.ts';
import { type Label, placesIn, placesShown } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import type { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { damaged } from '../estimators/learned.ts';
import { Pipeline } from '../estimators/pipeline.ts';
import type { Step } from '../estimators/pipeline-step.ts';
import { restore } from '../estimators/restore.ts';
import { remainder } from '../math/arrays.ts';
import { logSoftmaxInto } from '../math/logs.ts';
import { type Plan, RecordLearner } from './learner.ts';
import type { ReadColumn } from './learner-columns.ts';
import { type Counting, families, familyOf, priorParams } from './learner-families.ts';
import { type LabelledRows, type Predictor, refuseMismatch, type Scores, type Term } from './predictor.ts';
import { countCells, readFrame } from './records.ts';
import { ColumnPool } from './records-pool.ts';
import { type ColumnFeature, columnFeatures, type SchemaColumn } from './schema.ts';
import { TextPool } from './text-pool.ts';

/** The predictor of the columns that are no text. */
export class ColumnPredictor implements Predictor {
  readonly columns: readonly SchemaColumn[];
  private model: ColumnPool;
  /** The label of every class code, in order of arrival; those of the fit are sorted. */
  private labels: readonly Label[];
  /** How many classes the fit had. */
  private readonly fitted: number;
  private readonly features: readonly ColumnFeature[];

  constructor(
    model: ColumnPool,
    columns: readonly SchemaColumn[],
    labels: readonly Label[],
    fitted: number = labels.length,
  ) {
    this.model = model;
    this.columns = columns;
    this.labels = labels;
    this.fitted = fitted;
    this.features = columns.flatMap(columnFeatures);
  }

  get classes(): Label[] {
    return this.shown.map((code) => this.labels[code]);
  }

  get classCount(): Float64Array | undefined {
    const { model } = this;
    return model.learns ? Float64Array.from(this.shown, (code) => model.classCount[code]) : undefined;
  }

  /** The codes of the classes that have rows, in the order of their labels. */
  private get shown(): number[] {
    const { labels, model } = this;
    return placesShown(labels, model.learns ? model.classCount : undefined);
  }

  scores(table: ColumnTable, evidence: boolean): Scores {
    const frame = readFrame(table, this.columns);
    const logEvidence = evidence ? this.model.logEvidence(frame) : undefined;
    const logProba = this.byClass(this.model.predictLogProba(frame));
    return { logProba, logEvidence, present: () => countCells(frame) };
  }

  /** Log-posteriors by code as log-posteriors by class. */
  private byClass(logProba: Matrix): Matrix {
    const { shown } = this;
    if (shown.length === logProba.cols && shown.every((code, c) => code === c)) return logProba;
    const out = new Matrix(logProba.rows, shown.length);
    for (let i = 0; i < out.rows; i++) {
      const row = logProba.row(i);
      out.row(i).set(shown.map((code) => row[code]));
      if (shown.length < row.length) logSoftmaxInto(out.data, i * out.cols, out.cols, out.data);
    }
    return out;
  }

  terms(table: ColumnTable): { terms: Term[]; rest: Float64Array } {
    const { byColumn, rest } = this.model.terms(readFrame(table, this.columns));
    const { shown } = this;
    const pick = (values: Float64Array) => Float64Array.from(shown, (code) => values[code]);
    const terms = [...byColumn].map(([j, byClass]) => {
      const { name, column } = this.features[j];
      return { feature: name, value: table.column(column.name).cell(0), byClass: pick(byClass) };
    });
    return { terms, rest: pick(rest) };
  }

  get logPrior(): Float64Array {
    const { logPrior } = this.model.members[0];
    return Float64Array.from(this.shown, (code) => logPrior[code]);
  }

  change(method: 'partialFit' | 'unlearn', { table, labels: y, weights }: LabelledRows): () => void {
    const labels = [...this.labels];
    const codes = placesIn(labels, y);
    const frame = readFrame(table, this.columns);
    if (method === 'partialFit') {
      const model = this.model.learn(frame, codes, labels.length, weights);
      return () => void this.replace(model, labels);
    }
    const left = new Float64Array(labels.length);
    left.set(this.model.classCount);
    codes.forEach((code, i) => {
      left[code] = remainder(left[code], weights?.[i] ?? 1);
    });
    while (labels.length > this.fitted && left[labels.length - 1] === 0) labels.pop();
    const model = this.model.unlearn(frame, codes, labels.length, weights);
    return () => void this.replace(model, labels);
  }

  mergeLater(other: Predictor): () => void {
    if (!(other instanceof ColumnPredictor)) return refuseMismatch();
    if (JSON.stringify(this.columns) !== JSON.stringify(other.columns)) refuseMismatch();
    const labels = [...this.labels];
    const place = placesIn(labels, other.labels);
    const model = this.model.merge(other.model, place, labels.length);
    return () => void this.replace(model, labels);
  }

  decay(factor: number): void {
    this.model = this.model.decay(factor);
  }

  blank(): ColumnPredictor {
    return new ColumnPredictor(this.model.blank(), this.columns, this.labels, this.fitted);
  }

  copy(): ColumnPredictor {
    return new ColumnPredictor(this.model, this.columns, this.labels, this.fitted); // a pool of columns never changes
  }

  private replace(model: ColumnPool, labels: readonly Label[]): void {
    this.model = model;
    this.labels = labels;
  }

  saved(options?: StateOptions): State {
    const { labels, fitted } = this;
    const state = this.model.toState(options);
    if (labels.length === fitted) return state; // they are the classes of the fit
    return { ...state, params: { ...state.params, labels: [...labels] } };
  }
}

/** A predictor from its state, over the columns that it is of; `classes` are those of the fit. */
export function predictorFrom(state: State, columns: readonly SchemaColumn[], classes: readonly Label[]): Predictor {
  if (state.kind === 'RecordLearner') return readLearner(state);
  if (state.kind === 'ColumnPool') {
    const labels = (state.params.labels as readonly Label[] | undefined) ?? classes;
    return new ColumnPredictor(ColumnPool.fromState(state), columns, labels, classes.length);
  }
  return TextPool.fromState(columns[0], state, classes);
}

/** The inverse of `RecordLearner.saved`, which takes nothing on trust. */
export function readLearner({ params, learned, steps = [] }: State): RecordLearner {
  return RecordLearner.fromState(readPlan(params), { learned, steps });
}

const readings: readonly string[] = ['text', 'number', 'count', 'flag', 'level', 'bin'];
const columnFamilies: readonly string[] = ['gaussian', 'poisson', 'categorical', 'bins'];

function readPlan({ model, columns, priors, ...others }: Readonly<Record<string, JsonValue>>): Plan {
  const fits =
    Object.keys(others).length === 0 &&
    typeof model === 'string' &&
    Object.hasOwn(families, model) &&
    Array.isArray(columns) &&
    columns.length > 0 &&
    columns.every(isColumn) &&
    arePriors(priors);
  return fits ? ({ model, columns, priors } as unknown as Plan) : damaged('its plan is wrong');
}

function isColumn(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { name, reading, cuts, fill, family, format, part, from, ...others } = value as Record<string, JsonValue>;
  return (
    Object.keys(others).length === 0 &&
    typeof name === 'string' &&
    readings.includes(reading as string) &&
    (reading === 'bin') === (cuts !== undefined) &&
    (cuts === undefined || (Array.isArray(cuts) && cuts.every(Number.isFinite))) &&
    (fill === undefined || (Number.isFinite(fill) && reading === 'number')) &&
    (family === undefined || columnFamilies.includes(family as string)) &&
    (format === undefined || isFormat(format)) &&
    (part === undefined || (dateParts as readonly unknown[]).includes(part)) &&
    (part === undefined ? from === undefined : typeof from === 'string')
  );
}

function arePriors(value: JsonValue | undefined): boolean {
  if (value === 'empirical' || value === 'uniform') return true;
  const isShare = (pair: JsonValue) =>
    Array.isArray(pair) && pair.length === 2 && typeof pair[0] !== 'object' && (pair[1] as number) >= 0;
  return Array.isArray(value) && value.length > 0 && value.every(isShare);
}

/** Whether the estimator alone takes columns as they are: numbers and words, none of them cut, filled or derived from dates. */
const isPlain = ({ reading, fill, part }: ReadColumn): boolean =>
  reading !== 'bin' && fill === undefined && part === undefined;

/**
 * What counts, as an estimator of its own with the priors that were asked for: a pipeline where it reads one text. Nothing
 * where rows need more than an estimator to be read.
 */
export function estimatorOf({
  plan,
  vectorizers,
  estimator,
  classes,
}: RecordLearner): Counting | Pipeline<readonly Step[]> | undefined {
  const params = priorParams(plan.model, plan.priors, classes);
  const texts = vectorizers.length;
  const reads = texts === 0 ? plan.columns.every(isPlain) : texts === 1 && familyOf(plan.model).takes === 'counts';
  if (!params || !reads) return undefined;
  const kind = estimator.constructor as new (params: object) => Counting;
  const own = restore(new kind({ ...estimator.getParams(), ...params }), estimator.toState());
  if (texts === 0) return own;
  const words = restore(vectorizers[0].clone() as CountVectorizer, vectorizers[0].toState());
  return new Pipeline<readonly Step[]>([
    ['words', words],
    ['model', own as unknown as Step],
  ]);
}
