import type { State } from '../core/artifact.ts';
import { choice, flag, type Option, type OptionSpec, type OptionValues, unchecked } from '../core/options.ts';
import { requireLearning, requireOptions } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import type { Matrix } from '../data/matrix.ts';
import type { Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import { accuracyScore } from '../evaluate/metrics.ts';
import type { Candidate, Scored } from './fold-learning.ts';
import { foldSpec, learnFolds, learnOptions, partOf, readFolds } from './fold-learning.ts';
import { damaged } from './learned.ts';
import type { LearnOptions } from './learning.ts';
import type { InputOf } from './pipeline-step.ts';
import { decides, readScoring, type Scoring, type ScoringOptions, scoreRows } from './scoring.ts';
import { type Inner, type Wrapped, Wrapper } from './wrapper.ts';

/** The probability or score from which the positive class is predicted; 'auto' is ½ of probabilities and 0 of scores. */
const threshold: Option<number | 'auto'> = {
  kind: 'custom',
  default: 'auto',
  expects: "a finite number or 'auto'",
  accept: (value) => (value === 'auto' || Number.isFinite(value) ? (value as number) : undefined),
};
const posLabel: Option<Label | null> = unchecked<Label>();
/** What a threshold is compared with; 'auto' is the probability. */
const responseMethod = choice(['auto', 'predictProba', 'decisionFunction'], { default: 'auto' });
const fixedSpec = {
  /** The probability or score from which the positive class is predicted; 'auto' is ½ of probabilities and 0 of scores. Default: 'auto'. */
  threshold,
  /** The positive class. Default: 1 or true if the classes are 0 and 1, −1 and 1, or false and true; otherwise it is required. */
  posLabel,
  /** What the threshold is compared with; 'auto' is the probability. Default: 'auto'. */
  responseMethod,
} satisfies OptionSpec;

/** What decides beside the threshold. */
type Deciding = Pick<OptionValues<typeof fixedSpec>, 'posLabel' | 'responseMethod'>;

/** A fitted classifier and the response from which it predicts the positive class. */
interface Learned {
  readonly models: readonly [Inner];
  readonly threshold: number;
  /** The thresholds that were compared and their mean scores; absent of a loaded model. */
  readonly curve?: { readonly thresholds: number[]; readonly scores: number[] };
}

/** Refuses a decision function of a classifier that has none. */
function requireResponse(estimator: Inner, { responseMethod }: Deciding): void {
  if (responseMethod === 'decisionFunction' && !decides(estimator)) {
    refuse('E_PARAM', `a ${estimator.kind} has no decisionFunction`, { name: 'responseMethod' });
  }
}

/** Fits a classifier, which must have two classes. */
function learn(inner: Inner, X: unknown, y: ArrayLike<Label>, options: LearnOptions, deciding: Deciding): [Inner] {
  const model = inner.clone();
  model.fit(X, y, options);
  positivePlace(model.classes, deciding.posLabel);
  return [model];
}

/** The learned state of a file. */
function readThreshold({ threshold }: State['learned'], models: readonly Inner[]): Learned {
  const [model] = models;
  if (models.length !== 1 || typeof threshold !== 'number') return damaged('its threshold is wrong');
  return { models: [model], threshold };
}

/** The place of the positive class: the one given, or the second. */
function positivePlace(classes: readonly Label[], given: Label | null): number {
  if (classes.length !== 2) {
    refuse('E_PARAM', `a threshold decides between two classes, there are ${classes.length}`, {
      actual: classes.length,
    });
  }
  const place = given === null ? 1 : classes.indexOf(given);
  return place >= 0
    ? place
    : refuse('E_PARAM', `posLabel ${show(given)} is not one of the classes`, { name: 'posLabel' });
}

/** The probability or the score of the positive class in every row. */
function responses(model: Inner, X: unknown, { posLabel: given, responseMethod: method }: Deciding): number[] {
  const place = positivePlace(model.classes, given);
  if (method !== 'decisionFunction' || !decides(model)) {
    const proba = model.predictProba(X);
    return Array.from({ length: proba.rows }, (_, i) => proba.at(i, place));
  }
  const scores = model.decisionFunction(X);
  return Array.from({ length: scores.rows }, (_, i) => (place === 1 ? 1 : -1) * scores.at(i, 0));
}

function decideFrom(model: Inner, X: unknown, deciding: Deciding, from: number): Label[] {
  const { classes } = model;
  const place = positivePlace(classes, deciding.posLabel);
  return responses(model, X, deciding).map((value) => classes[value >= from ? place : 1 - place]);
}

/** Parameters of `FixedThresholdClassifier`. */
export type FixedThresholdOptions = Partial<OptionValues<typeof fixedSpec>>;

/** A binary classifier that predicts the positive class from a given probability on. scikit-learn's class of this name. */
export class FixedThresholdClassifier<E extends Wrapped = Wrapped> extends Wrapper<E, typeof fixedSpec, Learned> {
  constructor(estimator: E | ({ estimator: E } & FixedThresholdOptions), options: FixedThresholdOptions = {}) {
    super('FixedThresholdClassifier', fixedSpec, estimator, options);
    requireResponse(this.inner, this.params);
  }

  /** Fits to these rows. */
  fit(X: InputOf<E>, y: ArrayLike<Label>, options: LearnOptions = {}): this {
    requireLearning(this.kind, options);
    const { threshold: given, responseMethod: method } = this.params;
    const from = given !== 'auto' ? given : method === 'decisionFunction' ? 0 : 0.5;
    this.learned = { models: learn(this.inner, X, y, options, this.params), threshold: from };
    return this;
  }

  /** The sorted class labels. */
  get classes(): Label[] {
    return [...this.estimator.classes];
  }

  /** The classifier that has learned the rows. */
  get estimator(): E {
    return this.fitted().models[0] as object as E;
  }

  /** p(c | x) for every row and class, as the classifier itself says. */
  predictProba(X: InputOf<E>): Matrix {
    return this.fitted().models[0].predictProba(X);
  }

  /** The positive class from the threshold on, the other one below. */
  predict(X: InputOf<E>): Label[] {
    const { models, threshold: from } = this.fitted();
    return decideFrom(models[0], X, this.params, from);
  }

  /** The weighted share of rows whose class is predicted. */
  score(X: InputOf<E>, y: ArrayLike<Label>, options: { readonly sampleWeight?: Weights | undefined } = {}): number {
    return accuracyScore(y, this.predict(X), requireOptions('score', ['sampleWeight'], options));
  }

  protected save({ threshold: from }: Learned): Pick<State, 'learned' | 'arrays'> {
    return { learned: { threshold: from }, arrays: {} };
  }

  protected revive(learned: State['learned'], models: readonly Inner[]): Learned {
    return readThreshold(learned, models);
  }
}

const tunedSpec = {
  /** The score that the threshold maximises. */
  scoring: { ...unchecked<unknown>(), default: 'balanced_accuracy' as unknown },
  /** The number of thresholds between the least and the largest probability, or the thresholds themselves. Default: 100. */
  thresholds: {
    kind: 'custom',
    default: 100,
    expects: 'a whole number ≥ 2, or a list of numbers',
    accept: (value: unknown) =>
      (Number.isSafeInteger(value) && (value as number) >= 2) || (Array.isArray(value) && value.length > 0)
        ? (value as number | readonly number[])
        : undefined,
  } as Option<number | readonly number[]>,
  /** The folds: a number of stratified folds, a splitter, or lists of row indices. Default: 5. */
  cv: foldSpec.cv,
  /** The positive class. Default: 1 or true if the classes are 0 and 1, −1 and 1, or false and true; otherwise it is required. */
  posLabel,
  /** What the threshold is compared with; 'auto' is the probability. Default: 'auto'. */
  responseMethod,
  /** Whether the thresholds and their mean scores are kept as `cvResults`. Default: false. */
  storeCvResults: flag({ default: false }),
} satisfies OptionSpec;

/** Parameters of `TunedThresholdClassifierCV`. */
export type TunedThresholdOptions<E extends Candidate = Candidate> = ScoringOptions<typeof tunedSpec, Scoring<E>>;

/**
 * A classifier of two classes whose threshold is chosen by cross-validation: each fold is scored at every threshold by a model of the
 * others, curves are interpolated to common thresholds and averaged, and the best one decides for a model of all rows. scikit-learn's
 * class of this name.
 */
export class TunedThresholdClassifierCV<E extends Wrapped = Wrapped> extends Wrapper<E, typeof tunedSpec, Learned> {
  constructor(estimator: E | ({ estimator: E } & TunedThresholdOptions<E>), options: TunedThresholdOptions<E> = {}) {
    super('TunedThresholdClassifierCV', tunedSpec, estimator as E, options);
    requireResponse(this.inner, this.params);
    if (readScoring(this.params.scoring).size !== 1) refuse('E_PARAM', 'one score decides', { name: 'scoring' });
  }

  /** The probability from which the positive class is predicted. */
  get bestThreshold(): number {
    return this.fitted().threshold;
  }

  /** The mean score of the best threshold over the folds; undefined of a loaded model. */
  get bestScore(): number | undefined {
    const { curve, threshold: from } = this.fitted();
    return curve?.scores[curve.thresholds.indexOf(from)];
  }

  /** The thresholds that were compared and their mean scores, with `storeCvResults`; undefined of a loaded model. */
  get cvResults(): { readonly thresholds: number[]; readonly scores: number[] } | undefined {
    return this.params.storeCvResults ? structuredClone(this.fitted().curve) : undefined;
  }

  /** Fits to these rows. */
  fit(X: InputOf<E>, y: ArrayLike<Label>, options: LearnOptions = {}): this {
    const { sampleWeight, signal } = requireLearning(this.kind, options);
    const { cv, thresholds, scoring } = this.params;
    const folded = readFolds(X, y, { cv, sampleWeight, signal });
    const score = readScoring(scoring);
    const curves = Array.from(learnFolds(this.inner, folded), (model, fold) => {
      const part = partOf(folded, folded.splits[fold][1]);
      const values = responses(model, part.X, this.params);
      const tried =
        typeof thresholds === 'number' ? spaced(Math.min(...values), Math.max(...values), thresholds) : thresholds;
      const scores = tried.map((from) => {
        const deciding = decidingFrom(model, this.params, from);
        return [...scoreRows(deciding, part, folded.classes, score).values()][0];
      });
      return { tried, scores };
    });
    const all = curves.flatMap(({ tried }) => tried);
    const common = typeof thresholds === 'number' ? spaced(Math.min(...all), Math.max(...all), thresholds) : thresholds;
    const means = common.map(
      (from) => curves.reduce((sum, { tried, scores }) => sum + interpolate(from, tried, scores), 0) / curves.length,
    );
    const at = means.indexOf(Math.max(...means));
    const models = learn(this.inner, X, y, learnOptions(folded.weights, folded.signal), this.params);
    this.learned = { models, threshold: common[at], curve: { thresholds: [...common], scores: means } };
    return this;
  }

  /** The sorted class labels. */
  get classes(): Label[] {
    return [...this.estimator.classes];
  }

  /** The classifier that has learned the rows. */
  get estimator(): E {
    return this.fitted().models[0] as object as E;
  }

  /** p(c | x) for every row and class, as the classifier itself says. */
  predictProba(X: InputOf<E>): Matrix {
    return this.fitted().models[0].predictProba(X);
  }

  /** The positive class from the threshold on, the other one below. */
  predict(X: InputOf<E>): Label[] {
    const { models, threshold: from } = this.fitted();
    return decideFrom(models[0], X, this.params, from);
  }

  /** The weighted share of rows whose class is predicted. */
  score(X: InputOf<E>, y: ArrayLike<Label>, options: { readonly sampleWeight?: Weights | undefined } = {}): number {
    return accuracyScore(y, this.predict(X), requireOptions('score', ['sampleWeight'], options));
  }

  protected save({ threshold: from }: Learned): Pick<State, 'learned' | 'arrays'> {
    return { learned: { threshold: from }, arrays: {} };
  }

  protected revive(learned: State['learned'], models: readonly Inner[]): Learned {
    return readThreshold(learned, models);
  }
}

/** A fitted model with the labels of a threshold, for scores. */
function decidingFrom(model: Inner, how: Deciding, from: number): Scored {
  const { kind, classes } = model;
  return {
    kind,
    classes,
    predict: (X) => decideFrom(model, X, how, from),
    predictProba: (X) => model.predictProba(X),
    ...(decides(model) && { decisionFunction: (X: unknown) => model.decisionFunction(X) }),
  };
}

/** Numbers at equal distances. */
function spaced(from: number, to: number, count: number): number[] {
  return Array.from({ length: count }, (_, k) => (k === count - 1 ? to : from + (k * (to - from)) / (count - 1)));
}

/** The value of a curve of straight lines at x; beyond its ends that of the end. */
function interpolate(x: number, xs: readonly number[], ys: readonly number[]): number {
  const above = xs.findIndex((other) => other > x);
  if (above === 0) return ys[0];
  if (above < 0) return ys[ys.length - 1];
  const share = (x - xs[above - 1]) / (xs[above] - xs[above - 1]);
  return ys[above - 1] + share * (ys[above] - ys[above - 1]);
}
