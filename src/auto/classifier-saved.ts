import { decodeState, type State } from '../core/artifact.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { PolyaError, refuse } from '../errors.ts';
import type { ClassifierParts, ClassifierReport } from './classifier-fit.ts';
import { type Opinion, opinionFrom } from './classifier-opinions.ts';
import type { SchemaColumn } from './schema.ts';

/** A classifier as plain data. */
export function saveClassifier({ opinions, pool, report, reject }: ClassifierParts): State {
  const learned: Record<string, JsonValue> = {
    report: JSON.parse(JSON.stringify(report)),
    weights: Array.from(pool.weights),
    bias: Array.from(pool.bias),
    columns: opinions.map(({ columns }) => columns.map(({ name }) => name)),
  };
  const steps = opinions.map((opinion) => opinion.toState());
  return { kind: 'Classifier', params: { reject }, learned, arrays: {}, steps };
}

/** The inverse of `saveClassifier` over the bytes of a file; whatever does not fit is a damaged model. */
export function readClassifier(bytes: Uint8Array): ClassifierParts {
  const state = decodeState(bytes);
  if (state.kind !== 'Classifier')
    refuse('E_MODEL_CORRUPT', 'the model is no classifier of records', { kind: state.kind });
  try {
    return partsFrom(state);
  } catch (cause) {
    if (cause instanceof PolyaError && cause.code === 'E_MODEL_CORRUPT') throw cause;
    return refuse('E_MODEL_CORRUPT', 'the classifier contradicts itself', {}, cause);
  }
}

const damaged = (what: string): never => refuse('E_MODEL_CORRUPT', `the classifier is damaged: ${what}`);

function partsFrom({ params, learned, steps = [] }: State): ClassifierParts {
  const report = learned.report as unknown as ClassifierReport;
  const classes = report.classes.length;
  const weights = numbers(learned.weights, steps.length);
  const bias = numbers(learned.bias, classes);
  const { reject } = params;
  if (steps.length === 0 || classes < 2 || typeof reject !== 'number') return damaged('something is missing');
  const known = new Map(report.schema.columns.map((column) => [column.name, column]));
  const names = learned.columns as string[][];
  const opinions = steps.map((step, k) => {
    const columns = names[k].map((name) => known.get(name) ?? damaged('it names a column that is not there'));
    requireReach(step, columns.length);
    return requireAnswer(opinionFrom(step, columns), columns, classes);
  });
  return { opinions, pool: { weights, bias }, report, reject };
}

function numbers(value: JsonValue, length: number): Float64Array {
  const fits = Array.isArray(value) && value.length === length && value.every(Number.isFinite);
  return fits ? Float64Array.from(value as number[]) : damaged('a list of numbers is wrong');
}

/** Refuses features of columns that are not there. */
function requireReach({ kind, steps = [] }: State, columns: number): void {
  if (kind !== 'ColumnPool') return;
  for (const { params } of steps) {
    const views = params.views as unknown as { column: number }[][];
    const fits = views.every((view) =>
      view.every(({ column }) => Number.isInteger(column) && column >= 0 && column < columns),
    );
    if (!fits) damaged('a model looks at a column that is not there');
  }
}

/** Asks about a row that says nothing: an opinion that fits has a finite answer for every class. */
function requireAnswer(opinion: Opinion, columns: readonly SchemaColumn[], classes: number): Opinion {
  const empty = Object.fromEntries(columns.map(({ name }) => [name, null]));
  const { cols, data } = opinion.predictLogProba([empty]);
  if (cols !== classes || data.some(Number.isNaN)) damaged('it does not answer');
  return opinion;
}
