import type { Model } from '../core/model.ts';
import { type Option, unchecked } from '../core/options.ts';
import { requireKind, requireLike } from '../data/arguments.ts';
import type { Batch, Rows, Shape } from '../data/batch.ts';
import type { Label } from '../data/labels.ts';
import type { Level } from '../data/levels.ts';
import { didYouMean } from '../data/suggest.ts';
import type { Weights } from '../data/weights.ts';
import { PolyaError, refuse, show } from '../errors.ts';
import type { Labels } from './learning.ts';

/** The internals of a fitted classifier, for functions outside it. */
// biome-ignore lint/suspicious/noExplicitAny: each family has its own statistic, parameters and rows
export interface Inside<S extends Shape = any, P extends Shape = any, Input = any> {
  readonly kind: string;
  // biome-ignore lint/suspicious/noExplicitAny: only the estimator knows the options of its model, and it provides them
  readonly model: Model<S, P, any>;
  readonly params: P;
  readonly classes: readonly Label[];
  readonly features: number;
  /** The name of a feature, or its number where features have no names. */
  name(j: number): string | number;
  /** A number that stands for a cell of feature j, as the cell: a level by its name. */
  cell(j: number, value: number): Level | null;
  /** What the model estimates parameters from (counts times class weights), and the options under which it does. */
  counted(): { readonly stats: S; readonly options: unknown };
  /** The counts themselves. */
  counts(): S;
  /** Counts times class weights; the same object where there are none. */
  weigh(counts: S): S;
  /** Rows as the model sees them. */
  rows(X: Input): Rows;
  /** Labelled rows as the model counts them. */
  batch(X: Input, y: Labels, weights?: Weights): Batch;
}

/** A fitted classifier that counts, or a pipeline that ends in one. */
export interface Fitted {
  /** Which model it is: 'Pipeline', 'MultinomialNB' … */
  readonly kind: string;
  /** @internal */
  inside(): Inside;
}

/** The rows that a fitted classifier reads. */
export type RowsOf<F extends Fitted> = F extends { predict(X: infer X): unknown } ? X : never;

/** What features are called where the estimator does not know it, such as the words of a vectoriser. */
export const names: Option<ArrayLike<string> | null> = /* @__PURE__ */ unchecked<ArrayLike<string>>();

/** The option `names` alone. */
export interface Names {
  readonly names?: ArrayLike<string> | null | undefined;
}

/** Throws unless the value is a fitted classifier with readable internals. */
export function requireFitted<F extends Fitted>(fitted: F): F {
  return requireLike(fitted, 'a fitted estimator or pipeline; of a Classifier, its estimator', { inside: 'function' });
}

/** The inside of a classifier whose features may have other names. */
export function insideOf(fitted: Fitted, names?: ArrayLike<string> | null): Inside {
  const inside = requireFitted(fitted).inside();
  if (names != null) requireKind(names, 'a list of names', 'list');
  return names ? { ...inside, name: (j) => names[j] ?? inside.name(j) } : inside;
}

/** A part of a model that not all have; refuses where it is absent. */
export function requirePart<T>(kind: string, part: T | undefined, what: string, reason: string): T {
  return part ?? refuse('E_CONFLICT', `${kind} has no ${what}: ${reason}`, { method: what });
}

/** The number of a class; refuses one that is not there. */
export function placeOfClass(classes: readonly Label[], label: Label): number {
  const c = classes.indexOf(label);
  if (c >= 0) return c;
  const near = didYouMean(String(label), classes.map(String));
  return refuse('E_CLASS_UNKNOWN', `there is no class ${show(label)}${near}`, { class: label });
}

/** Runs a function of a model, which numbers its classes; errors name the class by its label. */
export function namingClasses<T>(classes: readonly Label[], work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const named = cause instanceof PolyaError && /^class \d+/.test(cause.message);
    if (!named || typeof cause.details.class !== 'number') throw cause;
    const label = classes[cause.details.class];
    const sentence = cause.message.replace(/^class \d+/, () => `class ${show(label)}`);
    return refuse(cause.code, sentence, { ...cause.details, class: label }, cause);
  }
}

/** The number of a feature, given its name or number; refuses an unknown one. */
export function placeOfFeature(
  { features, name }: { readonly features: number; name(j: number): string | number },
  feature: string | number,
): number {
  for (let j = 0; j < features; j++) if (name(j) === feature) return j;
  if (Number.isInteger(feature) && Number(feature) >= 0 && Number(feature) < features) return Number(feature);
  const names = Array.from({ length: features }, (_, j) => String(name(j)));
  const near = didYouMean(String(feature), names);
  return refuse('E_FEATURE_UNKNOWN', `there is no feature ${show(feature)}${near}`, { feature });
}
