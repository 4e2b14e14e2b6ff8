import { Matrix } from '../data/matrix.ts';
import { PolyaError, refuse, show } from '../errors.ts';
import { type Exportable, planOf } from './plan-of.ts';
import { about, type Fields, type Fitted, snake } from './sklearn/fields.ts';
import { classes, fromSklearn } from './sklearn.ts';

/** A model for examples/load_in_sklearn.py, in the JSON that `fromSklearn` reads as well. */
export interface SklearnJson {
  readonly format: 'polya-sklearn';
  readonly version: 1;
  /** The release of scikit-learn whose parameters these are. */
  readonly sklearn: string;
  readonly model: object;
}

/** A value as JSON: numbers exactly, those that JSON lacks as words, matrices as lists of rows. */
function plain(value: unknown): unknown {
  if (typeof value === 'number') {
    return Number.isFinite(value) ? value : Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  }
  if (value instanceof Matrix) return value.toArray().map(plain);
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value as ArrayLike<unknown>, plain);
  return value;
}

/** Refuses what scikit-learn would do otherwise. */
const cannotCarry = (what: string): never =>
  refuse('E_CONFLICT', `scikit-learn cannot represent ${what}`, { target: 'scikit-learn', what });

function modelOf(model: Fitted): object {
  const { kind } = model;
  if (kind === 'Pipeline') {
    const steps = model.steps as readonly Fitted[];
    return { class: kind, steps: steps.map((step, k) => [`${k + 1}_${step.kind.toLowerCase()}`, modelOf(step)]) };
  }
  const own = classes.get(kind) ?? cannotCarry(`a model of the kind ${kind}`);
  const entries = (fields: Fields, of: Readonly<Record<string, unknown>>, end: string) =>
    Object.entries(fields)
      .map(([name, { give }]) => [`${snake(name)}${end}`, plain(give ? give(model) : of[name])] as const)
      .filter(([, value]) => value !== undefined);
  const params = entries({ ...own.params, ...own.fixed }, model.getParams(), '');
  const learned = entries({ ...(own.classifies && about), ...own.learned }, model, '_');
  return { class: kind, params: Object.fromEntries(params), learned: Object.fromEntries(learned) };
}

/**
 * A fitted model as JSON from which examples/load_in_sklearn.py builds the same model in scikit-learn: the five naive Bayes classes, both
 * discriminants, the vectorizers, TfidfTransformer and pipelines of them. What scikit-learn would answer otherwise (options that it does
 * not have, levels that are words, missing cells) is refused with E_CONFLICT.
 */
export function toSklearn(model: Exportable): SklearnJson {
  const plan = planOf(model);
  const own = modelOf(model as unknown as Fitted);
  const document = { format: 'polya-sklearn', version: 1, sklearn: '1.9.1', model: own } as const;
  const path = differenceOf(plan, readBack(document));
  if (path) cannotCarry(`options of this model: its ${path.join('.')} would be another`);
  return document;
}

/** The plan of a document. */
function readBack(document: SklearnJson): object {
  try {
    return planOf(fromSklearn<Exportable>(JSON.stringify(document)));
  } catch (cause) {
    if (cause instanceof PolyaError) return cannotCarry(`options of this model: ${cause.message}`);
    throw cause;
  }
}

const isClose = (a: number, b: number) =>
  Object.is(a, b) || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

/** Where two plans differ in what they answer; undefined if they don't. */
function differenceOf(a: unknown, b: unknown): string[] | undefined {
  if (typeof a === 'number' && typeof b === 'number') return isClose(a, b) ? undefined : [show(a)];
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return a === b ? undefined : [show(a)];
  if (isDiscriminant(a) && isDiscriminant(b)) return undefined; // axes may be turned or left out, which moves no boundary
  const [left, right] = [a, b] as Record<string, unknown>[];
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const found = differenceOf(left[name], right[name]);
    if (found) return [name, ...found];
  }
  return undefined;
}

const isDiscriminant = (part: object): boolean => 'op' in part && (part.op === 'either' || part.op === 'quadrics');
