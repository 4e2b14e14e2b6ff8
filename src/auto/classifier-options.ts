import { type ClassWeight, classFactors, classWeight as option, requireWeightedClasses } from '../core/class-weight.ts';
import { readOptions } from '../core/options.ts';
import { requireOptions } from '../data/arguments.ts';
import type { DataRow } from '../data/cells.ts';
import { type ColumnTable, RecordTable } from '../data/column-table.ts';
import { flattenRows } from '../data/flatten.ts';
import type { Label } from '../data/labels.ts';
import { suggest } from '../data/suggest.ts';
import { refuse, show } from '../errors.ts';
import { groupedFolds } from '../evaluate/folds.ts';
import type { CurveMethod } from '../evaluate/posterior-calibration.ts';
import { numberRows, rowKeys } from '../evaluate/rows.ts';
import { countCodes } from '../math/arrays.ts';
import { type ClassifierSchema, textsOf } from './learner-columns.ts';
import type { ModelName } from './learner-families.ts';
import { type RecipeOptions, recipeNames } from './learner-recipe.ts';
import { type Frame, readFrame, readTarget } from './records.ts';
import { type ColumnOptions, featuresOf, requireRecords, schemaFor, weightsOf } from './schema.ts';
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

/** Whether an option is for ensembles; all others are for one family. */
export const isForEnsembles = (name: string): boolean =>
  name !== 'weight' && [...ownNames, 'classWeight', 'stopWords'].includes(name);

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

/** Rows to learn from, with their labels as numbers. */
export interface Dataset {
  readonly table: ColumnTable;
  readonly schema: ClassifierSchema;
  readonly classes: readonly Label[];
  readonly codes: Int32Array;
  /** What rows weigh; undefined where all weigh 1. */
  readonly weights: Float64Array | undefined;
}

/** How rows are divided to evaluate models on rows that they were not fitted to. */
export interface Division {
  /** Rows that are alike in every feature have one number. */
  readonly alike: Int32Array;
  /** The fold of every row; −1 where a row is never held out. */
  readonly folds: Int32Array;
}

/** Records as a table, checked. */
export function tableOfRows(given: readonly DataRow[]): ColumnTable {
  requireRecords(given);
  return new RecordTable(flattenRows(given));
}

/** Reads labels, weights and the schema of a table, for a classifier that learns on or for a pool. */
export function gather(table: ColumnTable, options: ColumnOptions, learnsOn: boolean): Dataset {
  const schema = schemaFor(table, options, learnsOn);
  const { classes, codes } = readTarget(table, options.target);
  return { table, schema, classes, codes, weights: weightsOf(table, options.weight) };
}

/** What the rows of each class count for; undefined without class weights. */
export function classFactorsOf(
  { classes, codes, weights }: Pick<Dataset, 'classes' | 'codes' | 'weights'>,
  options: Pick<ClassifierOptions, 'classWeight'>,
): Float64Array | undefined {
  const { classWeight } = classWeightOf(options);
  if (!classWeight) return undefined;
  requireWeightedClasses(classWeight, classes, suggest);
  return classFactors(classWeight, classes, countCodes(codes, classes.length, weights));
}

/** Refuses rows of one class alone. */
export function requireClasses(classes: readonly Label[]): void {
  if (classes.length > 1) return;
  refuse('E_CLASSES_TOO_FEW', `every row has the label ${show(classes[0])}: there is nothing to distinguish`, {
    actual: classes.length,
  });
}

/** Divides rows into folds, copies on one side; `frame` has the features of the columns that are no text. */
export function divide(
  { table, schema, codes }: Dataset,
  seed: number,
  { columns }: Frame = readFrame(table, featuresOf(schema, 'columns')),
): Division {
  const texts = featuresOf(schema, 'text').map(({ name }) => textsOf(table, name));
  const cells = Object.fromEntries([...columns, ...texts].entries());
  const alike = numberRows(columns.length + texts.length > 0 ? rowKeys(cells) : codes.map((_, i) => i));
  const repeats = new Set(alike).size < table.length / 2; // columns that tell few rows apart, not copies
  return { alike, folds: groupedFolds(codes, repeats ? alike.map((_, i) => i) : alike, seed) };
}
