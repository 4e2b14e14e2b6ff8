import { requireWeightedClasses } from '../core/class-weight.ts';
import { requireItems, requireKind } from '../data/arguments.ts';
import type { DataRow } from '../data/cells.ts';
import type { ColumnTable } from '../data/column-table.ts';
import { Matrix } from '../data/matrix.ts';
import { suggest } from '../data/suggest.ts';
import { requireGoing } from '../engines/memory.ts';
import { PolyaError, refuse, unlessRefused } from '../errors.ts';
import { addsUp } from '../estimators/fold-learning.ts';
import { spread } from '../estimators/scoring.ts';
import { foldRows } from '../evaluate/folds.ts';
import { takeTruth, weighClasses } from '../evaluate/log-proba.ts';
import { ordinaryCount } from '../evaluate/pool.ts';
import {
  type CurveMethod,
  choosePosterior,
  fitPosterior,
  MIN_ROWS,
  methodsFor,
  tooFewRows,
} from '../evaluate/posterior-calibration.ts';
import { selectRows } from '../evaluate/rows.ts';
import { sum } from '../math/arrays.ts';
import type { ClassifierParts, FitReport } from './classifier-fit.ts';
import type { Curve } from './classifier-learning.ts';
import {
  type ClassifierOptions,
  checkOptions,
  classFactorsOf,
  type Dataset,
  divide,
  gather,
  recipeOptions,
  requireClasses,
  tableOfRows,
} from './classifier-options.ts';
import { describeFit, type FitFindings } from './classifier-report.ts';
import { evaluateAlone } from './column-scores.ts';
import { hasTelling, informativeLevels } from './informative.ts';
import type { RecordLearner } from './learner.ts';
import { settleColumns, settledSchema } from './learner-columns.ts';
import { type FamilyName, familyNamed } from './learner-families.ts';
import { blankLearner, type Recipe, recipeFor } from './learner-recipe.ts';
import { labelCodes, readFrame } from './records.ts';
import { columnFeatures, featuresOf, schemaFor, schemaOfAll, weightsOf } from './schema.ts';
import { type Steps, within } from './steps.ts';

/** A learner of a named family that has learned nothing, with what rows settle of it. */
function begin(model: FamilyName, dataset: Dataset, options: ClassifierOptions) {
  const { table, schema, codes, classes } = dataset;
  const recipe = recipeFor(model, schema, recipeOptions(options), { asked: new Set(options.features), classes });
  const columns = settleColumns(recipe, table, codes, classes.length);
  return { recipe, learner: blankLearner(recipe, columns, options.weight !== undefined) };
}

/** Learns one family. */
export function* fitCounting(
  given: readonly DataRow[],
  options: ClassifierOptions,
  model: FamilyName,
): Steps<ClassifierParts> {
  const { seed = 0, signal, evaluate: evaluating = true, calibrate = false } = options;
  const dataset = gather(tableOfRows(given), options, true);
  const { table, classes, codes, weights } = dataset;
  const classFactors = classFactorsOf(dataset, options);
  const division = classes.length > 1 && (evaluating || calibrate) ? divide(dataset, seed) : undefined;
  yield { share: 0, what: `counting, ${model}` };
  const { recipe, learner } = begin(model, dataset, options);
  learner.fit({ table, labels: Array.from(codes, (c) => classes[c]), weights, signal });
  if (!division) return countingParts(reportFor(dataset, learner, options, { classFactors }), learner, options);
  yield { share: 0.9, what: 'evaluating' };
  const heldOut = predictFolds(recipe, learner, dataset, division.folds, signal);
  const evaluated = yield* evaluateOutOfFold(heldOut, dataset, division.folds, { calibrate, classFactors, learner });
  const { answers, curve, uncalibrated } = evaluated ?? {};
  const found = answers &&
    evaluating && {
      ...{ answers, groups: division.alike, columns: evaluateAlone(dataset, division.folds) },
      ...(!hasTelling(learner) && { informative: levelsOf(dataset) }), // of these rows, as the evaluation is
    };
  const report = reportFor(dataset, learner, options, { ...found, classFactors, uncalibrated });
  return countingParts(report, learner, options, curve);
}

/** Learns one family from rows with and without labels. */
export function* fitPartlyLabelled(
  labelled: readonly DataRow[],
  unlabelled: readonly DataRow[],
  options: ClassifierOptions,
  model: FamilyName,
): Steps<ClassifierParts> {
  const { signal, calibrate, weight } = options;
  if (calibrate) {
    const advice = 'calibrate it afterwards by labelled rows that it has not learned';
    refuse('E_PARAM', `with unlabelled rows nothing is evaluated by folds: ${advice}`, { name: 'calibrate' });
  }
  const table = tableOfRows([...labelled, ...unlabelled]);
  const dataset = { ...gather(tableOfRows(labelled), options, true), schema: schemaFor(table, options, true) };
  const { classes, codes } = dataset;
  requireClasses(classes);
  yield { share: 0, what: `counting, ${model}` };
  const { learner } = begin(model, dataset, options);
  const labels = [...Array.from(codes, (c) => classes[c]), ...unlabelled.map(() => null)];
  learner.fitSemiSupervised({ table, labels, weights: weightsOf(table, weight), signal });
  const report = reportFor(dataset, learner, options, { classFactors: classFactorsOf(dataset, options) });
  return countingParts({ ...report, unlabelled: unlabelled.length }, learner, options);
}

