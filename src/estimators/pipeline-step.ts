import type { State, StateOptions } from '../core/artifact.ts';
import { refuse } from '../errors.ts';
import type { Growing, StudyOptions } from '../text/growth.ts';
import type { Explanation } from './explanation.ts';

/** A step of a pipeline: transformers, and last a classifier or a transformer. */
export interface Step {
  readonly kind: string;
  clone(): Step;
  toState(options?: StateOptions): State;
}

/** The input type of a step. */
export type InputOf<S> = S extends { transform(X: infer X): unknown }
  ? X
  : S extends { predict(X: infer X): unknown }
    ? X
    : never;

/** The output type of a step. */
export type OutputOf<S> = S extends { transform(X: never): infer Out } ? Out : never;

/** The steps if each accepts the output of the one before it; otherwise the type states what was expected. */
export type Chained<Steps extends readonly unknown[]> = Steps extends readonly [infer A, infer B, ...infer Rest]
  ? [OutputOf<A>] extends [never]
    ? readonly [{ readonly transform: (X: InputOf<A>) => InputOf<B> }, B, ...Rest]
    : OutputOf<A> extends InputOf<B>
      ? readonly [A, ...Chained<readonly [B, ...Rest]>]
      : readonly [A, { readonly transform: (X: OutputOf<A>) => unknown }, ...Rest]
  : Steps;

/** The first of some types. */
export type First<T extends readonly unknown[]> = T extends readonly [infer A, ...unknown[]] ? A : T[number];

/** The last of some types. */
export type Last<T extends readonly unknown[]> = T extends readonly [...unknown[], infer Z] ? Z : T[number];

/** The result type of a method of a step; never if it has no such method. */
export type Answer<S, Method extends string> = S extends { readonly [M in Method]: (...args: never) => infer R }
  ? R
  : never;

/** A step as the pipeline uses it, once the types have been checked. */
export interface Transformer extends Step, Partial<Growing<unknown, unknown>> {
  fit(X: unknown, y?: unknown, options?: StudyOptions): unknown;
  fitTransform?(X: unknown, y?: unknown, options?: StudyOptions): unknown;
  transform(X: unknown): unknown;
  getFeatureNamesOut?(names?: readonly string[]): string[];
  /** Multiplies its counts by a factor. */
  scale?(factor: number): void;
}

/** Whether a step changes rows rather than classifying them. */
export function isTransformer<S extends Step>(step: S): step is S & Transformer {
  return 'transform' in step;
}

/** Steps with their names. */
export type NamedSteps<Steps extends readonly Step[]> = { readonly [K in keyof Steps]: readonly [string, Steps[K]] };

/** Steps named by their classes in lower case, numbered if two are of the same class. */
export function nameSteps(steps: readonly Step[]): (readonly [string, Step])[] {
  const kinds = steps.map((step) => String(step?.kind).toLowerCase());
  return steps.map((step, k) => {
    const alike = kinds.filter((kind) => kind === kinds[k]).length;
    const before = kinds.slice(0, k).filter((kind) => kind === kinds[k]).length;
    return [alike > 1 ? `${kinds[k]}-${before + 1}` : kinds[k], step];
  });
}

/** Throws for invalid steps: none, two of the same name, or a classifier that is not last. */
export function requireSteps(steps: unknown): readonly (readonly [string, Step])[] {
  const fault = (sentence: string) => refuse('E_PARAM', sentence, { name: 'steps' });
  if (!Array.isArray(steps) || steps.length === 0) return fault('a pipeline has at least one step');
  for (const [k, pair] of steps.entries()) {
    const [name, step] = (Array.isArray(pair) ? pair : []) as [unknown, Partial<Step> | undefined];
    if (typeof name !== 'string' || typeof step?.clone !== 'function')
      fault(`step ${k} is not an estimator with its name`);
    if (k < steps.length - 1 && !isTransformer(step as Step))
      fault(`step ${k}, a ${step?.kind}, does not transform rows`);
  }
  if (new Set(steps.map(([name]) => name)).size < steps.length) fault('two steps have the same name');
  return steps as readonly (readonly [string, Step])[];
}

/** The states of the steps with their names; refuses a state that has no such names. */
export function namedStates({ params: { names }, steps = [] }: State): (readonly [string, State])[] {
  if (!Array.isArray(names) || names.length !== steps.length || !names.every((name) => typeof name === 'string')) {
    return refuse('E_MODEL_CORRUPT', 'the model file is damaged: its steps have no names');
  }
  return steps.map((step, k) => [names[k] as string, step]);
}

/** Explanations in which features have names rather than numbers. */
export function nameFeatures(
  explanations: readonly Explanation[],
  names: readonly string[] | undefined,
): Explanation[] {
  return explanations.map(({ contributions, ...rest }) => ({
    ...rest,
    contributions: contributions.map(({ feature, byClass }) => ({
      feature: names?.[Number(feature)] ?? feature,
      byClass,
    })),
  }));
}
