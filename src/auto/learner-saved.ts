import type { State, StateOptions } from '../core/artifact.ts';
import { dateParts } from '../data/cell-date.ts';
import { isFormat } from '../data/cell-format.ts';
import type { JsonValue } from '../data/strict-json.ts';
import type { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { Pipeline } from '../estimators/pipeline.ts';
import type { Step } from '../estimators/pipeline-step.ts';
import { restore } from '../estimators/restore.ts';
import { damaged, type Plan, RecordLearner } from './learner.ts';
import type { ReadColumn } from './learner-columns.ts';
import { type Counting, families, familyOf, priorParams } from './learner-families.ts';

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
