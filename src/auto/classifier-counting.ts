import type { DataRow } from '../data/cells.ts';
import { RecordTable } from '../data/column-table.ts';
import { flattenRows } from '../data/flatten.ts';
import { Matrix } from '../data/matrix.ts';
import { requireGoing } from '../engines/memory.ts';
import { refuse } from '../errors.ts';
import { takeTruth, weighClasses } from '../evaluate/log-proba.ts';
import {
  type CurveMethod,
  choosePosterior,
  fitPosterior,
  MIN_ROWS,
  methodsFor,
} from '../evaluate/posterior-calibration.ts';
import { selectRows } from '../evaluate/rows.ts';
import { sum } from '../math/arrays.ts';
import type { ClassifierParts, FitReport } from './classifier-fit.ts';
import { type Curve, tooFewRows } from './classifier-learning.ts';
import { classFactorsOf, type Division, divide, gather, type Material, requireClasses } from './classifier-material.ts';
import { CountingOpinion } from './classifier-opinions.ts';
import { type ClassifierOptions, classWeightOf, namedRecipe } from './classifier-options.ts';
import { byFolds, type Evaluation, evaluate } from './classifier-split.ts';
import { hasTelling, informativeLevels } from './informative.ts';
import type { RecordLearner } from './learner.ts';
import { judgeAlone } from './learner-alone.ts';
import { settledSchema } from './learner-columns.ts';
import type { FamilyName } from './learner-families.ts';
import { type OutOfFold, predictFolds } from './learner-folds.ts';
import { blankLearner, settle } from './learner-recipe.ts';
import { schemaFor, weightsOf } from './learner-schema.ts';
import { ordinaryCount } from './pool.ts';
import { readFrame } from './records.ts';
import { columnFeatures, featuresOf } from './schema.ts';
import { findWarnings, isOfCounts } from './warnings.ts';

/** Learns one family. */
export function fitCounting(given: readonly DataRow[], options: ClassifierOptions, model: FamilyName): ClassifierParts {
  const { seed = 0, signal, onProgress, evaluate: judging = true, calibrate = false } = options;
  requireGoing(signal);
  const material = gather(given, options, true);
  const { table, classes, codes, weights } = material;
  const classFactors = classFactorsOf(material, options);
  const division = classes.length > 1 && (judging || calibrate) ? divide(material, seed) : undefined;
  const recipe = namedRecipe(model, material, options);
  onProgress?.(0, `counting, ${recipe.model}`);
  const learner = blankLearner(recipe, settle(recipe, table, codes, classes.length));
  const labels = Array.from(codes, (c) => classes[c]);
  learner.fit({ table, labels, weights, signal });
  onProgress?.(division ? 0.9 : 1, division ? 'evaluating' : 'done');
  const judged = division && predictFolds(recipe, learner, material, division.folds, signal);
  const opinion = new CountingOpinion(learner);
  const verdict = judged && evaluateOutOfFold(judged, material, division.folds, { calibrate, classFactors, opinion });
  const told = judging ? verdict : undefined;
  const alone = division && told ? judgeAlone(material, division.folds, signal) : [];
  const findings = { options, seed, told, alone, division, classFactors, uncalibrated: verdict?.uncalibrated };
  const report = reportFor(material, learner, findings);
  onProgress?.(1, 'done');
  return countingParts(report, opinion, options, verdict?.curve);
}

/** Learns one family from rows with and without labels. */
export function fitPartlyLabelled(
  labelled: readonly DataRow[],
  unlabelled: readonly DataRow[],
  options: ClassifierOptions,
  model: FamilyName,
): ClassifierParts {
  const { seed = 0, signal, onProgress, calibrate, weight } = options;
  if (calibrate) {
    const advice = 'calibrate it afterwards by labelled rows that it has not learned';
    refuse('E_PARAM', `with unlabelled rows nothing is evaluated by folds: ${advice}`, { name: 'calibrate' });
  }
  const rows = flattenRows([...labelled, ...unlabelled]);
  const material = { ...gather(labelled, options, true), schema: schemaFor(new RecordTable(rows), options, true) };
  const { classes, codes } = material;
  requireClasses(classes);
  const recipe = namedRecipe(model, material, options);
  onProgress?.(0, `counting, ${recipe.model}`);
  const learner = blankLearner(recipe, settle(recipe, material.table, codes, classes.length));
  const labels = [...Array.from(codes, (c) => classes[c]), ...unlabelled.map(() => null)];
  const table = new RecordTable(rows);
  learner.fitSemiSupervised({ table, labels, weights: weightsOf(table, weight), signal });
  const classFactors = classFactorsOf(material, options);
  const none = { told: undefined, alone: [], division: undefined, classFactors };
  const report = reportFor(material, learner, { options, seed, ...none });
  onProgress?.(1, 'done');
  return countingParts({ ...report, unlabelled: unlabelled.length }, new CountingOpinion(learner), options);
}

