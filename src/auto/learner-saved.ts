import type { State, StateOptions } from '../core/artifact.ts';
import { dateParts } from '../data/cell-date.ts';
import { isFormat } from '../data/cell-format.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { HashingVectorizer } from '../estimators/hashing-vectorizer.ts';
import { Pipeline } from '../estimators/pipeline.ts';
import type { Step } from '../estimators/pipeline-step.ts';
import { restore } from '../estimators/restore.ts';
import { RecordLearner } from './learner.ts';
import type { ReadColumn } from './learner-columns.ts';
import { type Counting, families, familyOf, makeEstimator } from './learner-families.ts';
import type { Vectorizer } from './learner-options.ts';
import type { Plan } from './learner-plan.ts';
import { priorParams } from './learner-priors.ts';
import { textColumns } from './learner-table.ts';

/** A learner as plain data: its plan, its vectorizers and its estimator. */
export function saveLearner(learner: RecordLearner, options?: StateOptions): State {
  const params = JSON.parse(JSON.stringify(learner.plan));
  const steps = learner.states(options);
  const slim = steps.at(-1)?.learned.slim === true;
  const learned = slim ? { classShares: Array.from(learner.logPrior, Math.exp) } : {};
  return { kind: 'RecordLearner', params, learned, arrays: {}, steps };
}

const damaged = (what: string): never => refuse('E_MODEL_CORRUPT', `the model file is damaged: ${what}`);

/** The inverse of `saveLearner`; believes nothing. */
export function readLearner({ params, learned, steps = [] }: State): RecordLearner {
  const plan = readPlan(params);
  const texts = textColumns(plan.columns).length;
  if (steps.length !== texts + 1) return damaged('it has another number of texts than of vocabularies');
  const vectorizers = steps.slice(0, texts).map(readVectorizer);
  const last = steps[texts];
  const estimator = makeEstimator(plan.model, last.params);
  if (estimator.kind !== last.kind) return damaged('its estimator is of another family');
  const parts = { vectorizers, estimator: restore(estimator, last) };
  if (last.learned.slim !== true) return new RecordLearner(plan, parts);
  return new RecordLearner(plan, parts, readShares(learned.classShares) ?? sharesOf(parts.estimator));
}

/** The shares of the classes that a slim file keeps in the place of counts; files of version 0.1 have none. */
function readShares(value: JsonValue | undefined): Float64Array | undefined {
  if (value === undefined) return undefined;
  const fits = Array.isArray(value) && value.every((share) => (share as number) >= 0 && (share as number) <= 1);
  return fits ? Float64Array.from(value as number[]) : damaged('its class prior is wrong');
}

function sharesOf(estimator: Counting): Float64Array {
  const { model, params } = estimator.inside();
  return model.logPrior(params as never).map(Math.exp);
}

function readVectorizer(state: State): Vectorizer {
  if (state.kind === 'CountVectorizer') return restore(new CountVectorizer(state.params as never), state);
  if (state.kind === 'HashingVectorizer') return restore(new HashingVectorizer(state.params as never), state);
  return damaged('it reads text with something else than a vectorizer');
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
  return fits ? ({ model, columns, priors } as unknown as Plan) : damaged('what it reads is not told');
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
