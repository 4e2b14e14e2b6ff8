import type { State, StateOptions } from '../core/artifact.ts';
import { dateParts } from '../data/cell-date.ts';
import { isFormat } from '../data/cell-format.ts';
import { RecordTable } from '../data/column-table.ts';
import { sortClasses } from '../data/labels.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { PolyaError, refuse } from '../errors.ts';
import type { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { damaged } from '../estimators/persist.ts';
import { Pipeline } from '../estimators/pipeline.ts';
import type { Step } from '../estimators/pipeline-step.ts';
import { restore } from '../estimators/restore.ts';
import type { ClassifierParts, FitReport } from './classifier-fit.ts';
import type { Curve } from './classifier-learning.ts';
import { FamilyPredictor, type Predictor, predictorFrom } from './classifier-predictors.ts';
import { type Plan, RecordLearner } from './learner.ts';
import type { ReadColumn } from './learner-columns.ts';
import { type Counting, families, familyOf, priorParams } from './learner-families.ts';
import type { View } from './records.ts';
import { columnFeatures, type SchemaColumn } from './schema.ts';

/** A classifier as plain data. */
export function saveClassifier(parts: ClassifierParts, options?: StateOptions): State {
  const { classes, predictors, pool, report, reject, weight, curve, ordinary, classBias } = parts;
  const learned: Record<string, JsonValue> = {
    report: JSON.parse(JSON.stringify({ classes, ...report })),
    weights: Array.from(pool.weights),
    bias: Array.from(pool.bias),
    columns: predictors.map(({ columns }) => columns.map(({ name }) => name)),
    ...(ordinary !== undefined && { ordinary }),
    ...(classBias && { classBias: Array.from(classBias) }),
    ...(curve && { curve: curveToJson(curve) }),
  };
  const steps = predictors.map((predictor) => predictor.toState(options));
  const params = { reject, ...(weight !== undefined && { weight }) };
  const choice = JSON.parse(JSON.stringify(report.tried)) as JsonValue;
  const provenance = { rows: report.schema.rows, ...(report.tried.length > 0 && { choice }) };
  return { kind: 'Classifier', params, learned, arrays: {}, steps, provenance };
}

function curveToJson({ calibration, ...about }: Curve): JsonValue {
  const plain = JSON.stringify({ ...about, calibration }, (_, value) =>
    value instanceof Float64Array ? Array.from(value) : value,
  );
  return JSON.parse(plain) as JsonValue;
}

/** The inverse of `saveClassifier`; whatever does not fit is a damaged model. */
export function readClassifier(state: State): ClassifierParts {
  if (state.kind !== 'Classifier')
    refuse('E_MODEL_CORRUPT', 'the model is no classifier of records', { kind: state.kind });
  try {
    return partsFrom(state);
  } catch (cause) {
    if (cause instanceof PolyaError && cause.code === 'E_MODEL_CORRUPT') throw cause;
    return refuse('E_MODEL_CORRUPT', 'the classifier contradicts itself', {}, cause);
  }
}

function partsFrom({ params, learned, steps = [] }: State): ClassifierParts {
  const { classes, ...report } = learned.report as unknown as FitReport & Pick<ClassifierParts, 'classes'>;
  const weights = numbers(learned.weights, steps.length);
  const bias = numbers(learned.bias, classes.length);
  const { reject, weight } = params;
  if (steps.length === 0 || typeof reject !== 'number') return damaged('something is missing');
  if (weight !== undefined && typeof weight !== 'string') return damaged('its column of weights is wrong');
  const { columns: all } = report.schema;
  if (all.some(({ format }) => format !== undefined && !isFormat(format)))
    return damaged('it does not say how cells are read');
  const known = new Map(all.map((column) => [column.name, column]));
  const names = learned.columns as string[][];
  const predictors = steps.map((step, k) => {
    const columns = names[k].map((name) => known.get(name) ?? damaged('it names a column that is not there'));
    requireReach(step, columns.flatMap(columnFeatures).length);
    return requireAnswer(predictorFrom(step, columns, classes), columns, classes.length);
  });
  const counts = predictors.some((predictor) => predictor instanceof FamilyPredictor);
  if (counts ? steps.length > 1 || classes.length > 0 : classes.length < 2) return damaged('its parts do not fit');
  const curve = learned.curve === undefined ? undefined : readCurve(learned.curve);
  const ordinary = learned.ordinary === undefined ? undefined : count(learned.ordinary);
  const classBias = learned.classBias === undefined ? undefined : numbers(learned.classBias, classes.length);
  return { classes, predictors, pool: { weights, bias }, report, reject, weight, curve, ordinary, classBias };
}

const count = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : damaged('a number of columns is wrong');

function numbers(value: JsonValue, length: number): Float64Array {
  const fits = Array.isArray(value) && value.length === length && value.every(Number.isFinite);
  return fits ? Float64Array.from(value as number[]) : damaged('a list of numbers is wrong');
}

/** Refuses features of columns that are not there. */
function requireReach({ kind, steps = [] }: State, columns: number): void {
  if (kind !== 'ColumnPool') return;
  const places = Array.from({ length: columns }, (_, j) => j);
  for (const { params } of steps) {
    const views = params.views as unknown as View[];
    const fits = views.every((view) =>
      view.every((own) => [own, own.with ?? own].every(({ column }) => places.includes(column))),
    );
    if (!fits) damaged('a model looks at a column that is not there');
  }
}

/** Asks about a row that says nothing: a predictor that fits has a finite answer for every class. */
function requireAnswer(
  predictor: Predictor,
  columns: readonly Pick<SchemaColumn, 'name'>[],
  pooled: number,
): Predictor {
  const classes = predictor.classes?.length ?? pooled;
  if (classes === 0) return predictor;
  const empty = Object.fromEntries(columns.map(({ name }) => [name, null]));
  const { cols, data } = answerOf(predictor, empty) ?? { cols: classes, data: new Float64Array(0) };
  if (cols !== classes || data.some(Number.isNaN)) damaged('it does not answer');
  return predictor;
}

/** The answer to a row, or nothing where too few rows were learned for any. */
function answerOf(predictor: Predictor, row: Record<string, null>) {
  try {
    return predictor.scores(new RecordTable([row]), false).logProba;
  } catch (cause) {
    if (cause instanceof PolyaError && /^E_CLASS(ES)?_TOO/.test(cause.code)) return undefined;
    throw cause;
  }
}

/** The inverse of `curveToJson`; checks everything. */
function readCurve(value: JsonValue): Curve {
  const { calibration, classes, rows, on, learned, ordinary } = value as unknown as Curve;
  const number = (x: unknown): number => (Number.isFinite(x) ? (x as number) : damaged('its calibration is no curve'));
  const list = (x: unknown): Float64Array =>
    Array.isArray(x) && x.length > 0 ? Float64Array.from(x, number) : damaged('its calibration is no curve');
  if (sortClasses(classes).length < 2 || number(rows) < 0) damaged('its calibration is no curve');
  if (on !== 'held-out rows' && on !== 'out-of-fold scores') damaged('its calibration is no curve');
  const about = {
    classes,
    rows,
    on,
    learned: learned === null ? null : number(learned),
    ...(ordinary !== undefined && { ordinary: count(ordinary) }),
  };
  const { method } = calibration;
  if (method === 'temperature') {
    const beta = number(calibration.beta);
    return { ...about, calibration: { method, classes: classes.length, beta } };
  }
  const parts = calibration.parts.length === (classes.length === 2 ? 1 : classes.length);
  if (!parts) damaged('its calibration has no curve for each class');
  if (method === 'sigmoid') {
    const curves = calibration.parts.map(({ a, b }) => ({ a: number(a), b: number(b) }));
    return { ...about, calibration: { method, classes: classes.length, parts: curves } };
  }
  if (method !== 'isotonic') return damaged('its calibration is no curve');
  const curves = calibration.parts.map(({ x, y }) => {
    const [at, height] = [list(x), list(y)];
    const rises =
      at.length === height.length && at.every((_, k) => k === 0 || (at[k] > at[k - 1] && height[k] >= height[k - 1]));
    return rises ? { x: at, y: height } : damaged('its calibration does not rise');
  });
  return { ...about, calibration: { method, classes: classes.length, parts: curves } };
}

/** A learner as the state of a file: its plan, its vectorizers and its estimator. */
export function saveLearner(learner: RecordLearner, options?: StateOptions): State {
  const params = JSON.parse(JSON.stringify(learner.plan));
  return { kind: 'RecordLearner', params, arrays: {}, ...learner.toFile(options) };
}

/** The inverse of `saveLearner`, which takes nothing on trust. */
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
