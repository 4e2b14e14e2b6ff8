import type { DataRow } from '../data/cells.ts';
import { RecordTable } from '../data/column-table.ts';
import { flattenRows } from '../data/flatten.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { takeTruth, weighClasses } from '../evaluate/log-proba.ts';
import { ordinaryCount } from '../evaluate/pool.ts';
import {
  type CurveMethod,
  choosePosterior,
  fitPosterior,
  MIN_ROWS,
  methodsFor,
} from '../evaluate/posterior-calibration.ts';
import { selectRows } from '../evaluate/rows.ts';
import { sum } from '../math/arrays.ts';
import { classFactorsOf, type Dataset, type Division, divide, gather, requireClasses } from './classifier-dataset.ts';
import type { ClassifierParts, FitReport } from './classifier-fit.ts';
import { type Curve, tooFewRows } from './classifier-learning.ts';
import { type ClassifierOptions, classWeightOf, namedRecipe } from './classifier-options.ts';
import { FamilyPredictor } from './classifier-predictors.ts';
import { byFolds, type Evaluation, evaluate } from './classifier-split.ts';
import { hasTelling, informativeLevels } from './informative.ts';
import type { RecordLearner } from './learner.ts';
import { settledSchema } from './learner-columns.ts';
import type { FamilyName } from './learner-families.ts';
import { evaluateAlone, type OutOfFold, predictFolds } from './learner-held-out.ts';
import { blankLearner, settle } from './learner-recipe.ts';
import { schemaFor, weightsOf } from './learner-schema.ts';
import { readFrame } from './records.ts';
import { columnFeatures, featuresOf } from './schema.ts';
import type { Steps } from './steps.ts';
import { findWarnings, isOfCounts } from './warnings.ts';

/** Learns one family. */
export function* fitCounting(
  given: readonly DataRow[],
  options: ClassifierOptions,
  model: FamilyName,
): Steps<ClassifierParts> {
  const { seed = 0, signal, evaluate: evaluating = true, calibrate = false } = options;
  const dataset = gather(given, options, true);
  const { table, classes, codes, weights } = dataset;
  const classFactors = classFactorsOf(dataset, options);
  const division = classes.length > 1 && (evaluating || calibrate) ? divide(dataset, seed) : undefined;
  const recipe = namedRecipe(model, dataset, options);
  yield { share: 0, what: `counting, ${recipe.model}` };
  const learner = blankLearner(recipe, settle(recipe, table, codes, classes.length));
  const labels = Array.from(codes, (c) => classes[c]);
  learner.fit({ table, labels, weights, signal });
  if (division) yield { share: 0.9, what: 'evaluating' };
  const heldOut = division && predictFolds(recipe, learner, dataset, division.folds, signal);
  const predictor = new FamilyPredictor(learner);
  const description =
    heldOut && evaluateOutOfFold(heldOut, dataset, division.folds, { calibrate, classFactors, predictor });
  const evaluated = evaluating ? description : undefined;
  const alone = division && evaluated ? evaluateAlone(dataset, division.folds) : [];
  const findings = { options, seed, evaluated, alone, division, classFactors, uncalibrated: description?.uncalibrated };
  const report = reportFor(dataset, learner, findings);
  return countingParts(report, predictor, options, description?.curve);
}

/** Learns one family from rows with and without labels. */
export function* fitPartlyLabelled(
  labelled: readonly DataRow[],
  unlabelled: readonly DataRow[],
  options: ClassifierOptions,
  model: FamilyName,
): Steps<ClassifierParts> {
  const { seed = 0, signal, calibrate, weight } = options;
  if (calibrate) {
    const advice = 'calibrate it afterwards by labelled rows that it has not learned';
    refuse('E_PARAM', `with unlabelled rows nothing is evaluated by folds: ${advice}`, { name: 'calibrate' });
  }
  const rows = flattenRows([...labelled, ...unlabelled]);
  const dataset = { ...gather(labelled, options, true), schema: schemaFor(new RecordTable(rows), options, true) };
  const { classes, codes } = dataset;
  requireClasses(classes);
  const recipe = namedRecipe(model, dataset, options);
  yield { share: 0, what: `counting, ${recipe.model}` };
  const learner = blankLearner(recipe, settle(recipe, dataset.table, codes, classes.length));
  const labels = [...Array.from(codes, (c) => classes[c]), ...unlabelled.map(() => null)];
  const table = new RecordTable(rows);
  learner.fitSemiSupervised({ table, labels, weights: weightsOf(table, weight), signal });
  const classFactors = classFactorsOf(dataset, options);
  const none = { evaluated: undefined, alone: [], division: undefined, classFactors };
  const report = reportFor(dataset, learner, { options, seed, ...none });
  return countingParts({ ...report, unlabelled: unlabelled.length }, new FamilyPredictor(learner), options);
}

