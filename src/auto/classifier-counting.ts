import { Matrix } from '../data/matrix.ts';
import { requireGoing } from '../engines/memory.ts';
import { sum } from '../math/arrays.ts';
import type { CountedWords } from '../text/word-counts.ts';
import type { DataRow } from './cells.ts';
import { type Curve, type CurveMethod, chooseCurve, fitCurve } from './classifier-curves.ts';
import { byFolds, type Evaluation, evaluate, takeTruth } from './classifier-evaluation.ts';
import type { ClassifierParts, FitReport } from './classifier-fit.ts';
import { type Division, divide, gather, type Material, requireClasses } from './classifier-material.ts';
import { CountingOpinion } from './classifier-opinions.ts';
import { type ClassifierOptions, namedRecipe } from './classifier-options.ts';
import { hasTelling, informativeLevels } from './informative.ts';
import type { RecordLearner } from './learner.ts';
import { judgeAlone } from './learner-alone.ts';
import { type ChosenFamily, chooseFamily } from './learner-choose.ts';
import { settledSchema } from './learner-columns.ts';
import { type FamilyName, familyNamed } from './learner-families.ts';
import { judgeFolds, type OutOfFold } from './learner-folds.ts';
import { blankLearner, settle } from './learner-recipe.ts';
import { takeRowsOf } from './pool-choose.ts';
import { readFrame } from './records.ts';
import { featuresOf } from './schema.ts';
import { findWarnings } from './warnings.ts';

/** Learns one family, which keeps its counts: the named one, or the best of all that count. */
export function fitCounting(
  rows: readonly DataRow[],
  options: ClassifierOptions,
  model: FamilyName | undefined,
): ClassifierParts {
  const { seed = 0, signal, onProgress, evaluate: judging = true, calibrate = model === undefined } = options;
  requireGoing(signal);
  const material = gather(rows, options, true);
  const { classes, codes, weights } = material;
  if (!model) requireClasses(classes);
  const divided = classes.length > 1 && (judging || calibrate || !model);
  const division = divided ? divide(material, seed) : undefined;
  const chosen = division && !model ? chooseFamily(material, division, options) : undefined;
  const recipe = chosen?.recipe ?? namedRecipe(model as FamilyName, material, options);
  onProgress?.(chosen ? 0.8 : 0, `counting, ${recipe.model}`);
  const learner = blankLearner(recipe, settle(recipe, rows, codes, classes.length));
  const labels = Array.from(codes, (c) => classes[c]);
  const counted = learner.fit({ rows, labels, weights, signal });
  const used = judging || calibrate ? division : undefined;
  onProgress?.(used ? 0.9 : 1, used ? 'judging' : 'done');
  const judged = used && judgeFolds(recipe, learner, counted, material, used.folds, signal);
  const verdict = used && judged && pronounce(judged, material, used.folds, calibrate);
  const told = judging ? verdict : undefined;
  const alone = used && told ? judgeAlone(material, used.folds, signal) : [];
  const report = reportFor(material, learner, { options, seed, chosen, told, alone, division: used });
  onProgress?.(1, 'done');
  return countingParts(report, new CountingOpinion(learner), options, verdict?.curve);
}

/**
 * Learns a named family from the words of one text that were counted elsewhere. Of the rows, cells other than the text are read,
 * and of the texts no more than what kind of column they are.
 */
export async function fitCounted(
  rows: readonly DataRow[],
  options: ClassifierOptions,
  words: CountedWords | Promise<CountedWords>,
): Promise<ClassifierParts> {
  const material = gather(rows, options, true);
  const { classes, codes } = material;
  const recipe = namedRecipe(familyNamed(String(options.model)), material, options);
  const learner = blankLearner(recipe, settle(recipe, rows, codes, classes.length));
  learner.take(await words);
  const none = { chosen: undefined, told: undefined, alone: [], division: undefined };
  const report = reportFor(material, learner, { options, seed: options.seed ?? 0, ...none });
  return countingParts(report, new CountingOpinion(learner), options);
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

interface Verdict extends OutOfFold {
  readonly evaluation: Evaluation;
  readonly curve: Curve | undefined;
}

interface Findings {
  readonly options: ClassifierOptions;
  readonly seed: number;
  readonly chosen: ChosenFamily | undefined;
  readonly told: Verdict | undefined;
  readonly alone: FitReport['columns'];
  readonly division: Division | undefined;
}

function reportFor(material: Material, learner: RecordLearner, findings: Findings): FitReport {
  const { options, seed, chosen, told, alone, division } = findings;
  const { classes, codes } = material;
  const schema = settledSchema(material.schema, learner.plan.columns);
  const { logProba: outOfFold, judged } = told ?? {
    logProba: new Matrix(0, classes.length),
    judged: new Int32Array(0),
  };
  const groups = told && division ? division.alike : codes.map((_, i) => i);
  const warnings = findWarnings({ schema, classes, codes, groups, alone, outOfFold, judged });
  return {
    target: options.target,
    model: learner.plan.model,
    seed,
    schema,
    tried: chosen?.tried ?? [],
    columns: alone,
    evaluation: told ? { ...told.evaluation, on: byFolds(chosen !== undefined) } : null,
    ...(!hasTelling(learner) && { informative: levelsOf(material).found }),
    warnings: warnings.filter(({ kind }) => kind !== 'small-class'), // the counts tell, and they change
  };
}

/** What the columns of rows say of the classes, for families that weigh their features together. */
function levelsOf({ rows, schema, codes, classes }: Material) {
  const columns = featuresOf(schema, 'columns');
  return informativeLevels(readFrame(rows, columns), columns, codes, classes);
}

/** What the folds say: the answers, on a curve if there is to be one. */
function pronounce(
  { logProba, judged }: OutOfFold,
  { classes, codes, weights }: Material,
  folds: Int32Array,
  calibrate: boolean | CurveMethod,
): Verdict | undefined {
  if (judged.length === 0) return undefined;
  const truth = takeTruth({ codes, weights }, judged);
  const answers = { logProba: takeRowsOf(logProba, judged), ...truth };
  const own = Int32Array.from(judged, (i) => folds[i]);
  const best = calibrate ? chooseCurve(calibrate, answers, own) : undefined;
  const told = best?.logProba ?? answers.logProba;
  const curve: Curve | undefined = best && {
    calibration: fitCurve(best.method, answers, classes.length),
    classes,
    rows: judged.length,
    on: 'out-of-fold scores',
    learned: weights ? sum(weights) : codes.length,
  };
  const all = new Matrix(logProba.rows, logProba.cols, logProba.data.slice());
  judged.forEach((i, k) => {
    all.row(i).set(told.row(k));
  });
  return { logProba: all, judged, curve, evaluation: evaluate(told, truth, '') };
}
