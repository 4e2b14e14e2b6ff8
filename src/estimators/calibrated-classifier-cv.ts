import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { choice, type Option, type OptionSpec, type OptionValues, readOptions } from '../core/options.ts';
import { decide } from '../core/posterior.ts';
import { inspect, printModel, refuseJson } from '../core/printed.ts';
import { requireLearning, requireOptions } from '../data/arguments.ts';
import { type Label, sortClasses } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import { applyCalibration, type Calibration, fitCalibration } from '../evaluate/calibrate.ts';
import { LeaveOneOut } from '../evaluate/folds.ts';
import { accuracyScore } from '../evaluate/metrics.ts';
import type { CurveMethod } from '../evaluate/posterior-calibration.ts';
import { predictFolds } from './cross-validation.ts';
import {
  type Candidate,
  type CrossValidator,
  type FoldedRows,
  learnFolds,
  learnOptions,
  partOf,
  readFolds,
} from './fold-learning.ts';
import { GaussianNB } from './gaussian-nb.ts';
import { damaged, SavedArrays } from './learned.ts';
import type { LearnOptions } from './learning.ts';
import { copyOf, type Inner, requireInner } from './multi-target.ts';
import type { InputOf, Step } from './pipeline-step.ts';
import { restore } from './restore.ts';
import { readCalibration, saveCalibration } from './saved-calibration.ts';
import { decides, requireProbabilities } from './scoring.ts';
import { type Params, setParamsOf, wholeOf } from './with-params.ts';

/** A classifier that can be calibrated and saved. */
export type Calibratable = Candidate & Step;

