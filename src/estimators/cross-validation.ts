import { choice, flag, type OptionSpec, readOptions } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { requireGoing } from '../engines/memory.ts';
import { refuse } from '../errors.ts';
import {
  type AnyEstimator,
  ask,
  type Candidate,
  type FoldedRows,
  type FoldOptions,
  foldOfRows,
  foldSpec,
  learnFolds,
  partOf,
  readFolds,
  requireCandidate,
} from './fold-learning.ts';
import type { InputOf } from './pipeline-step.ts';
import {
  type ReadScoring,
  readScoring,
  type Scoring,
  type ScoringOptions,
  type Scorings,
  scoreRows,
  scoringSpec,
  spread,
} from './scoring.ts';

/** Optional results of cross-validation besides scores. */
export interface CrossValidationExtras<E> {
  readonly fitTime?: number[];
  readonly scoreTime?: number[];
  readonly estimator?: E[];
  readonly indices?: { readonly train: number[][]; readonly test: number[][] };
}

/** One score per fold. */
export interface CrossValidation<E> extends CrossValidationExtras<E> {
  readonly testScore: number[];
  readonly trainScore?: number[];
}

/** One score per fold under the name of each: `testAccuracy`, `testNegLogLoss`, `trainAccuracy` … */
export interface CrossValidations<E> extends CrossValidationExtras<E> {
  readonly [test: `test${string}`]: number[];
  readonly [train: `train${string}`]: number[];
}

const spec = {
  ...foldSpec,
  ...scoringSpec,
  /** Score the training rows as well. Default: false. */
  returnTrainScore: flag({ default: false }),
  /** Keep the estimator of every fold. Default: false. */
  returnEstimator: flag({ default: false }),
  /** Return the rows of every fold. Default: false. */
  returnIndices: flag({ default: false }),
  /** Return the seconds of fitting and of scoring, which are not reproducible. Default: false. */
  returnTimes: flag({ default: false }),
} satisfies OptionSpec;

/** Options of cross-validation. */
export type CrossValidateOptions<E extends Candidate, S = Scoring<E>> = ScoringOptions<typeof spec, S>;

/** Scores of every fold by name, and how long they took in seconds. */
export interface FoldScores<L> {
  readonly test: ReadonlyMap<string, number[]>;
  readonly train: ReadonlyMap<string, number[]>;
  readonly estimators: readonly L[];
  readonly fitTime: number[];
  readonly scoreTime: number[];
}

interface FoldScoring {
  readonly scoring: ReadScoring;
  readonly returnTrainScore?: boolean;
  readonly returnEstimator?: boolean;
  readonly onProgress?: (fold: number) => void;
}

/** Scores the estimator of every fold on the test rows of the fold; `learners` come in the order of the folds. */
export function scoreFolds<L extends AnyEstimator>(
  learners: Iterable<L>,
  folded: FoldedRows,
  { scoring, returnTrainScore = false, returnEstimator = false, onProgress }: FoldScoring,
): FoldScores<L> {
  const empty = () => new Map(Array.from(scoring.keys(), (name): [string, number[]] => [name, []]));
  const times = { fitTime: [] as number[], scoreTime: [] as number[] };
  const result = { test: empty(), train: empty(), estimators: [] as L[], ...times };
  let start = performance.now();
  let fold = 0;
  for (const learner of learners) {
    const learned = performance.now();
    requireGoing(folded.signal);
    const [train, test] = folded.splits[fold];
    const scoresOn = (rows: number[]) => scoreRows(learner, partOf(folded, rows), folded.classes, scoring);
    for (const [name, score] of scoresOn(test)) result.test.get(name)!.push(score);
    result.fitTime.push((learned - start) / 1000);
    result.scoreTime.push((performance.now() - learned) / 1000);
    if (returnTrainScore) for (const [name, score] of scoresOn(train)) result.train.get(name)!.push(score);
    if (returnEstimator) result.estimators.push(learner);
    fold++;
    onProgress?.(fold);
    start = performance.now();
  }
  return result;
}

