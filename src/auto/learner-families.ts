import { familyAliases, type familyList, modelNames } from '../core/model-options.ts';
import { type Posterior, posterior } from '../core/posterior.ts';
import type { Label } from '../data/labels.ts';
import type { CodedColumn } from '../data/packed-columns.ts';
import { didYouMean } from '../data/suggest.ts';
import { refuse, show, unlessRefused } from '../errors.ts';
import { AveragedOneDependenceNB } from '../estimators/averaged-one-dependence-nb.ts';
import { BernoulliNB } from '../estimators/bernoulli-nb.ts';
import { CategoricalNB } from '../estimators/categorical-nb.ts';
import { ComplementNB } from '../estimators/complement-nb.ts';
import type { AnyClassifier } from '../estimators/copy.ts';
import { DirichletMultinomialNB } from '../estimators/dirichlet-multinomial-nb.ts';
import { GaussianNB } from '../estimators/gaussian-nb.ts';
import { KDependenceNB } from '../estimators/k-dependence-nb.ts';
import { KernelNB } from '../estimators/kernel-nb.ts';
import type { LearnOptions } from '../estimators/learning.ts';
import { LinearDiscriminantAnalysis } from '../estimators/linear-discriminant-analysis.ts';
import { MixedNB } from '../estimators/mixed-nb.ts';
import { MultinomialNB } from '../estimators/multinomial-nb.ts';
import { PoissonNB } from '../estimators/poisson-nb.ts';
import { QuadraticDiscriminantAnalysis } from '../estimators/quadratic-discriminant-analysis.ts';
import { RegularizedDiscriminantAnalysis } from '../estimators/regularized-discriminant-analysis.ts';
import { TreeAugmentedNB } from '../estimators/tree-augmented-nb.ts';
import { logShares } from '../math/logs.ts';

/** Class priors: as counted, all alike, or given; those that are given close the list of classes. */
export type Priors = 'empirical' | 'uniform' | readonly (readonly [label: Label, share: number])[];

/** Class priors as callers may say them. */
export interface PriorOptions {
  /** As counted (the default), all alike, or a share for each label. */
  readonly priors?: 'empirical' | 'uniform' | Readonly<Record<string, number>> | undefined;
  /** Estimate class priors from the rows instead of a uniform prior. Default: true. */
  readonly fitPrior?: boolean | undefined;
  /** Fixed class priors, in the order of the sorted classes. Default: estimated from the rows. */
  readonly classPrior?: readonly number[] | undefined;
}

/** Reads the priors that were asked for; labels are needed to find those of a record. */
export function readPriors(model: FamilyName, options: PriorOptions, classes: readonly Label[]): Priors {
  const { priors, fitPrior, classPrior } = options;
  const given = [priors, fitPrior, classPrior].filter((value) => value !== undefined);
  if (given.length > 1) refuse('E_PARAM', 'priors, fitPrior and classPrior: give one of them', { name: 'priors' });
  if (fitPrior !== undefined && typeof fitPrior !== 'boolean') {
    refuse('E_PARAM', `fitPrior is true or false, got ${show(fitPrior)}`, { name: 'fitPrior' });
  }
  if (fitPrior === false || priors === 'uniform') return model === 'complement' ? 'empirical' : 'uniform';
  if (given.length === 0 || fitPrior === true || priors === 'empirical') return 'empirical';
  if (model === 'complement') {
    refuse('E_PARAM', 'the scores of a complement have no class prior to set', { name: 'priors' });
  }
  return classPrior === undefined ? namedPriors(priors, classes) : listedPriors(classPrior, classes);
}

function listedPriors(list: readonly number[], classes: readonly Label[]): Priors {
  if (!Array.isArray(list) || list.length !== classes.length) {
    refuse('E_PARAM', `classPrior has ${show(list)} for ${classes.length} classes`, { name: 'classPrior' });
  }
  return shares(classes.map((label, c) => [label, list[c]]));
}

function namedPriors(record: unknown, classes: readonly Label[]): Priors {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) {
    refuse('E_PARAM', `priors are 'empirical', 'uniform' or a share for each label, got ${show(record)}`, {
      name: 'priors',
    });
  }
  const labels = new Map(classes.map((label) => [String(label), label]));
  const type = typeof classes[0];
  const labelled = Object.entries(record as object).map(([word, share]): [Label, number] => {
    const known = labels.get(word);
    labels.delete(word);
    return [known ?? labelOf(word, type), share];
  });
  const [missing] = labels.values();
  if (missing !== undefined) {
    refuse('E_PARAM', `priors have no share for class ${show(missing)}`, { name: 'priors', class: missing });
  }
  return shares(labelled);
}

