import type { State } from '../core/artifact.ts';
import { choice, type Option, type OptionSpec, type OptionValues } from '../core/options.ts';
import { decide } from '../core/posterior.ts';
import { requireLearning, requireOptions } from '../data/arguments.ts';
import { type Label, sortClasses } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import { applyCalibration, type Calibration, fitCalibration } from '../evaluate/calibrate.ts';
import { LeaveOneOut } from '../evaluate/folds.ts';
import { accuracyScore } from '../evaluate/metrics.ts';
import type { CurveMethod } from '../evaluate/posterior-calibration.ts';
import { copyOf } from './copy.ts';
import { predictFolds } from './cross-validation.ts';
import { type CrossValidator, type FoldedRows, learnFolds, learnOptions, partOf, readFolds } from './fold-learning.ts';
import { GaussianNB } from './gaussian-nb.ts';
import { damaged, type SavedArrays } from './learned.ts';
import type { LearnOptions } from './learning.ts';
import type { InputOf } from './pipeline-step.ts';
import { readCalibration, saveCalibration } from './saved-calibration.ts';
import { decides, requireProbabilities } from './scoring.ts';
import { type Inner, type Wrapped, Wrapper } from './wrapper.ts';

/** The folds, or 'prefit' for a classifier that has learned other rows and is calibrated by these. */
const cv: Option<CrossValidator | 'prefit'> = {
  kind: 'custom',
  default: 5,
  expects: "a number of folds ≥ 2, a splitter, pairs of row numbers, or 'prefit'",
  accept: (value) => {
    if (value === null) return 5; // as in scikit-learn, and in model files whose folds were given as rows
    const folds = Number.isSafeInteger(value) && (value as number) >= 2;
    return folds || value === 'prefit' || typeof value === 'object' ? (value as CrossValidator) : undefined;
  },
};
/** Whether the classifiers of all folds answer together ('auto': yes), or one that has learned all rows. */
const ensemble: Option<boolean | 'auto'> = {
  kind: 'custom',
  default: 'auto',
  expects: "true, false or 'auto'",
  accept: (value) => (typeof value === 'boolean' || value === 'auto' ? value : undefined),
};
const spec = {
  /** How scores become probabilities. Default: 'sigmoid'. */
  method: choice(['sigmoid', 'isotonic', 'temperature'], { default: 'sigmoid' }),
  /**
   * The folds: a number of stratified folds, a splitter, lists of row indices, or 'prefit' for a classifier that has learned other rows.
   * Default: 5.
   */
  cv,
  /** Average calibrated classifiers of all folds ('auto': yes), or calibrate one classifier that has learned all rows. Default: 'auto'. */
  ensemble,
} satisfies OptionSpec;

/** Parameters of `CalibratedClassifierCV` beside the classifier. */
export type CalibratedClassifierCVOptions = Partial<OptionValues<typeof spec>>;

/**
 * A classifier with calibrated probabilities: calibrators are fitted to its scores of held-out rows. With `ensemble` there is a classifier
 * and a calibrator for every fold, and probabilities are averaged; without it the scores of all folds calibrate one classifier that has
 * learned all rows. `cv: 'prefit'` calibrates one that has learned other rows before. Scores are the decision function if there is one, and
 * probabilities otherwise. Agrees with scikit-learn's class of this name: a sigmoid of scores that rank rows in reverse, as with very few
 * rows, inverts them.
 */
export class CalibratedClassifierCV<E extends Wrapped = GaussianNB> extends Wrapper<E, typeof spec, Learned> {
  /** The classifier and options; or one object with `estimator` among the options, as `getParams` gives it. */
  constructor(
    estimator: E | ({ estimator: E } & CalibratedClassifierCVOptions) = new GaussianNB() as Wrapped as E,
    options: CalibratedClassifierCVOptions = {},
  ) {
    super('CalibratedClassifierCV', spec, estimator, options, ['clone']);
  }

  /** Fits to these rows; with 'prefit' they only calibrate, and the classifier stays as it is. */
  fit(X: InputOf<E>, y: ArrayLike<Label>, options: LearnOptions = {}): this {
    requireLearning(this.kind, options);
    const { method, cv: folds, ensemble: together } = this.params;
    this.learned =
      folds === 'prefit'
        ? calibrateFitted(this.inner, X, y, options, method)
        : calibrateByFolds(this.inner, X, y, options, { method, cv: folds, ensemble: together !== false });
    return this;
  }

  /** p(c | x) for every row and class. */
  predictProba(X: InputOf<E>): Matrix {
    return meanProbabilities(this.fitted(), X);
  }

  /** ln p(c | x) for every row and class. */
  predictLogProba(X: InputOf<E>): Matrix {
    const { rows, cols, data } = this.predictProba(X);
    return new Matrix(rows, cols, data.map(Math.log));
  }

  /** The most probable class of every row; the first of equals. */
  predict(X: InputOf<E>): Label[] {
    const { cols, data } = this.predictProba(X);
    const { classes } = this.fitted();
    return Array.from(decide(data, cols), (c) => classes[c]);
  }

  /** The weighted share of rows whose class is predicted. */
  score(X: InputOf<E>, y: ArrayLike<Label>, options: { readonly sampleWeight?: Weights | undefined } = {}): number {
    return accuracyScore(y, this.predict(X), requireOptions('score', ['sampleWeight'], options));
  }

  /** The sorted class labels. */
  get classes(): Label[] {
    return [...this.fitted().classes];
  }