/** A classifier of one family. */
export function countingParts(
  report: FitReport,
  predictor: FamilyPredictor,
  { reject = 0, weight }: ClassifierOptions,
  curve?: Curve,
): ClassifierParts {
  const pool = { weights: Float64Array.of(1), bias: new Float64Array(0) };
  return { classes: [], predictors: [predictor], pool, report, reject, weight, curve };
}

interface EvaluatedFit extends OutOfFold {
  readonly evaluation: Evaluation;
  readonly curve: Curve | undefined;
  /** Why there is no calibrator although one was wanted. */
  readonly uncalibrated: string | undefined;
}

interface Findings {
  readonly options: ClassifierOptions;
  readonly seed: number;
  readonly evaluated: EvaluatedFit | undefined;
  readonly alone: FitReport['columns'];
  readonly division: Division | undefined;
  readonly classFactors?: Float64Array | undefined;
  readonly uncalibrated?: string | undefined;
}

export function reportFor(dataset: Dataset, learner: RecordLearner, findings: Findings): FitReport {
  const { options, seed, evaluated, alone, division, classFactors, uncalibrated } = findings;
  const { classes, codes } = dataset;
  const schema = settledSchema(dataset.schema, learner.plan.columns);
  const { logProba: outOfFold, heldOut } = evaluated ?? {
    logProba: new Matrix(0, classes.length),
    heldOut: new Int32Array(0),
  };
  const groups = evaluated && division ? division.alike : codes.map((_, i) => i);
  const warnings = findWarnings({ schema, classes, codes, groups, alone, outOfFold, heldOut, classFactors });
  return {
    target: options.target,
    model: learner.plan.model,
    seed,
    schema,
    tried: [],
    columns: alone,
    evaluation: evaluated ? { ...evaluated.evaluation, on: byFolds(false) } : null,
    ...(evaluated && !hasTelling(learner) && { informative: levelsOf(dataset) }), // of these rows, as the evaluation is
    warnings: [
      ...warnings.filter(({ kind }) => !isOfCounts(kind)),
      ...(uncalibrated ? [{ kind: 'uncalibrated' as const, sentence: uncalibrated }] : []),
    ],
    ...classWeightOf(options),
  };
}

/** What the columns of rows say of the classes, for families that weigh their features together. */
function levelsOf({ table, schema, codes, classes }: Dataset) {
  const columns = featuresOf(schema, 'columns');
  return informativeLevels(readFrame(table, columns), columns.flatMap(columnFeatures), codes, classes);
}

interface EvaluateOptions {
  readonly calibrate: boolean | CurveMethod;
  readonly classFactors: Float64Array | undefined;
  readonly predictor: FamilyPredictor;
}

/**
 * Evaluates out-of-fold answers, and fits a calibrator to them if one is wanted and the rows suffice. The answers that are
 * evaluated come from calibrators that were fitted to the other folds.
 */
function evaluateOutOfFold(
  { logProba, heldOut }: OutOfFold,
  { table, classes, codes, weights }: Dataset,
  folds: Int32Array,
  { calibrate, classFactors, predictor }: EvaluateOptions,
): EvaluatedFit | undefined {
  if (heldOut.length === 0) return undefined;
  const truth = takeTruth({ codes, weights }, heldOut);
  // a curve fitted to rows without class weights would undo them
  const answers = { logProba: selectRows(logProba, heldOut), ...weighClasses(truth, classFactors) };
  const own = Int32Array.from(heldOut, (i) => folds[i]);
  const methods = calibrate ? methodsFor(truth, classes.length, calibrate) : [];
  const best = choosePosterior(methods, answers, own);
  const evaluated = best?.logProba() ?? answers.logProba;
  const curve: Curve | undefined = best && {
    calibration: fitPosterior(best.method, answers),
    classes,
    rows: heldOut.length,
    on: 'out-of-fold scores',
    learned: weights ? sum(weights) : codes.length,
    ordinary: ordinaryCount(predictor.presentIn(table.take(heldOut))),
  };
  const all = new Matrix(logProba.rows, logProba.cols, logProba.data.slice());
  heldOut.forEach((i, k) => {
    all.row(i).set(evaluated.row(k));
  });
  const uncalibrated = calibrate && !curve ? tooFewRows(calibrate, truth.codes, classes, MIN_ROWS).sentence : undefined;
  return { logProba: all, heldOut, curve, uncalibrated, evaluation: evaluate(evaluated, truth, '') };
}
