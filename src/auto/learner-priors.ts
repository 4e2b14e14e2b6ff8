import { type Posterior, posterior } from '../core/posterior.ts';
import type { Label } from '../data/labels.ts';
import { refuse, show } from '../errors.ts';
import { logShares } from '../math/logs.ts';
import { type Counting, type FamilyName, familyOf } from './learner-families.ts';

/** Class priors: as counted, all alike, or given; those that are given close the list of classes. */
export type Priors = 'empirical' | 'uniform' | readonly (readonly [label: Label, share: number])[];

/** Class priors as callers may say them. */
export interface PriorOptions {
  /** As counted (the default), all alike, or a share for each label. */
  readonly priors?: 'empirical' | 'uniform' | Readonly<Record<string, number>> | undefined;
  /** false: all alike. */
  readonly fitPrior?: boolean | undefined;
  /** Shares in the order of the sorted classes. */
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
    refuse('E_PARAM', `priors name no share for class ${show(missing)}`, { name: 'priors', class: missing });
  }
  return shares(labelled);
}

/** A label that no row has yet, in the type of the others. */
function labelOf(word: string, type: string): Label {
  if (type === 'string') return word;
  const label = type === 'boolean' ? word === 'true' : Number(word);
  if (String(label) === word) return label;
  return refuse('E_PARAM', `priors name ${show(word)}, which is no label of type ${type}`, { name: 'priors' });
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
    refuse('E_CLASS_UNKNOWN', `priors name no share for class ${show(label)}`, { class: label });
  }
}

/** ln p(c) as asked for; undefined where it is as counted. */
export function logPriorOf(priors: Priors, classes: readonly Label[]): Float64Array | undefined {
  if (priors === 'empirical') return undefined;
  const share = priors === 'uniform' ? undefined : new Map(priors);
  return logShares(Float64Array.from(classes, (label) => (share ? (share.get(label) ?? 0) : 1)));
}

/** ln p(c) as asked for, or as counted by class weights. */
export function classLogPrior(priors: Priors, classes: readonly Label[], counts: () => Float64Array): Float64Array {
  return logPriorOf(priors, classes) ?? logShares(counts());
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

/** The parameters by which an estimator of the family is told these priors; undefined where it cannot be told. */
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
