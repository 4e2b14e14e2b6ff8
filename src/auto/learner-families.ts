import type { State, StateOptions } from '../core/artifact.ts';
import type { Posterior } from '../core/posterior.ts';
import type { Label } from '../data/labels.ts';
import type { Matrix } from '../data/matrix.ts';
import type { CodedColumn } from '../data/packed-columns.ts';
import { didYouMean } from '../data/suggest.ts';
import { PolyaError, refuse, show } from '../errors.ts';
import { AveragedOneDependenceNB } from '../estimators/averaged-one-dependence-nb.ts';
import { BernoulliNB } from '../estimators/bernoulli-nb.ts';
import { CategoricalNB } from '../estimators/categorical-nb.ts';
import { ComplementNB } from '../estimators/complement-nb.ts';
import { DirichletMultinomialNB } from '../estimators/dirichlet-multinomial-nb.ts';
import { GaussianNB } from '../estimators/gaussian-nb.ts';
import type { Inside } from '../estimators/inside.ts';
import { KDependenceNB } from '../estimators/k-dependence-nb.ts';
import { KernelNB } from '../estimators/kernel-nb.ts';
import type { LearnOptions } from '../estimators/lesson.ts';
import { LinearDiscriminantAnalysis } from '../estimators/linear-discriminant-analysis.ts';
import { MixedNB } from '../estimators/mixed-nb.ts';
import { MultinomialNB } from '../estimators/multinomial-nb.ts';
import { PoissonNB } from '../estimators/poisson-nb.ts';
import { QuadraticDiscriminantAnalysis } from '../estimators/quadratic-discriminant-analysis.ts';
import { RegularizedDiscriminantAnalysis } from '../estimators/regularized-discriminant-analysis.ts';
import { TreeAugmentedNB } from '../estimators/tree-augmented-nb.ts';

/** An estimator as a learner of records uses it: a statistic that is added to, taken from, merged and weakened. */
export interface Counting {
  readonly kind: string;
  readonly classes: Label[];
  readonly classCount: Float64Array;
  /** Whether the first rows choose more than counts. */
  readonly settles: boolean;
  getParams(): Readonly<Record<string, unknown>>;
  clone(): Counting;
  fit(X: unknown, y: ArrayLike<Label>, options?: LearnOptions): unknown;
  partialFit(X: unknown, y: ArrayLike<Label> | CodedColumn<Label>, options?: LearnOptions): unknown;
  unlearn(X: unknown, y: ArrayLike<Label>, options?: LearnOptions): unknown;
  merge(other: Counting): Counting;
  decay(halfLife: number, elapsed?: number): unknown;
  moveFeatures(features: number, place: Int32Array): unknown;
  predictJointLogProba(X: unknown): Matrix;
  classPosterior(X: unknown): Posterior;
  inside(): Inside;
  toState(options?: StateOptions): State;
}

/** What the features of a family are: counts of words or events, measured numbers, levels, or all of them. */
export type Takes = 'counts' | 'numbers' | 'levels' | 'anything';

/** A family of models that count. */
export interface Family {
  /** What people call it. */
  readonly title: string;
  readonly takes: Takes;
  readonly kind: new (params: never) => unknown;
  /** Parameters that make the family what it is. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** What a blank number is: integrated out, or no event. */
  readonly blank: 'missing' | 'zero';
  /**
   * What a row without any cell scores: the class prior; the prior unless columns are texts, whose absent words count; or something
   * else, in whose place the learner puts the prior.
   */
  readonly emptyRow: 'prior' | 'prior of columns' | 'other';
  /** How its estimator is told class priors; where it is not, they are put into its scores. */
  readonly prior: 'classPrior' | 'priors' | undefined;
}

const counts = { takes: 'counts', blank: 'zero', emptyRow: 'prior', prior: 'classPrior' } as const;
const numbers = { takes: 'numbers', blank: 'missing', emptyRow: 'prior', prior: 'priors' } as const;
const levels = { takes: 'levels', blank: 'missing', emptyRow: 'prior', prior: undefined } as const;

/** In counts of words, a word that is absent counts against classes that use it. */
const absent = 'prior of columns' as const;

