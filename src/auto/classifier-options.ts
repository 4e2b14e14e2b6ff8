import { type ClassWeight, classWeight as option } from '../core/class-weight.ts';
import { readOptions } from '../core/options.ts';
import { requireOptions } from '../data/arguments.ts';
import { refuse, show } from '../errors.ts';
import type { CurveMethod } from '../evaluate/posterior-calibration.ts';
import type { Dataset } from './classifier-dataset.ts';
import type { FamilyName, ModelName } from './learner-families.ts';
import { type Recipe, type RecipeOptions, recipeFor, recipeNames } from './learner-recipe.ts';
import type { ColumnOptions } from './learner-schema.ts';
import type { StepOptions } from './steps.ts';

/**
 * How a classifier of records is learned. Beside what is listed here, a named model takes the parameters of its estimator, and
 * a model of text those of `CountVectorizer`, by their own names.
 */
export interface ClassifierOptions extends ColumnOptions, RecipeOptions, StepOptions {
  /** A family by name, or 'auto': an ensemble chosen by held-out log-loss. Default: 'auto'. */
  readonly model?: 'auto' | ModelName | undefined;
  /** Evaluate by cross-validation; without it, learning is a single pass. Ensembles are always evaluated. Default: true. */
  readonly evaluate?: boolean | undefined;
  /**
   * Calibrate probabilities by out-of-fold scores; true chooses the best method. Needs about 30 rows per class. Ensembles are always
   * calibrated. Default: false.
   */
  readonly calibrate?: boolean | CurveMethod | undefined;
  /**
   * Rows without a label: an error ('error'), left out ('skip'), or used by expectation–maximisation ('use'). Using them needs a named
   * model, which is then neither evaluated nor calibrated. Default: 'error'.
   */
  readonly unlabeled?: 'error' | 'skip' | 'use' | undefined;
  /** The random seed. Default: 0. */
  readonly seed?: number | undefined;
  /** Predictions less probable than this are abstentions. Default: 0. */
  readonly reject?: number | undefined;
}

/** The class weights that were asked for, checked. */
export function classWeightOf({ classWeight: given }: Pick<ClassifierOptions, 'classWeight'>): {
  readonly classWeight?: ClassWeight;
} {
  const { classWeight } = readOptions('Classifier', { classWeight: option }, { classWeight: given });
  return classWeight === null ? {} : { classWeight };
}

const methods: readonly unknown[] = [undefined, true, false, 'sigmoid', 'isotonic', 'temperature'];

/** The options of a classifier itself; all others are parameters of a family or of its vectorizers. */
const ownNames: readonly string[] = [
  ...['target', 'features', 'kinds', 'decimal', 'dateOrder', 'splitColumn', 'schema', 'weight', 'model'],
  ...['evaluate', 'calibrate', 'unlabeled', 'seed', 'signal', 'enough', 'reject', 'onProgress'],
];

/** Refuses options that neither a classifier nor any family has, and values that no classifier could use. */
export function checkOptions(options: ClassifierOptions): void {
  requireOptions('Classifier.fit', [...ownNames, 'classWeight', ...recipeNames()], options);
  const { target, features, kinds, calibrate, onProgress, enough } = options;
  const fault = (name: string, expected: string, value: unknown): never =>
    refuse('E_PARAM', `${name} is ${expected}, got ${show(value)}`, { name });
  if (typeof target !== 'string') fault('target', 'the name of the column that holds the label', target);
  if (features !== undefined && !Array.isArray(features)) fault('features', 'a list of column names', features);
  if (kinds !== undefined && (typeof kinds !== 'object' || kinds === null)) fault('kinds', 'kinds by column', kinds);
  if (!methods.includes(calibrate)) {
    fault('calibrate', "true, false, 'sigmoid', 'isotonic' or 'temperature'", calibrate);
  }
  if (onProgress !== undefined && typeof onProgress !== 'function') fault('onProgress', 'a function', onProgress);
  if (enough !== undefined && typeof enough !== 'function') fault('enough', 'a function', enough);
}

/** The options of the recipe: those that are not of the classifier itself. */
export function recipeOptions(options: ClassifierOptions): RecipeOptions {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !ownNames.includes(name)));
}

/** The recipe of a named family for rows. */
export function namedRecipe(
  model: FamilyName,
  { schema, classes }: Pick<Dataset, 'schema' | 'classes'>,
  options: ClassifierOptions,
): Recipe {
  return recipeFor(model, schema, recipeOptions(options), { asked: new Set(options.features), classes });
}
