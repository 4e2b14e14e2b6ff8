import { callback, type GivenOptions, type OptionSpec, unchecked } from '../core/options.ts';
import { requireItems, requireKind, requireLike } from '../data/arguments.ts';
import { encodeLabels, type Label } from '../data/labels.ts';
import type { Matrix } from '../data/matrix.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import { requireGoing } from '../engines/memory.ts';
import { refuse, show, unlessRefused } from '../errors.ts';
import { type Split, type Splitter, StratifiedKFold } from '../evaluate/folds.ts';
import { countRows, type Splittable, selectRows } from '../evaluate/rows.ts';
import { requireLength } from '../evaluate/targets.ts';
import { CountingClassifier } from './classifier.ts';
import type { AnyClassifier } from './copy.ts';
import type { Labels, LearnOptions, PartialFitOptions } from './learning.ts';
import type { Step } from './pipeline-step.ts';

/** Any estimator that can be cross-validated: a classifier, or a pipeline that ends in one. */
export interface Candidate {
  readonly kind: string;
  readonly classes: readonly Label[];
  clone(): Candidate;
  fit(X: never, y: ArrayLike<Label>, options?: LearnOptions): unknown;
  predict(X: never): Label[];
  predictProba?(X: never): Matrix;
}

/** A classifier as other code uses it, once its type was checked: what every one has, and what only some have. */
export interface AnyEstimator extends Step {
  readonly classes: readonly Label[];
  readonly nFeaturesIn?: number | undefined;
  readonly featureNamesIn?: string[] | undefined;
  clone(): AnyEstimator;
  fit(X: unknown, y: Labels, options?: PartialFitOptions): unknown;
  predict(X: unknown): Label[];
  predictProba?(X: unknown): Matrix;
  decisionFunction?(X: unknown): Matrix;
  partialFit?(X: unknown, y: Labels, options?: PartialFitOptions): unknown;
  unlearn?(X: unknown, y: Labels, options?: LearnOptions): unknown;
  merge?(other: Step): unknown;
  decay?(halfLife: number, elapsed?: number): unknown;
  moveFeatures?(features: number, place: Int32Array): unknown;
}

/** The methods of a fitted classifier that scores use. */
export type Scored = Pick<AnyEstimator, 'kind' | 'classes' | 'predict' | 'predictProba' | 'decisionFunction'>;

/** Calls a method that not every estimator has; refuses where it is absent. */
export function ask<T>(estimator: { readonly kind: string }, method: string, ...given: unknown[]): T {
  const own = (estimator as unknown as Readonly<Record<string, ((...given: unknown[]) => T) | undefined>>)[method];
  const { kind } = estimator;
  return own
    ? own.apply(estimator, given)
    : refuse('E_PARAM', `a ${kind} has no ${method}`, { estimator: kind, method });
}

/** How rows are divided: a number of stratified folds, a splitter, or the row numbers themselves. */
export type CrossValidator = number | Splitter | Iterable<readonly [train: ArrayLike<number>, test: ArrayLike<number>]>;

/** Options of folds. */
export const foldSpec = {
  /** The folds: a number of stratified folds, a splitter, or lists of row indices. Default: 5. */
  cv: unchecked<CrossValidator>(),
  /** Groups of rows, for splitters that keep groups together. Default: none. */
  groups: unchecked<ArrayLike<Label>>(),
  /** One weight per row, for learning and for scores. Default: 1 for every row. */
  sampleWeight: unchecked<Weights>(),
  /** Aborts the work with E_CANCELLED. Default: none. */
  signal: unchecked<AbortSignal>(),
  /** Called with the number of finished folds and of all folds. Default: none. */
  onProgress: callback<(done: number, all: number) => void>(),
} satisfies OptionSpec;

/** Options of folds, weights, progress and cancellation. */
export type FoldOptions = GivenOptions<typeof foldSpec>;

/** Labelled rows with their folds. */
export interface FoldedRows {
  readonly X: Splittable;
  readonly y: ArrayLike<Label>;
  readonly classes: readonly Label[];
  readonly weights: Float64Array | undefined;
  readonly splits: readonly Split[];
  readonly signal: AbortSignal | undefined;
  /** Subsets by their row indices, cached so that each is the same object whenever it is learned. */
  readonly parts?: Map<ArrayLike<number>, RowsPart> | undefined;
}

/** Throws unless a value can be cloned, fitted and used to predict. */
export function requireCandidate(estimator: unknown): void {
  const methods = { clone: 'function', fit: 'function', predict: 'function' } as const;
  requireLike(estimator, 'an estimator with clone, fit and predict, such as new MultinomialNB()', methods);
}

/** Checks labelled rows and divides them. */
export function readFolds(X: unknown, y: ArrayLike<Label>, options: FoldOptions): FoldedRows {
  const rows = countRows(X);
  requireLength('y', countRows(y, 'y'), rows);
  const { classes } = encodeLabels(y);
  const weights = options.sampleWeight == null ? undefined : readWeights(options.sampleWeight, rows);
  const splits = readSplits(options.cv ?? 5, X as Splittable, y, options.groups ?? null);
  return { X: X as Splittable, y, classes, weights, splits, signal: options.signal ?? undefined };
}