/** The families by name. */
export const families = {
  multinomial: { ...counts, title: 'multinomial naive Bayes', kind: MultinomialNB },
  complement: { ...counts, title: 'complement naive Bayes', kind: ComplementNB, emptyRow: 'other', prior: undefined },
  bernoulli: { ...counts, title: 'Bernoulli naive Bayes', kind: BernoulliNB, blank: 'missing', emptyRow: absent },
  'dirichlet-multinomial': { ...counts, title: 'Pólya urns (Dirichlet-multinomial)', kind: DirichletMultinomialNB },
  poisson: { ...counts, title: 'Poisson naive Bayes', kind: PoissonNB, blank: 'missing', emptyRow: absent },
  gaussian: { ...numbers, title: 'Gaussian naive Bayes', kind: GaussianNB },
  kernel: { ...numbers, title: 'kernel density naive Bayes', kind: KernelNB },
  lda: { ...numbers, title: 'linear discriminant analysis', kind: LinearDiscriminantAnalysis },
  qda: { ...numbers, title: 'quadratic discriminant analysis', kind: QuadraticDiscriminantAnalysis },
  rda: { ...numbers, title: 'regularised discriminant analysis', kind: RegularizedDiscriminantAnalysis },
  categorical: { ...levels, title: 'categorical naive Bayes', kind: CategoricalNB, prior: 'classPrior' },
  tan: { ...levels, title: 'tree-augmented naive Bayes', kind: TreeAugmentedNB, prior: 'classPrior' },
  aode: { ...levels, title: 'averaged one-dependence estimators', kind: AveragedOneDependenceNB, emptyRow: 'other' },
  waode: {
    ...levels,
    title: 'weighted averaged one-dependence estimators',
    kind: AveragedOneDependenceNB,
    emptyRow: 'other',
    fixed: { weighted: true },
  },
  kdb: { ...levels, title: 'k-dependence Bayesian classifier', kind: KDependenceNB, prior: 'classPrior' },
  mixed: {
    title: 'naive Bayes over mixed columns',
    takes: 'anything',
    kind: MixedNB,
    blank: 'missing',
    emptyRow: 'prior',
    prior: 'classPrior',
  },
} as const satisfies Readonly<Record<string, Family>>;

/** The name of a family that counts. */
export type FamilyName = keyof typeof families;

const aliases = { kde: 'kernel', urn: 'dirichlet-multinomial' } as const;

/** A family by its name or its other name. */
export type ModelName = FamilyName | keyof typeof aliases;

/** Every name that the option `model` knows. */
export const classifierModels: readonly ('auto' | ModelName)[] = [
  'auto',
  ...(Object.keys(families) as FamilyName[]),
  ...(Object.keys(aliases) as (keyof typeof aliases)[]),
];

/** The family that a name stands for. */
export function familyNamed(name: string): FamilyName {
  if (Object.hasOwn(families, name)) return name as FamilyName;
  if (Object.hasOwn(aliases, name)) return aliases[name as keyof typeof aliases];
  const advice = didYouMean(String(name), classifierModels) || `; there are ${classifierModels.join(', ')}`;
  return refuse('E_PARAM', `there is no model ${show(name)}${advice}`, {
    name: 'model',
    actual: show(name),
  });
}

/** A family by its name. */
export const familyOf = (name: FamilyName): Family => families[name];

/** The names of all families. */
export const familyNames = Object.keys(families) as readonly FamilyName[];

/** An estimator of a family that has learned nothing. */
export function makeEstimator(name: FamilyName, params: Readonly<Record<string, unknown>>): Counting {
  const { kind, fixed } = familyOf(name);
  return new kind({ ...params, ...fixed } as never) as Counting;
}

/** Whether an estimator has learned anything. */
export function knowsSomething(estimator: Counting): boolean {
  try {
    return estimator.classes.length > 0;
  } catch (cause) {
    if (cause instanceof PolyaError && cause.code === 'E_NOT_FITTED') return false;
    throw cause;
  }
}

/** An estimator that knows the same and shares nothing. */
export function copyOf(estimator: Counting): Counting {
  return estimator.clone().merge(estimator);
}
