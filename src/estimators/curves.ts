import { flag, type OptionSpec, optional, readOptions, unchecked } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import { requireGoing } from '../engines/memory.ts';
import { refuse } from '../errors.ts';
import { generatorOf, randomState } from '../evaluate/folds.ts';
import { scoreFolds } from './cross-validation.ts';
import {
  type AnyEstimator,
  addsUp,
  type Candidate,
  type FoldedRows,
  foldSpec,
  learnFolds,
  learnOptions,
  learnRows,
  partOf,
  readFolds,
  requireCandidate,
} from './fold-learning.ts';
import type { InputOf } from './pipeline-step.ts';
import { readSingle, type Scoring, type ScoringOptions, scoringSpec } from './scoring.ts';
import { withParams } from './with-params.ts';

/** Scores of training and of test rows, by point of the curve and by fold. */
export interface CurveScores {
  readonly trainScores: number[][];
  readonly testScores: number[][];
}

/** A learning curve; `trainSizes` are numbers of rows, without repetitions. */
export interface LearningCurve extends CurveScores {
  readonly trainSizes: number[];
}

const learningSpec = {
  ...foldSpec,
  ...scoringSpec,
  /**
   * Shares of the largest training set (a list of ones only is the whole of it), or numbers of rows. Default: [0.1, 0.325, 0.55, 0.775, 1].
   */
  trainSizes: unchecked<readonly number[]>(),
  /** Shuffle the training rows first; rows in the order of their classes give a misleading curve. Default: false. */
  shuffle: flag({ default: false }),
  /** The random seed of the shuffle. Default: null. */
  randomState: optional(randomState),
} satisfies OptionSpec;

/** Options of `learningCurve`. */
export type LearningCurveOptions<E extends Candidate> = ScoringOptions<typeof learningSpec, Scoring<E>>;

/** Numbers of rows of shares or numbers, ascending; as scikit-learn, a share is rounded down to at least one row. */
function readSizes(given: readonly number[], most: number): number[] {
  const fault = (): never =>
    refuse('E_PARAM', `trainSizes are shares above 0 and at most 1, or whole numbers of rows up to ${most}`, {
      name: 'trainSizes',
      limit: most,
    });
  if (!Array.isArray(given) || given.length === 0) return fault();
  const shares = given.every((size) => size > 0 && size <= 1) && (given.length === 1 || given.some((size) => size < 1));
  const sizes = shares ? given.map((share) => Math.max(1, Math.floor(share * most))) : given;
  if (!sizes.every((size) => Number.isInteger(size) && size >= 1 && size <= most)) fault();
  return [...new Set(sizes)].sort((a, b) => a - b);
}

/** Estimators of growing training sets; if counts are additive, only the new rows are learned. */
function* growing(estimator: AnyEstimator, folded: FoldedRows, rows: readonly number[], sizes: readonly number[]) {
  const counting = addsUp(estimator) ? estimator.clone() : undefined;
  for (const [k, size] of sizes.entries()) {
    requireGoing(folded.signal);
    if (counting) {
      const { X, y, sampleWeight } = partOf(folded, rows.slice(sizes[k - 1] ?? 0, size));
      yield counting.partialFit(X, y, learnOptions(sampleWeight, folded.signal)) as AnyEstimator;
    } else yield learnRows(estimator.clone(), folded, rows.slice(0, size));
  }
}

/**
 * The scores by number of training rows: for every size, the first rows of each training set. If counts are additive, the curve of a fold
 * is one pass over its rows.
 */
export function learningCurve<E extends Candidate>(
  estimator: E,
  X: InputOf<E>,
  y: ArrayLike<Label>,
  options: LearningCurveOptions<E> = {},
): LearningCurve {
  const read = readOptions('learningCurve', learningSpec, options);
  requireCandidate(estimator);
  const scoring = readSingle(read.scoring, 'a curve is of one score');
  const folded = readFolds(X, y, read);
  const trainSizes = readSizes(read.trainSizes ?? [0.1, 0.325, 0.55, 0.775, 1], folded.splits[0][0].length);
  const random = generatorOf(read.randomState);
  const scores: CurveScores = { trainScores: trainSizes.map(() => []), testScores: trainSizes.map(() => []) };
  for (const [fold, [train, test]] of folded.splits.entries()) {
    const rows = read.shuffle ? random.shuffle([...train]) : train;
    const splits = trainSizes.map((size): [number[], number[]] => [rows.slice(0, size), test]);
    const learners = growing(estimator as unknown as AnyEstimator, folded, rows, trainSizes);
    const scored = scoreFolds(learners, { ...folded, splits }, { scoring, returnTrainScore: true });
    addScores(scores, scored);
    read.onProgress?.(fold + 1, folded.splits.length);
  }
  return { trainSizes, ...scores };
}

/** Adds the scores of one fold, point by point. */
function addScores({ trainScores, testScores }: CurveScores, { train, test }: ReturnType<typeof scoreFolds>): void {
  for (const [k, score] of (train.get('score') ?? []).entries()) trainScores[k].push(score);
  for (const [k, score] of (test.get('score') ?? []).entries()) testScores[k].push(score);
}

const validationSpec = {
  ...foldSpec,
  ...scoringSpec,
  /** The name of the parameter. Required. */
  paramName: unchecked<string>(),
  /** The values of the parameter. Required. */
  paramRange: unchecked<readonly unknown[]>(),
} satisfies OptionSpec;

/** Options of `validationCurve`. */
export type ValidationCurveOptions<E extends Candidate> = ScoringOptions<typeof validationSpec, Scoring<E>> & {
  readonly paramName: string;
  readonly paramRange: readonly unknown[];
};

/** The scores by value of one parameter: a row for each value, a column for each fold. */
export function validationCurve<E extends Candidate>(
  estimator: E,
  X: InputOf<E>,
  y: ArrayLike<Label>,
  options: ValidationCurveOptions<E>,
): CurveScores {
  const read = readOptions('validationCurve', validationSpec, options);
  requireCandidate(estimator);
  const { paramName, paramRange } = read;
  if (typeof paramName !== 'string' || !Array.isArray(paramRange) || paramRange.length === 0) {
    refuse('E_PARAM', 'a validation curve needs paramName and a list paramRange', { name: 'paramRange' });
  }
  const scoring = readSingle(read.scoring, 'a curve is of one score');
  const folded = readFolds(X, y, read);
  const variants = paramRange.map((value) => withParams(estimator as unknown as AnyEstimator, { [paramName]: value }));
  const folds = folded.splits.length;
  const scored = variants.map((variant, k) =>
    scoreFolds(learnFolds(variant, folded), folded, {
      scoring,
      returnTrainScore: true,
      onProgress: (done) => read.onProgress?.(k * folds + done, variants.length * folds),
    }),
  );
  return {
    trainScores: scored.map(({ train }) => train.get('score') ?? []),
    testScores: scored.map(({ test }) => test.get('score') ?? []),
  };
}