/** A label that no row has yet, in the type of the others. */
function labelOf(word: string, type: string): Label {
  if (type === 'string') return word;
  const label = type === 'boolean' ? word === 'true' : Number(word);
  if (String(label) === word) return label;
  return refuse('E_PARAM', `priors name ${show(word)}, which is not a label of type ${type}`, { name: 'priors' });
}

function shares(given: readonly (readonly [Label, number])[]): Priors {
  const total = given.reduce((sum, [, share]) => sum + share, 0);
  const fits = given.every(([, share]) => Number.isFinite(share) && share >= 0) && total > 0;
  if (!fits) refuse('E_PARAM', 'priors are finite numbers ≥ 0, one of them positive', { name: 'priors' });
  return given.map(([label, share]) => [label, share / total]);
}

/** Refuses a label for which priors give no share. */
export function requirePriors(priors: Priors, labels: Iterable<Label>): void {
  if (typeof priors === 'string') return;
  const known = new Set(priors.map(([label]) => label));
  for (const label of labels) {
    if (known.has(label)) continue;
    refuse('E_CLASS_UNKNOWN', `priors have no share for class ${show(label)}`, { class: label });
  }
}

/** ln p(c) as asked for; undefined where it is as counted. */
export function logPriorOf(priors: Priors, classes: readonly Label[]): Float64Array | undefined {
  if (priors === 'empirical') return undefined;
  const share = priors === 'uniform' ? undefined : new Map(priors);
  return logShares(Float64Array.from(classes, (label) => (share ? (share.get(label) ?? 0) : 1)));
}

/** What other priors than the counted ones add to the score of each class. */
export function priorShift(estimator: Counting, priors: Priors): Float64Array | undefined {
  const wanted = logPriorOf(priors, estimator.classes);
  if (!wanted) return undefined;
  const { model, params } = estimator.inside();
  const own = model.logPrior(params);
  return wanted.map((log, c) => (log === -Infinity || own[c] === -Infinity ? log : log - own[c]));
}

/** ln p(c | x) and ln p(x) under the priors that were asked for. */
export function posteriorUnder(priors: Priors, estimator: Counting, X: unknown): Posterior {
  const shift = priorShift(estimator, priors);
  if (!shift) return estimator.classPosterior(X);
  const { data } = estimator.predictJointLogProba(X);
  return posterior(
    data.map((score, k) => score + shift[k % shift.length]),
    logPriorOf(priors, estimator.classes) as Float64Array,
  );
}

/** The parameters that give an estimator of the family these priors; undefined where it has none. */
export function priorParams(
  model: FamilyName,
  priors: Priors,
  classes: readonly Label[],
): Readonly<Record<string, unknown>> | undefined {
  const wanted = logPriorOf(priors, classes);
  if (!wanted) return {};
  const { prior } = familyOf(model);
  return prior && { [prior]: Array.from(wanted, Math.exp) };
}

/** An estimator as a learner of records uses it: a statistic that is added to, taken from, merged and weakened. */
export type Counting = AnyClassifier & {
  partialFit(X: unknown, y: ArrayLike<Label> | CodedColumn<Label>, options?: LearnOptions): unknown;
};

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
  /** The parameter of its estimator for class priors; without one, they are added to its scores. */
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
} as const satisfies Readonly<Record<(typeof familyList)[number], Family>>;

/** The name of a family that counts. */
export type FamilyName = keyof typeof families;

/** A family by its name or its other name. */
export type ModelName = FamilyName | keyof typeof familyAliases;

/** Every name that the option `model` knows. */
export const classifierModels: readonly ('auto' | ModelName)[] = modelNames;

/** The family that a name stands for. */
export function familyNamed(name: string): FamilyName {
  if (Object.hasOwn(families, name)) return name as FamilyName;
  if (Object.hasOwn(familyAliases, name)) return familyAliases[name as keyof typeof familyAliases];
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
export const knowsSomething = (estimator: Counting): boolean =>
  (unlessRefused(() => estimator.classes.length, 'E_NOT_FITTED') ?? 0) > 0;
