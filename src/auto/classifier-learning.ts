import { type Label, moves } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import type { DataRow } from './cells.ts';
import { applyCurve, type Curve, type CurveMethod, chooseCurve, fitCurve } from './classifier-curves.ts';
import { weighClasses } from './classifier-evaluation.ts';
import type { ClassifierParts } from './classifier-fit.ts';
import { classFactorsOf } from './classifier-material.ts';
import { CountingOpinion, type Judgement } from './classifier-opinions.ts';
import { classesOf, countingOf, learnedWeight } from './classifier-report.ts';
import type { RecordLearner } from './learner.ts';
import type { LabelledRows } from './learner-plan.ts';
import { weightsOf } from './learner-schema.ts';
import { applyPool } from './pool.ts';
import { dealFolds, readTarget } from './records.ts';

/** How rows are learned or unlearned. */
export interface RowOptions {
  /** What rows weigh, in the place of the column of weights. */
  readonly sampleWeight?: Weights | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How a classifier is calibrated by rows that it has not learned; without a method, by the best. */
export interface CalibrateOptions extends RowOptions {
  readonly method?: CurveMethod | undefined;
}

/** Refuses rows that have no names. */
export function requireRecords(rows: readonly DataRow[]): void {
  rows.forEach((row, i) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) {
      refuse('E_TYPE', `row ${i} is not a record with named cells`, { row: i });
    }
  });
}

/** What all opinions together say of rows, on the curve; `evidence` asks for ln p(x) as well. */
export function judge(parts: ClassifierParts, rows: readonly DataRow[], evidence = false): Judgement {
  requireRecords(rows);
  const { opinions, pool, curve, report } = parts;
  const classes = classesOf(parts);
  if (rows.length === 0) return { logProba: new Matrix(0, classes.length), logEvidence: undefined };
  const judgements = opinions.map((opinion) => opinion.judge(rows, evidence));
  const scores = judgements.map(({ logProba }) => logProba);
  // one opinion stands for itself; class weights are in the bias of its pool
  const alone = opinions.length === 1 && !report.classWeight;
  const plain = alone || countingOf(parts) ? scores[0] : applyPool(pool, scores);
  const logEvidence = judgements.find((own) => own.logEvidence)?.logEvidence;
  return { logProba: curve ? applyCurve(curve, plain, classes) : plain, logEvidence };
}

/** What counts behind a classifier; refuses one that keeps no counts. */
export function learnerOf(parts: ClassifierParts, method: string): RecordLearner {
  const counting = countingOf(parts);
  if (counting && !counting.slim) return counting.learner;
  const why = counting
    ? 'it was saved slim, without counts; load the full file instead'
    : 'it is a pool, which keeps no counts; fit with online: true or a named model';
  return refuse('E_CONFLICT', `this classifier has no ${method}: ${why}`, { method });
}

/** Labelled rows as the classifier reads them. */
export function readRows(
  { report, weight }: ClassifierParts,
  rows: readonly DataRow[],
  { sampleWeight, signal }: RowOptions,
): LabelledRows {
  requireRecords(rows);
  if (rows.length === 0) refuse('E_EMPTY_INPUT', 'there are no rows to learn from', { rows: 0 });
  const { classes, codes } = readTarget(rows, report.target);
  const weights = weightsOf(rows, weight, sampleWeight);
  return { rows, labels: Array.from(codes, (c) => classes[c]), weights, signal };
}

/** Refuses to merge classifiers of different labels. */
export function requireSameTarget(mine: string, theirs: string): void {
  if (mine === theirs) return;
  refuse('E_MERGE_MISMATCH', `one classifier tells ${show(mine)}, the other ${show(theirs)}`, {
    expected: mine,
    actual: theirs,
  });
}

/** The parts with counts of their own. */
export function copyParts(parts: ClassifierParts): ClassifierParts {
  const counting = countingOf(parts);
  if (!counting || counting.slim) return parts;
  const learner = counting.learner.blank();
  learner.merge(counting.learner);
  return { ...parts, opinions: [new CountingOpinion(learner)] };
}

/** A curve for the classifier as it is now, fitted to rows that it has not learned. */
export function curveFor(parts: ClassifierParts, rows: readonly DataRow[], options: CalibrateOptions): Curve {
  const { method } = options;
  if (method !== undefined && !['sigmoid', 'isotonic', 'temperature'].includes(method)) {
    refuse('E_PARAM', `method is 'sigmoid', 'isotonic' or 'temperature', got ${show(method)}`, { name: 'method' });
  }
  const lesson = readRows(parts, rows, options);
  const classes = classesOf(parts);
  const codes = codesIn(classes, lesson.labels);
  const { logProba } = judge({ ...parts, curve: undefined }, rows);
  const { weights } = lesson;
  const factors = classFactorsOf({ classes, codes, weights }, parts.report);
  const answers = { logProba, ...weighClasses({ codes, weights }, factors) };
  const folds = dealFolds(codes, Int32Array.from(codes.keys()), 0).map((fold) => Math.max(0, fold));
  const best = chooseCurve(method ?? true, answers, folds);
  return {
    calibration: fitCurve(best.method, answers, classes.length),
    classes,
    rows: rows.length,
    on: 'held-out rows',
    learned: learnedWeight(parts),
  };
}

function codesIn(classes: readonly Label[], labels: readonly Label[]): Int32Array {
  const codes = moves(labels, classes);
  const stranger = codes.indexOf(-1);
  if (stranger >= 0) {
    const label = labels[stranger];
    refuse('E_CLASS_UNKNOWN', `row ${stranger}: the class ${show(label)} was never learned`, {
      row: stranger,
      class: label,
    });
  }
  return codes;
}