/** `neg_log_loss` as the end of a name: `NegLogLoss`. */
export function inName(name: string): string {
  return name.replace(/(?:^|_)([^_])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Cross-validation: the estimator is fitted to each training set and scored on the held-out rows. Several scores are given under their
 * names. Where statistics merge and every row is scored once, all folds together cost one counting pass; a pipeline learns its vocabulary,
 * bins and selections from the training rows of each fold alone.
 */
export function crossValidate<E extends Candidate>(
  estimator: E,
  X: InputOf<E>,
  y: ArrayLike<Label>,
  options?: CrossValidateOptions<E>,
): CrossValidation<E>;
export function crossValidate<E extends Candidate>(
  estimator: E,
  X: InputOf<E>,
  y: ArrayLike<Label>,
  options: CrossValidateOptions<E, Scorings<E>>,
): CrossValidations<E>;
export function crossValidate(estimator: Candidate, X: unknown, y: ArrayLike<Label>, options: object = {}): object {
  const read = readOptions('crossValidate', spec, options);
  requireCandidate(estimator);
  const scoring = readScoring(read.scoring);
  const folded = readFolds(X, y, read);
  const folds = folded.splits.length;
  const learner = estimator as unknown as AnyEstimator;
  const scores = scoreFolds(learnFolds(learner, folded), folded, {
    ...read,
    scoring,
    onProgress: (done) => read.onProgress?.(done, folds),
  });
  const named = (side: 'test' | 'train') => Array.from(scores[side], ([name, values]) => [side + inName(name), values]);
  return {
    ...Object.fromEntries([...named('test'), ...(read.returnTrainScore ? named('train') : [])]),
    ...(read.returnTimes && { fitTime: scores.fitTime, scoreTime: scores.scoreTime }),
    ...(read.returnEstimator && { estimator: scores.estimators }),
    ...(read.returnIndices && {
      indices: { train: folded.splits.map(([train]) => train), test: folded.splits.map(([, test]) => test) },
    }),
  };
}

/** The scores of cross-validation alone, one per fold. */
export function crossValScore<E extends Candidate>(
  estimator: E,
  X: InputOf<E>,
  y: ArrayLike<Label>,
  options: FoldOptions & { readonly scoring?: Scoring<E> | undefined } = {},
): number[] {
  readOptions('crossValScore', { ...foldSpec, ...scoringSpec }, options);
  return crossValidate(estimator, X, y, options).testScore;
}

/** What is predicted: labels, or a column per class. */
export type PredictMethod = 'predict' | 'predictProba' | 'predictLogProba' | 'predictJointLogProba';

const methods = ['predict', 'predictProba', 'predictLogProba', 'predictJointLogProba'] as const;
const predictSpec = {
  ...foldSpec,
  /** What is predicted. */
  method: choice(methods, { default: 'predict' }),
} satisfies OptionSpec;

/**
 * The prediction for every row by an estimator that has not learned it. Every row must be held out exactly once, so repeated and growing
 * splits are rejected. Columns are the sorted classes of y; a class absent from a training set gets probability 0.
 */
export function crossValPredict<E extends Candidate>(
  estimator: E,
  X: InputOf<E>,
  y: ArrayLike<Label>,
  options?: FoldOptions & { readonly method?: 'predict' | undefined },
): Label[];
export function crossValPredict<E extends Candidate>(
  estimator: E,
  X: InputOf<E>,
  y: ArrayLike<Label>,
  options: FoldOptions & { readonly method: Exclude<PredictMethod, 'predict'> },
): Matrix;
export function crossValPredict(estimator: Candidate, X: unknown, y: ArrayLike<Label>, options: object = {}): unknown {
  const read = readOptions('crossValPredict', predictSpec, options);
  requireCandidate(estimator);
  const folded = readFolds(X, y, read);
  const { method } = read;
  const answers = predictFolds(
    learnFolds(estimator as unknown as AnyEstimator, folded),
    folded,
    (learner, rows) => {
      const said: Label[] | Matrix = ask(learner, method, rows);
      if (!(said instanceof Matrix)) return said.map((label) => [label]);
      return spread(said, learner.classes, folded.classes, method === 'predictProba' ? 0 : -Infinity).toArray();
    },
    read.onProgress,
  );
  return method === 'predict' ? answers.map(([label]) => label) : Matrix.from(answers as number[][]);
}

/** The prediction for every row from the estimator of its fold; throws if a row is not held out exactly once. */
export function predictFolds<L extends AnyEstimator, T>(
  learners: Iterable<L>,
  folded: FoldedRows,
  predict: (learner: L, X: unknown) => T[],
  onProgress?: FoldOptions['onProgress'],
): T[] {
  if (!foldOfRows(folded)) {
    refuse('E_PARAM', 'every row must be scored once', { name: 'cv' });
  }
  const answers = new Array<T>(folded.y.length);
  let fold = 0;
  for (const learner of learners) {
    requireGoing(folded.signal);
    const [, test] = folded.splits[fold];
    for (const [k, answer] of predict(learner, partOf(folded, test).X).entries()) answers[test[k]] = answer;
    fold++;
    onProgress?.(fold, folded.splits.length);
  }
  return answers;
}
