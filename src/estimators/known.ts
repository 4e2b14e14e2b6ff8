import type { Model } from '../core/model.ts';
import type { Shape } from '../data/batch.ts';
import type { Label } from '../data/labels.ts';
import type { Level } from '../data/levels.ts';
import { refuse, show } from '../errors.ts';

/** What explanations read of a fitted estimator. */
export interface Known<S extends Shape, P extends Shape> {
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
  /** What was counted, and the options under which the model estimates. */
  counted(): { readonly stats: S; readonly options: unknown };
}

/** What features are called where the estimator does not know it, such as the words of a vectoriser. */
export interface Names {
  readonly names?: ArrayLike<string> | undefined;
}

/** A part of a model that not all have; refuses where it is absent. */
export function requirePart<T>(kind: string, part: T | undefined, method: string, reason: string): T {
  return part ?? refuse('E_CONFLICT', `${kind} has no ${method}: ${reason}`, { method });
}

/** The number of a class; refuses one that is not there. */
export function placeOfClass(classes: readonly Label[], label: Label): number {
  const c = classes.indexOf(label);
  return c < 0 ? refuse('E_CLASS_UNKNOWN', `there is no class ${show(label)}`, { class: label }) : c;
}