/** A classifier of one family. */
export function countingParts(
  report: FitReport,
  learner: RecordLearner,
  { reject = 0, weight }: ClassifierOptions,
  curve?: Curve,
): ClassifierParts {
  const pool = { weights: Float64Array.of(1), bias: new Float64Array(0) };
  return { classes: [], predictors: [learner], pool, report, reject, weight, curve };
}

/** The report of a fit of one family, with what rows have settled of the schema. */
function reportFor(
  dataset: Dataset,
  { plan: { model, columns } }: RecordLearner,
  options: ClassifierOptions,
  found: Omit<FitFindings, 'model'> = {},
): FitReport {
  const schema = settledSchema(dataset.schema, columns);
  return describeFit({ ...dataset, schema }, options, { model, ...found });
}

/** What the columns of rows say of the classes, for families that weigh their features together. */
function levelsOf({ table, schema, codes, classes }: Dataset) {
  const columns = featuresOf(schema, 'columns');
  return informativeLevels(readFrame(table, columns), columns.flatMap(columnFeatures), codes, classes);
}

interface EvaluateOptions {
  readonly calibrate: boolean | CurveMethod;
  readonly classFactors: Float64Array | undefined;
  readonly learner: RecordLearner;
}

/**
 * Evaluates out-of-fold answers, and fits a calibrator to them if one is wanted and the rows suffice. The answers that are
 * evaluated come from calibrators that were fitted to the other folds.
 */
function* evaluateOutOfFold(
  { logProba, heldOut }: OutOfFold,
  { table, classes, codes, weights }: Dataset,
  folds: Int32Array,
  { calibrate, classFactors, learner }: EvaluateOptions,
): Steps<(Pick<FitFindings, 'answers' | 'uncalibrated'> & Pick<ClassifierParts, 'curve'>) | undefined> {
  if (heldOut.length === 0) return undefined;
  const truth = takeTruth({ codes, weights }, heldOut);
  // a curve fitted to rows without class weights would undo them
  const answers = { logProba, ...weighClasses(truth, classFactors) };
  const own = Int32Array.from(heldOut, (i) => folds[i]);
  const methods = calibrate ? methodsFor(truth, classes.length, calibrate) : [];
  const best = yield* within(choosePosterior(methods, answers, own), 0.9, 1);
  const evaluated = best?.logProba() ?? logProba;
  const curve: Curve | undefined = best && {
    calibration: fitPosterior(best.method, answers),
    classes,
    rows: heldOut.length,
    on: 'out-of-fold scores',
    learned: weights ? sum(weights) : codes.length,
    ordinary: ordinaryCount(learner.presentIn(table.take(heldOut))),
  };
  const uncalibrated = calibrate && !curve ? tooFewRows(calibrate, truth.codes, classes, MIN_ROWS).sentence : undefined;
  return { answers: { logProba: evaluated, ...truth }, curve, uncalibrated };
}

/** The rows that were held out, and their log-probabilities by models that were not fitted to them. */
interface OutOfFold {
  readonly logProba: Matrix;
  readonly heldOut: Int32Array;
}

/** No class is less probable: one that a fold has not met, or an answer that is wrong for sure. */
const LEAST = -1e4;

/**
 * Scores the rows of every fold by a learner of the other folds. Where rows settle neither cuts nor structure, each fold is counted once
 * and a training set is the sum of the others. A fold that the family cannot learn without holds out nothing.
 */
function predictFolds(
  recipe: Recipe,
  learner: RecordLearner,
  { table, codes, classes, weights }: Dataset,
  folds: Int32Array,
  signal?: AbortSignal,
): OutOfFold {
  const learn = (method: 'fit' | 'partialFit', own: RecordLearner, rows: Int32Array) => {
    requireGoing(signal);
    const labels = Array.from(rows, (i) => classes[codes[i]]);
    own[method]({ table: table.take(rows), labels, weights: weights && selectRows(weights, rows), signal });
    return own;
  };
  const numbers = [...new Set(folds)];
  const plain = addsUp(learner.estimator) && JSON.stringify(recipe.columns) === JSON.stringify(learner.plan.columns);
  // what is legal of many rows need not be so of the few of one fold
  const parts = plain
    ? unlessRefused(() => numbers.map((fold) => learn('partialFit', learner.blank(), foldRows(folds, fold).held)))
    : undefined;
  const without = (fold: number, rows: Int32Array): RecordLearner => {
    if (!parts) {
      const columns = settleColumns(recipe, table.take(rows), selectRows(codes, rows), classes.length);
      return learn('fit', blankLearner(recipe, columns), rows);
    }
    const sum = learner.blank();
    for (const [k, part] of parts.entries()) if (numbers[k] !== fold) sum.merge(part);
    sum.finish();
    return sum;
  };
  const out = new Matrix(table.length, classes.length);
  const all = numbers.flatMap((fold) => {
    const { learn: rows, held } = foldRows(folds, fold);
    if (fold < 0 || rows.length === 0) return [];
    const scored = unlessRefused(() => {
      const own = without(fold, rows);
      return spread(own.scores(table.take(held)).logProba, own.classes, classes, LEAST);
    });
    if (!scored) return [];
    held.forEach((i, k) => {
      out.row(i).set(scored.row(k).map((log) => Math.max(LEAST, log)));
    });
    return Array.from(held).filter((i) => !weights || weights[i] > 0);
  });
  const heldOut = Int32Array.from(all).sort();
  return { logProba: selectRows(out, heldOut), heldOut };
}

