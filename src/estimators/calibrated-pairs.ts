import type { State, StateOptions } from '../core/artifact.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { Tensor } from '../data/safetensors.ts';
import type { Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import { applyCalibration, type Calibration, fitCalibration } from '../evaluate/calibrate.ts';
import { LeaveOneOut } from '../evaluate/folds.ts';
import type { CurveMethod } from '../evaluate/posterior-calibration.ts';
import { predictFolds } from './cross-val-predict.ts';
import {
  type AnyCandidate,
  type CrossValidator,
  type Lesson,
  learnFolds,
  learnOptions,
  partOf,
  readLesson,
} from './fold-learning.ts';
import type { LearnOptions } from './learning.ts';
import { damaged, type SavedArrays, tensor } from './persist.ts';
import { restore } from './restore.ts';
import { requireProbabilities } from './scoring.ts';

/** A classifier inside another one. */
export interface Inner extends AnyCandidate {
  clone(): Inner;
  toState(options?: StateOptions): State;
}

/** Classifiers, each with the curve of its scores. */
export interface CalibratedPairs {
  readonly classes: readonly Label[];
  readonly pairs: readonly { readonly estimator: Inner; readonly calibration: Calibration }[];
}

/** A classifier that knows the same and shares nothing. */
export function copyOf(inner: Inner): Inner {
  return restore(inner.clone(), inner.toState());
}

/** Scores with a column for each class: of the decision function where there is one, otherwise probabilities. */
function scoresOf(estimator: Inner, X: unknown): Matrix {
  const decision = estimator.decisionFunction?.(X);
  if (decision?.cols !== 1) return decision ?? requireProbabilities(estimator, X);
  const { rows, data } = decision;
  return new Matrix(
    rows,
    2,
    Float64Array.from({ length: 2 * rows }, (_, k) => (k % 2 ? 1 : -1) * data[k >> 1]),
  );
}

/** The curve of a classifier that has learned; the labels are those of rows it has not seen. */
function curveOf(
  scores: Matrix,
  y: ArrayLike<Label>,
  weights: Weights | undefined,
  classes: readonly Label[],
  method: CurveMethod,
) {
  return fitCalibration(scores, y, { method, labels: classes, sampleWeight: weights ?? null });
}

/** Calibrates a classifier that has learned before. */
export function calibrateFitted(
  inner: Inner,
  X: unknown,
  y: ArrayLike<Label>,
  { sampleWeight }: LearnOptions,
  method: CurveMethod,
): CalibratedPairs {
  const estimator = copyOf(inner);
  const classes = [...estimator.classes];
  return {
    classes,
    pairs: [{ estimator, calibration: curveOf(scoresOf(estimator, X), y, sampleWeight, classes, method) }],
  };
}

/** Learns and calibrates by folds: a pair for each, or one that has learned all rows, calibrated by the scores of all. */
export function calibrateByFolds(
  inner: Inner,
  X: unknown,
  y: ArrayLike<Label>,
  options: LearnOptions,
  { method, cv, ensemble }: { method: CurveMethod; cv: CrossValidator; ensemble: boolean },
): CalibratedPairs {
  const lesson = readLesson(X, y, { cv, sampleWeight: options.sampleWeight, signal: options.signal });
  requireRowsForFolds(lesson, cv);
  const { classes, weights } = lesson;
  const learners = learnFolds(inner, lesson);
  if (ensemble) {
    const pairs = Array.from(learners, (estimator, k) => {
      const part = partOf(lesson, lesson.splits[k][1]);
      const scores = scoresOf(knowing(estimator, classes), part.X);
      return { estimator, calibration: curveOf(scores, part.y, part.sampleWeight, classes, method) };
    });
    return { classes, pairs };
  }
  const rows = predictFolds(learners, lesson, (learner, part) => scoresOf(knowing(learner, classes), part).toArray());
  const estimator = inner.clone();
  estimator.fit(X, y, learnOptions(weights, lesson.signal));
  return { classes, pairs: [{ estimator, calibration: curveOf(Matrix.from(rows), y, weights, classes, method) }] };
}

/** Refuses a class with fewer rows than folds: some fold would calibrate it by nothing. */
function requireRowsForFolds({ y, classes }: Lesson, cv: CrossValidator): void {
  if (cv instanceof LeaveOneOut) refuse('E_PARAM', 'single rows do not calibrate every class', { name: 'cv' });
  const folds = typeof cv === 'number' ? cv : (cv as { nSplits?: unknown }).nSplits;
  if (typeof folds !== 'number') return;
  const counts = new Map<Label, number>(classes.map((label) => [label, 0]));
  for (let i = 0; i < y.length; i++) counts.set(y[i], (counts.get(y[i]) ?? 0) + 1);
  for (const [label, count] of counts) {
    if (count >= folds) continue;
    refuse('E_CLASS_TOO_SMALL', `class ${show(label)} has ${count} rows, which do not go into ${folds} folds`, {
      class: label,
      actual: count,
      limit: folds,
    });
  }
}

/** Refuses a classifier that has met fewer classes than there are. */
function knowing(estimator: Inner, classes: readonly Label[]): Inner {
  const missing = classes.find((label) => !estimator.classes.includes(label));
  if (missing === undefined) return estimator;
  return refuse('E_CLASS_TOO_SMALL', `a fold learns no row of class ${show(missing)}`, { class: missing, actual: 0 });
}

/** The mean of the calibrated probabilities of all pairs. */
export function meanProbabilities({ pairs }: CalibratedPairs, X: unknown): Matrix {
  const answers = pairs.map(({ estimator, calibration }) => applyCalibration(calibration, scoresOf(estimator, X)));
  const { rows, cols, data } = answers[0];
  const mean = data.map((_, k) => Math.min(1, answers.reduce((sum, answer) => sum + answer.data[k], 0) / pairs.length));
  return new Matrix(rows, cols, mean);
}

/** A curve as arrays of a model file. */
export function saveCalibration(calibration: Calibration, prefix: string): Record<string, Tensor> {
  if (calibration.method === 'temperature') return { [`${prefix}beta`]: tensor([calibration.beta]) };
  const arrays = calibration.parts.map((part, c) =>
    'a' in part
      ? { [`${prefix}${c}.sigmoid`]: tensor([part.a, part.b]) }
      : {
          [`${prefix}${c}.x`]: tensor((part as { x: Float64Array }).x),
          [`${prefix}${c}.y`]: tensor((part as { y: Float64Array }).y),
        },
  );
  return Object.assign({}, ...arrays);
}

/** The inverse of `saveCalibration`; believes nothing. */
export function readCalibration(
  method: CurveMethod,
  classes: number,
  arrays: SavedArrays,
  prefix: string,
): Calibration {
  const take = (name: string, length?: number) => {
    const values = arrays.take(prefix + name, length);
    return values.length > 0 && values.every(Number.isFinite) ? values : damaged('its calibration is no curve');
  };
  if (method === 'temperature') {
    const [beta] = take('beta', 1);
    return beta > 0 ? { method, classes, beta } : damaged('its temperature is none');
  }
  const columns = Array.from({ length: classes === 2 ? 1 : classes }, (_, c) => c);
  if (method === 'sigmoid') {
    const parts = columns.map((c) => take(`${c}.sigmoid`, 2)).map(([a, b]) => ({ a, b }));
    return { method, classes, parts };
  }
  const parts = columns.map((c) => {
    const x = take(`${c}.x`);
    const y = take(`${c}.y`, x.length);
    const rises = y.every(
      (height, k) => height >= 0 && height <= 1 && (k === 0 || (x[k] > x[k - 1] && height >= y[k - 1])),
    );
    return rises ? { x, y } : damaged('its calibration does not rise');
  });
  return { method, classes, parts };
}
