import type { State, StateOptions } from '../core/artifact.ts';
import { isFormat } from '../data/cell-format.ts';
import { RecordTable } from '../data/column-table.ts';
import { type Label, sortClasses } from '../data/labels.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { PolyaError, refuse, unlessRefused } from '../errors.ts';
import { damaged } from '../estimators/learned.ts';
import { calibrationFromJson, calibrationToJson } from '../evaluate/posterior-calibration.ts';
import type { ClassifierParts, FitReport } from './classifier-fit.ts';
import type { Curve } from './classifier-learning.ts';
import { predictorFrom } from './classifier-predictors.ts';
import { RecordLearner } from './learner.ts';
import type { Predictor } from './predictor.ts';
import type { View } from './records.ts';
import { type ColumnKind, type ColumnRole, columnFeatures, type SchemaColumn } from './schema.ts';

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
  const steps = predictors.map((predictor) => predictor.saved(options));
  const params = { reject, ...(weight !== undefined && { weight }) };
  const choice = JSON.parse(JSON.stringify(report.tried)) as JsonValue;
  const provenance = { rows: report.schema.rows, ...(report.tried.length > 0 && { choice }) };
  return { kind: 'Classifier', params, learned, arrays: {}, steps, provenance };
}

const curveToJson = ({ calibration, ...about }: Curve): JsonValue => ({
  ...JSON.parse(JSON.stringify(about)),
  calibration: calibrationToJson(calibration),
});

/** The inverse of `saveClassifier`; whatever does not fit is a damaged model. */
export function readClassifier(state: State): ClassifierParts {
  if (state.kind !== 'Classifier' && state.kind !== 'TextPool')
    refuse('E_MODEL_CORRUPT', 'the model is not a classifier of records', { kind: state.kind });
  try {
    return partsFrom(state.kind === 'TextPool' ? ofOneText(state) : state);
  } catch (cause) {
    if (cause instanceof PolyaError && cause.code === 'E_MODEL_CORRUPT') throw cause;
    return refuse('E_MODEL_CORRUPT', 'the classifier is inconsistent', {}, cause);
  }
}

/** Version 0.1 also saved ensembles of text alone: they become classifiers of records with one column, `text`. */
function ofOneText(state: State): State {
  const { classes, tried } = state.learned as { classes: Label[]; tried: object[] };
  const column = (name: string, kind: ColumnKind, role: ColumnRole): SchemaColumn => {
    return { name, kind, role, reason: 'an ensemble of text', missing: 0, distinct: 0 };
  };
  const columns = [column('text', 'text', 'feature'), column('label', 'category', 'target')];
  const about = { target: 'label', model: 'auto', seed: 0, columns: [], evaluation: null, warnings: [] };
  const all = tried.map((own) => ({ of: 'text', ...own }));
  const report = { ...about, schema: { target: 'label', rows: 0, columns }, classes: sortClasses(classes), tried: all };
  const learned = { report, weights: [1], bias: classes.map(() => 0), columns: [['text']] };
  const json = JSON.parse(JSON.stringify(learned)) as Record<string, JsonValue>;
  return { kind: 'Classifier', params: { reject: 0 }, learned: json, arrays: {}, steps: [state] };
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
    const columns = names[k].map((name) => known.get(name) ?? damaged('it names a column that does not exist'));
    requireReach(step, columns.flatMap(columnFeatures).length);
    return requireAnswer(predictorFrom(step, columns, classes), columns, classes.length);
  });
  const counts = predictors.some((predictor) => predictor instanceof RecordLearner);
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
    if (!fits) damaged('a model uses a column that does not exist');
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
  const empty = new RecordTable([Object.fromEntries(columns.map(({ name }) => [name, null]))]);
  // there is none where too few rows were learned
  const answer = unlessRefused(() => predictor.scores(empty, false).logProba, 'E_CLASS_TOO_SMALL', 'E_CLASSES_TOO_FEW');
  if (answer && (answer.cols !== classes || answer.data.some(Number.isNaN))) damaged('it does not answer');
  return predictor;
}

/** The inverse of `curveToJson`; checks everything. */
function readCurve(value: JsonValue): Curve {
  const { classes, rows, on, learned, ordinary, ...own } = value as unknown as Omit<Curve, 'calibration'>;
  const number = (x: unknown): number =>
    Number.isFinite(x) ? (x as number) : damaged('its calibration is not a curve');
  if (sortClasses(classes).length < 2 || number(rows) < 0) damaged('its calibration is not a curve');
  if (on !== 'held-out rows' && on !== 'out-of-fold scores') damaged('its calibration is not a curve');
  const { calibration: saved } = own as unknown as { calibration: JsonValue };
  const calibration = calibrationFromJson(saved, classes.length) ?? damaged('its calibration is not a curve');
  const about = { classes, rows, on, learned: learned === null ? null : number(learned) };
  return { ...about, ...(ordinary !== undefined && { ordinary: count(ordinary) }), calibration };
}