function readSplits(cv: CrossValidator, X: Splittable, y: ArrayLike<Label>, groups: ArrayLike<Label> | null): Split[] {
  if (typeof cv === 'number') return [...new StratifiedKFold({ nSplits: cv }).split(X, y)];
  const expected = 'a number of folds, a splitter, or pairs of row numbers';
  if (typeof cv !== 'object' || cv === null || !('split' in cv || Symbol.iterator in cv)) {
    return refuse('E_PARAM', `cv is ${expected}, got ${show(cv)}`, { name: 'cv', expected });
  }
  const rows = countRows(X);
  const splits = Array.from('split' in cv ? cv.split(X, y, groups) : cv, (pair, k): Split => {
    const [train, test] = requireItems(pair, 'pairs of training and test rows as cv');
    for (const part of [train, test]) requireRows(requireKind(part, 'lists of row numbers in cv', 'list'), rows, k);
    return [Array.from(train), Array.from(test)];
  });
  return splits.length > 0 ? splits : refuse('E_PARAM', 'cv gives no folds', { name: 'cv' });
}

function requireRows(part: ArrayLike<number>, rows: number, fold: number): void {
  if (part.length === 0) refuse('E_PARAM', `fold ${fold} has a side without rows`, { name: 'cv', fold });
  for (let i = 0; i < part.length; i++) {
    if (Number.isInteger(part[i]) && part[i] >= 0 && part[i] < rows) continue;
    refuse('E_PARAM', `fold ${fold} names row ${show(part[i])} of ${rows}`, { name: 'cv', fold, limit: rows - 1 });
  }
}

/** Some of the labelled rows. */
export interface RowsPart {
  readonly X: unknown;
  readonly y: ArrayLike<Label>;
  readonly sampleWeight: Weights | undefined;
}

/** A subset of the labelled rows; the same objects each time if subsets are cached. */
export function partOf({ X, y, weights, parts }: FoldedRows, rows: ArrayLike<number>): RowsPart {
  const known = parts?.get(rows);
  if (known) return known;
  const sampleWeight = weights && selectRows(weights, rows);
  const part = { X: selectRows(X, rows), y: selectRows(y, rows) as ArrayLike<Label>, sampleWeight };
  parts?.set(rows, part);
  return part;
}

/** Fits an estimator to some of the rows. */
export function learnRows<L extends AnyEstimator>(estimator: L, folded: FoldedRows, rows: ArrayLike<number>): L {
  const { X, y, sampleWeight } = partOf(folded, rows);
  estimator.fit(X, y, learnOptions(sampleWeight, folded.signal));
  return estimator;
}

/** Options without undefined entries, which a step of a pipeline may not accept. */
export function learnOptions(sampleWeight: Weights | undefined, signal: AbortSignal | undefined): LearnOptions {
  return { ...(sampleWeight !== undefined && { sampleWeight }), ...(signal && { signal }) };
}

/** Whether the learned state is a sum over rows. Choices by the rows are not: they must not see the fold. */
export function addsUp(estimator: object): estimator is AnyClassifier {
  if (!(estimator instanceof CountingClassifier)) return false;
  return estimator.capabilities.mergeable && !estimator.settles;
}

/** The most statistics kept at once; with more folds, each training set is learned from scratch. */
const MOST_SUMS = 32;

/**
 * For every fold an estimator fitted to its training rows. If the state is additive and every row is held out once, each fold is counted
 * once and a training set is the sum of the other folds, which avoids the cancellation of a subtraction. Everything else is fitted to each
 * training set from scratch, transformers included.
 */
export function* learnFolds<L extends AnyEstimator>(estimator: L, folded: FoldedRows): Generator<L> {
  const sums = addsUp(estimator) && folded.splits.length <= MOST_SUMS && isPartition(folded);
  const parts = sums ? countFolds(estimator, folded) : undefined;
  if (parts) yield* sumsOfOthers(parts) as Generator<unknown> as Generator<L>;
  else {
    for (const [train] of folded.splits) {
      requireGoing(folded.signal);
      yield learnRows(estimator.clone() as L, folded, train);
    }
  }
}

/** The fold in which each row is scored, or nothing where a row is scored never or twice. */
export function foldOfRows({ y, splits }: FoldedRows): Int32Array | undefined {
  const fold = new Int32Array(y.length).fill(-1);
  for (const [k, [, test]] of splits.entries()) {
    for (const i of test) {
      if (fold[i] >= 0) return undefined;
      fold[i] = k;
    }
  }
  return fold.includes(-1) ? undefined : fold;
}

/** Whether every row is scored once, and each training set is all other rows. */
function isPartition(folded: FoldedRows): boolean {
  const fold = foldOfRows(folded);
  if (!fold) return false;
  return folded.splits.every(([train, test], k) => {
    const size = train.length + test.length === fold.length ? new Set(train).size : -1;
    return size === train.length && train.every((i) => fold[i] !== k);
  });
}

/** Every fold counted by itself, or undefined if a fold is rejected: what is valid for many rows need not be for few. */
function countFolds(estimator: AnyClassifier, folded: FoldedRows): AnyClassifier[] | undefined {
  return unlessRefused(() => {
    const parts = folded.splits.map(([, test]) => {
      const { X, y, sampleWeight } = partOf(folded, test);
      return estimator.clone().partialFit(X, y, learnOptions(sampleWeight, folded.signal));
    });
    parts.reduce((sum, part) => sum.merge(part), estimator.clone());
    return parts;
  });
}

/** For every part the sum of all others, from sums before and behind it. */
function* sumsOfOthers(parts: readonly AnyClassifier[]): Generator<AnyClassifier> {
  const none = () => parts[0].clone();
  const behind = [none()];
  for (let k = parts.length - 1; k > 0; k--) behind.unshift(none().merge(behind[0]).merge(parts[k]));
  const before = none();
  for (const [k, part] of parts.entries()) {
    yield none().merge(before).merge(behind[k]);
    before.merge(part);
  }
}