/** Rows in parts, as a file is read. */
export type RowBatches = AsyncIterable<readonly DataRow[]> | Iterable<readonly DataRow[]>;

/**
 * Learns a named family in one pass over rows that need not fit in memory. Kinds of columns, cuts and fills are settled by the
 * first part, or given; words and levels grow with the rows, and rules such as minDf apply to the whole at the end.
 */
export async function fitStream(batches: RowBatches, options: ClassifierOptions): Promise<ClassifierParts> {
  familyOfStream(options);
  requireKind(batches, 'batches of rows', 'stream');
  const { signal, onProgress } = options;
  let begun: BegunParts | undefined;
  let done = 0;
  for await (const given of batches) {
    requireGoing(signal);
    if (requireItems(given, 'a list of rows as every batch').length === 0) continue;
    const table = tableOfRows(given);
    begun ??= beginParts(table, options);
    learnTable(begun.learner, table, options, done);
    done += table.length;
    onProgress?.(0, `${done} rows`);
  }
  if (!begun) return refuse('E_EMPTY_INPUT', 'there are no rows to learn from', { rows: 0 });
  const parts = begun.finish(begun.learner, done);
  onProgress?.(1, 'done');
  return parts;
}

/** A fit whose rows are still to be learned. */
export interface BegunFit<Result> {
  /** A learner that has learned nothing, with all that a sample settles: kinds of columns, cuts, fills. */
  readonly learner: RecordLearner;
  readonly report: FitReport;
  /** Makes the result of a learner of the same plan, which has learned `rows` rows and must not be used afterwards. */
  finish(learner: RecordLearner, rows: number): Result;
}

type BegunParts = BegunFit<ClassifierParts>;

/** Settles what a named family needs to know of the columns by a sample of the rows. */
export function beginParts(sample: ColumnTable, options: ClassifierOptions): BegunParts {
  const dataset = gather(sample, options, true);
  const { learner } = begin(familyOfStream(options), dataset, options);
  const report = reportFor(dataset, learner, options);
  const finish = (learned: RecordLearner, rows: number) => {
    learned.finish();
    requireWeightedClasses(options.classWeight ?? null, learned.classes, suggest);
    const schema = options.schema ? report.schema : schemaOfAll(report.schema, rows, learned.classes.length);
    return countingParts({ ...report, schema }, learned, options);
  };
  return { learner, report, finish };
}

/** The family that a stream is learned by; refuses options that need all rows at once. */
function familyOfStream(options: ClassifierOptions): FamilyName {
  checkOptions(options);
  const { model = 'auto', calibrate, evaluate, splitColumn } = options;
  if (model === 'auto')
    refuse('E_PARAM', 'a stream is read once, and nothing can be chosen: name a model', { name: 'model' });
  if (calibrate || evaluate) {
    const advice = 'calibrate and evaluate it afterwards on rows that it has not learned';
    refuse('E_PARAM', `a stream is read once, without folds: ${advice}`, {
      name: calibrate ? 'calibrate' : 'evaluate',
    });
  }
  if (splitColumn !== undefined)
    refuse('E_PARAM', 'a stream is read once, and is not split: leave out splitColumn', { name: 'splitColumn' });
  return familyNamed(model);
}

/** Learns a part of the rows, of which `before` came earlier: a refusal has the row number in the whole. */
export function learnTable(
  learner: RecordLearner,
  table: ColumnTable,
  { target, weight, signal }: Pick<ClassifierOptions, 'target' | 'weight' | 'signal'>,
  before = 0,
): void {
  shifted(before, () => {
    learner.partialFit({ table, labels: labelCodes(table, target), weights: weightsOf(table, weight), signal });
  });
}

/** Runs `work` on a part whose first row has the number `before` in the whole, to which row numbers of refusals are adapted. */
function shifted(before: number, work: () => void): void {
  try {
    work();
  } catch (cause) {
    if (before === 0 || !(cause instanceof PolyaError) || typeof cause.details.row !== 'number') throw cause;
    const row = cause.details.row + before;
    const sentence = cause.message.replace(`row ${cause.details.row}`, () => `row ${row}`);
    refuse(cause.code, sentence, { ...cause.details, row }, cause);
  }
}