/** The folds, or 'prefit' for a classifier that has learned other rows and is calibrated by these. */
const cv: Option<CrossValidator | 'prefit'> = {
  kind: 'custom',
  default: 5,
  expects: "a number of folds ≥ 2, a splitter, pairs of row numbers, or 'prefit'",
  accept: (value) => {
    const folds = Number.isSafeInteger(value) && (value as number) >= 2;
    return folds || value === 'prefit' || (typeof value === 'object' && value !== null)
      ? (value as CrossValidator)
      : undefined;
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
export class CalibratedClassifierCV<E extends Calibratable = GaussianNB> {
  readonly kind = 'CalibratedClassifierCV';
  private readonly inner: Inner;
  private readonly params: OptionValues<typeof spec>;
  private learned: CalibratedPairs | undefined;

  /** The classifier and options; or one object with `estimator` among the options, as `getParams` gives it. */
  constructor(
    estimator: E | ({ estimator: E } & CalibratedClassifierCVOptions) = new GaussianNB() as Calibratable as E,
    options: CalibratedClassifierCVOptions = {},
  ) {
    const { estimator: inner, ...rest } = wholeOf(estimator, options);
    if (typeof inner?.clone !== 'function')
      refuse('E_PARAM', `${show(inner)} is not a classifier`, { name: 'estimator' });
    this.inner = inner as unknown as Inner;
    this.params = readOptions(this.kind, spec, rest);
  }

  /** The classifier and the other parameters. */
  getParams(): { estimator: E } & OptionValues<typeof spec> {
    return { estimator: this.inner as unknown as E, ...this.params };
  }

  /** Replaces some parameters; `estimator__name` reaches inside. What was learned is forgotten: call `fit` again. */
  setParams(params: Params): this {
    return setParamsOf(this, params);
  }

  /** An uncalibrated copy with the same parameters; a prefitted classifier stays fitted. */
  clone(): CalibratedClassifierCV<E> {
    const inner = this.params.cv === 'prefit' ? copyOf(this.inner) : this.inner.clone();
    return new CalibratedClassifierCV(inner as unknown as E, this.params);
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

  /** How many features the rows have; undefined of documents. */
  get nFeaturesIn(): number | undefined {
    return this.fitted().pairs[0].estimator.nFeaturesIn;
  }

  /** The names of the columns, where rows came with names. */
  get featureNamesIn(): string[] | undefined {
    return this.fitted().pairs[0].estimator.featureNamesIn;
  }

  /** The fitted classifiers with their calibrators. */
  get calibratedClassifiers(): { estimator: E; calibration: Calibration }[] {
    return this.fitted().pairs.map(({ estimator, calibration }) => ({
      estimator: estimator as unknown as E,
      calibration: structuredClone(calibration),
    }));
  }

  /** Throws: save a model with `toBytes`. */
  toJSON(): never {
    return refuseJson(this);
  }

  /** @internal */
  [inspect](): string {
    return printModel(this);
  }

  /** The classifier as the bytes of a model file. */
  toBytes(options?: SaveOptions): Uint8Array<ArrayBuffer> {
    return encodeModel(this, options);
  }

  /** The classifier as plain data. Splitters and row indices are not saved: they become null, which is read as 5 folds. */
  toState(options?: StateOptions): State {
    const { method, cv: folds, ensemble: together } = this.params;
    const pairs = this.learned?.pairs ?? [];
    const inside = pairs.map(({ estimator }) => estimator);
    const steps = folds === 'prefit' && inside.length > 0 ? inside : [this.inner, ...inside];
    return {
      kind: this.kind,
      params: { method, cv: typeof folds === 'object' ? null : folds, ensemble: together },
      learned: this.learned ? { classes: [...this.learned.classes] } : {},
      arrays: Object.assign({}, ...pairs.map(({ calibration }, k) => saveCalibration(calibration, `${k}.`))),
      steps: steps.map((step) => step.toState(options)),
    };
  }

  /**
   * The inverse of `toState`, with the function that makes estimators of the states inside.
   *
   * @internal
   */
  static fromState(state: State, revive: (state: State) => Step): CalibratedClassifierCV<Calibratable> {
    const [inner, ...others] = (state.steps ?? []).map((step) => requireInner(revive(step)));
    if (!inner) return damaged('it has no classifier inside');
    const { cv: folds, ...rest } = state.params as CalibratedClassifierCVOptions;
    const made = new CalibratedClassifierCV(inner as unknown as Calibratable, { ...rest, cv: folds ?? 5 });
    const { classes: given, ...unknown } = state.learned;
    const fitted = folds === 'prefit' && given !== undefined ? [inner] : others;
    const arrays = new SavedArrays(state);
    if (Array.isArray(given) && fitted.length > 0) {
      const classes = sortClasses(given);
      if (fitted.some((estimator) => estimator.classes.join() !== classes.join()))
        damaged('its parts differ in classes');
      const curve = (k: number) => readCalibration(made.params.method, classes.length, arrays, `${k}.`);
      made.learned = { classes, pairs: fitted.map((estimator, k) => ({ estimator, calibration: curve(k) })) };
    } else if (given !== undefined || others.length > 0) damaged('its classes do not fit its classifiers');
    if (Object.keys(unknown).length > 0) damaged('it has an unused entry');
    arrays.close();
    return made;
  }

  /**
   * Restores a state of the same parts.
   *
   * @internal
   */
  restore(state: State): this {
    const revive = (inside: State) => restore(this.inner.clone(), inside) as unknown as Step;
    this.learned = CalibratedClassifierCV.fromState(state, revive).learned;
    return this;
  }

  private fitted(): CalibratedPairs {
    return this.learned ?? refuse('E_NOT_FITTED', `this ${this.kind} has not learned anything yet; call fit first`);
  }
}

/** Classifiers with their calibrators. */
interface CalibratedPairs {
  readonly classes: readonly Label[];
  readonly pairs: readonly { readonly estimator: Inner; readonly calibration: Calibration }[];
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
): CalibratedPairs {
  const estimator = copyOf(inner);
  const classes = [...estimator.classes];
  return {
    classes,
    pairs: [{ estimator, calibration: curveOf(scoresOf(estimator, X), y, sampleWeight, classes, method) }],
  };
}

/** Fits and calibrates by folds: a pair for each fold, or one classifier of all rows, calibrated by the scores of all folds. */
function calibrateByFolds(
  inner: Inner,
  X: unknown,
  y: ArrayLike<Label>,
  options: LearnOptions,
  { method, cv, ensemble }: { method: CurveMethod; cv: CrossValidator; ensemble: boolean },
): CalibratedPairs {
  const folded = readFolds(X, y, { cv, sampleWeight: options.sampleWeight, signal: options.signal });
  requireRowsForFolds(folded, cv);
  const { classes, weights } = folded;
  const learners = learnFolds(inner, folded);
  if (ensemble) {
    const pairs = Array.from(learners, (estimator, k) => {
      const part = partOf(folded, folded.splits[k][1]);
      const scores = scoresOf(knowing(estimator, classes), part.X);
      return { estimator, calibration: curveOf(scores, part.y, part.sampleWeight, classes, method) };
    });
    return { classes, pairs };
  }
  const rows = predictFolds(learners, folded, (learner, part) => scoresOf(knowing(learner, classes), part).toArray());
  const estimator = inner.clone();
  estimator.fit(X, y, learnOptions(weights, folded.signal));
  return { classes, pairs: [{ estimator, calibration: curveOf(Matrix.from(rows), y, weights, classes, method) }] };
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

/** The mean of the calibrated probabilities of all pairs. */
function meanProbabilities({ pairs }: CalibratedPairs, X: unknown): Matrix {
  const answers = pairs.map(({ estimator, calibration }) => applyCalibration(calibration, scoresOf(estimator, X)));
  const { rows, cols, data } = answers[0];
  const mean = data.map((_, k) => Math.min(1, answers.reduce((sum, answer) => sum + answer.data[k], 0) / pairs.length));
  return new Matrix(rows, cols, mean);
}