  /** The fitted classifiers with their calibrators. */
  get calibratedClassifiers(): { estimator: E; calibration: Calibration }[] {
    const { models, calibrations } = this.fitted();
    return models.map((model, k) => ({
      estimator: model as object as E,
      calibration: structuredClone(calibrations[k]),
    }));
  }

  protected save({ classes, calibrations }: Learned): Pick<State, 'learned' | 'arrays'> {
    const arrays = calibrations.map((calibration, k) => saveCalibration(calibration, `${k}.`));
    return { learned: { classes: [...classes] }, arrays: Object.assign({}, ...arrays) };
  }

  protected revive(
    { classes: given, ...unknown }: State['learned'],
    models: readonly Inner[],
    arrays: SavedArrays,
  ): Learned {
    if (Object.keys(unknown).length > 0) damaged('it has an unused entry');
    if (!Array.isArray(given) || models.length === 0) return damaged('its classes do not fit its classifiers');
    const classes = sortClasses(given);
    if (models.some((model) => model.classes.join() !== classes.join())) damaged('its parts differ in classes');
    const curve = (k: number) => readCalibration(this.params.method, classes.length, arrays, `${k}.`);
    return { classes, models, calibrations: models.map((_, k) => curve(k)) };
  }

  /** A prefitted classifier stays fitted. */
  protected override unfitted(): Inner {
    return this.params.cv === 'prefit' ? copyOf(this.inner) : super.unfitted();
  }

  /** A prefitted classifier is the one that was calibrated. */
  protected override savesInner(fitted: boolean): boolean {
    return !(fitted && this.params.cv === 'prefit');
  }
}

/** Classifiers and the calibrator of each. */
interface Learned {
  readonly classes: readonly Label[];
  readonly models: readonly Inner[];
  readonly calibrations: readonly Calibration[];
}

/** Scores with a column for each class: the decision function if there is one, else probabilities. */
function scoresOf(estimator: Inner, X: unknown): Matrix {
  const decision = decides(estimator) ? estimator.decisionFunction(X) : undefined;
  if (decision?.cols !== 1) return decision ?? requireProbabilities(estimator, X);
  const { rows, data } = decision;
  return new Matrix(
    rows,
    2,
    Float64Array.from({ length: 2 * rows }, (_, k) => (k % 2 ? 1 : -1) * data[k >> 1]),
  );
}

/** Fits the calibrator of a fitted classifier to labelled rows that it has not learned. */
function curveOf(
  scores: Matrix,
  y: ArrayLike<Label>,
  weights: Weights | undefined,
  classes: readonly Label[],
  method: CurveMethod,
) {
  return fitCalibration(scores, y, { method, labels: classes, sampleWeight: weights ?? null });
}

/** Calibrates a prefitted classifier. */
function calibrateFitted(
  inner: Inner,
  X: unknown,
  y: ArrayLike<Label>,
  { sampleWeight }: LearnOptions,
  method: CurveMethod,
): Learned {
  const estimator = copyOf(inner);
  const classes = [...estimator.classes];
  const calibration = curveOf(scoresOf(estimator, X), y, sampleWeight, classes, method);
  return { classes, models: [estimator], calibrations: [calibration] };
}

/** Fits and calibrates by folds: a pair for each fold, or one classifier of all rows, calibrated by the scores of all folds. */
function calibrateByFolds(
  inner: Inner,
  X: unknown,
  y: ArrayLike<Label>,
  options: LearnOptions,
  { method, cv, ensemble }: { method: CurveMethod; cv: CrossValidator; ensemble: boolean },
): Learned {
  const folded = readFolds(X, y, { cv, sampleWeight: options.sampleWeight, signal: options.signal });
  requireRowsForFolds(folded, cv);
  const { classes, weights } = folded;
  const learners = learnFolds(inner, folded);
  if (ensemble) {
    const models = [...learners];
    const calibrations = models.map((estimator, k) => {
      const part = partOf(folded, folded.splits[k][1]);
      const scores = scoresOf(knowing(estimator, classes), part.X);
      return curveOf(scores, part.y, part.sampleWeight, classes, method);
    });
    return { classes, models, calibrations };
  }
  const rows = predictFolds(learners, folded, (learner, part) => scoresOf(knowing(learner, classes), part).toArray());
  const estimator = inner.clone();
  estimator.fit(X, y, learnOptions(weights, folded.signal));
  const calibration = curveOf(Matrix.from(rows), y, weights, classes, method);
  return { classes, models: [estimator], calibrations: [calibration] };
}

/** Throws if a class has fewer rows than folds, since some fold would have no row to calibrate it. */
function requireRowsForFolds({ y, classes }: FoldedRows, cv: CrossValidator): void {
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

/** Throws if a classifier has learned fewer classes than there are. */
function knowing(estimator: Inner, classes: readonly Label[]): Inner {
  const missing = classes.find((label) => !estimator.classes.includes(label));
  if (missing === undefined) return estimator;
  return refuse('E_CLASS_TOO_SMALL', `a fold learns no row of class ${show(missing)}`, { class: missing, actual: 0 });
}

/** The mean of the calibrated probabilities of all classifiers. */
function meanProbabilities({ models, calibrations }: Learned, X: unknown): Matrix {
  const answers = models.map((model, k) => applyCalibration(calibrations[k], scoresOf(model, X)));
  const { rows, cols, data } = answers[0];
  const mean = data.map((_, k) =>
    Math.min(1, answers.reduce((sum, answer) => sum + answer.data[k], 0) / models.length),
  );
  return new Matrix(rows, cols, mean);
}