/** A classifier of one family. */
export function countingParts(
  report: FitReport,
  opinion: CountingOpinion,
  { reject = 0, weight }: ClassifierOptions,
  curve?: Curve,
): ClassifierParts {
  const pool = { weights: Float64Array.of(1), bias: new Float64Array(0) };
  return { classes: [], opinions: [opinion], pool, report, reject, weight, curve };
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
  readonly told: EvaluatedFit | undefined;
  readonly alone: FitReport['columns'];
  readonly division: Division | undefined;
  readonly classFactors?: Float64Array | undefined;
  readonly uncalibrated?: string | undefined;
}

export function reportFor(material: Material, learner: RecordLearner, findings: Findings): FitReport {
  const { options, seed, told, alone, division, classFactors, uncalibrated } = findings;
  const { classes, codes } = material;
  const schema = settledSchema(material.schema, learner.plan.columns);
  const { logProba: outOfFold, judged } = told ?? {
    logProba: new Matrix(0, classes.length),
    judged: new Int32Array(0),
  };
  const groups = told && division ? division.alike : codes.map((_, i) => i);
  const warnings = findWarnings({ schema, classes, codes, groups, alone, outOfFold, judged, classFactors });
  return {
    target: options.target,
    model: learner.plan.model,
    seed,
    schema,
    tried: [],
    columns: alone,
    evaluation: told ? { ...told.evaluation, on: byFolds(false) } : null,
    ...(told && !hasTelling(learner) && { informative: levelsOf(material).found }), // of these rows, as the evaluation is
    warnings: [
      ...warnings.filter(({ kind }) => !isOfCounts(kind)),
      ...(uncalibrated ? [{ kind: 'uncalibrated' as const, sentence: uncalibrated }] : []),
    ],
    ...classWeightOf(options),
  };
}

/** What the columns of rows say of the classes, for families that weigh their features together. */
function levelsOf({ table, schema, codes, classes }: Material) {
  const columns = featuresOf(schema, 'columns');
  return informativeLevels(readFrame(table, columns), columns.flatMap(columnFeatures), codes, classes);
}

interface EvaluateOptions {
  readonly calibrate: boolean | CurveMethod;
  readonly classFactors: Float64Array | undefined;
  readonly opinion: CountingOpinion;
}

/**
 * Evaluates out-of-fold answers, and fits a calibrator to them if one is wanted and the rows suffice. The answers that are
 * evaluated come from calibrators that were fitted to the other folds.
 */
function evaluateOutOfFold(
  { logProba, judged }: OutOfFold,
  { table, classes, codes, weights }: Material,
  folds: Int32Array,
  { calibrate, classFactors, opinion }: EvaluateOptions,
): EvaluatedFit | undefined {
  if (judged.length === 0) return undefined;
  const truth = takeTruth({ codes, weights }, judged);
  // a curve fitted to rows without class weights would undo them
  const answers = { logProba: selectRows(logProba, judged), ...weighClasses(truth, classFactors) };
  const own = Int32Array.from(judged, (i) => folds[i]);
  const methods = calibrate ? methodsFor(truth, classes.length, calibrate) : [];
  const best = choosePosterior(methods, answers, own);
  const told = best?.logProba ?? answers.logProba;
  const curve: Curve | undefined = best && {
    calibration: fitPosterior(best.method, answers),
    classes,
    rows: judged.length,
    on: 'out-of-fold scores',
    learned: weights ? sum(weights) : codes.length,
    ordinary: ordinaryCount(opinion.presentIn(table.take(judged))),
  };
  const all = new Matrix(logProba.rows, logProba.cols, logProba.data.slice());
  judged.forEach((i, k) => {
    all.row(i).set(told.row(k));
  });
  const uncalibrated = calibrate && !curve ? tooFewRows(calibrate, truth.codes, classes, MIN_ROWS).sentence : undefined;
  return { logProba: all, judged, curve, uncalibrated, evaluation: evaluate(told, truth, '') };
}
