import { type ClassWeight, classWeight as option } from '../core/class-weight.ts';
import { readOptions } from '../core/options.ts';
import { refuse, show } from '../errors.ts';
import type { CurveMethod } from './classifier-curves.ts';
import type { Material } from './classifier-material.ts';
import type { FamilyName, ModelName } from './learner-families.ts';
import { type Recipe, type RecipeOptions, recipeFor } from './learner-recipe.ts';
import type { ColumnOptions } from './learner-schema.ts';

/**
 * How a classifier of records is learned. Beside what is listed here, a named model takes the parameters of its estimator, and
 * a model of text those of `CountVectorizer`, by their own names.
 */
export interface ClassifierOptions extends ColumnOptions, RecipeOptions {
  /** A family by name, which keeps its counts and learns on; or 'auto': chosen by held-out log-loss. */
  readonly model?: 'auto' | ModelName | undefined;
  /** With 'auto': one family that learns on, instead of a pool of several that does not. */
  readonly online?: boolean | undefined;
  /** Whether it is judged by folds; without it, learning costs one pass. Pools are always judged. */
  readonly evaluate?: boolean | undefined;
  /** Makes probabilities honest by out-of-fold scores; true: by the best method. Pools are calibrated anyhow. */
  readonly calibrate?: boolean | CurveMethod | undefined;
  /**
   * What becomes of rows without a label: they are refused, left out, or used by expectation–maximisation. Used, they are for one
   * family (a named model, or `online`), which is then neither judged nor calibrated here.
   */
  readonly unlabeled?: 'error' | 'skip' | 'use' | undefined;
  readonly seed?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Answers less probable than this are abstentions. */
  readonly reject?: number | undefined;
  readonly onProgress?: ((share: number, what: string) => void) | undefined;
}

/** The class weights that were asked for, checked. */
export function classWeightOf({ classWeight: given }: Pick<ClassifierOptions, 'classWeight'>): {
  readonly classWeight?: ClassWeight;
} {
  const { classWeight } = readOptions('Classifier', { classWeight: option }, { classWeight: given });
  return classWeight === null ? {} : { classWeight };
}

const methods: readonly unknown[] = [undefined, true, false, 'sigmoid', 'isotonic', 'temperature'];

/** The options of the recipe: what is left when a classifier has taken its own. */
export function recipeOptions(options: ClassifierOptions): RecipeOptions {
  const { target, features, kinds, schema, weight, model, online, evaluate, calibrate, unlabeled, ...others } = options;
  const { seed, signal, reject, onProgress, ...recipe } = others;
  if (!methods.includes(calibrate)) {
    refuse('E_PARAM', `calibrate is true, false, 'sigmoid', 'isotonic' or 'temperature', got ${show(calibrate)}`, {
      name: 'calibrate',
    });
  }
  return recipe;
}

/** The recipe of a named family for rows. */
export function namedRecipe(model: FamilyName, { schema, classes }: Material, options: ClassifierOptions): Recipe {
  return recipeFor(model, schema, recipeOptions(options), { asked: new Set(options.features), classes });
}
