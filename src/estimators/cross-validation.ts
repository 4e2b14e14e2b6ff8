import { choice, flag, type OptionSpec, readOptions } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { requireGoing } from '../engines/memory.ts';
import { refuse } from '../errors.ts';
import {
  type AnyCandidate,
  type Candidate,
  type FoldOptions,
  foldOfRows,
  foldSpec,
  type Lesson,
  learnFolds,
  partOf,
  readLesson,
  requireCandidate,
} from './fold-learning.ts';
import type { InputOf } from './pipeline-step.ts';
import {
  type ReadScoring,
  readScoring,
  type Scoring,
  type Scorings,
  scoreRows,
  scoringSpec,
  spread,
} from './scoring.ts';

/** How an estimator is cross-validated. */
export interface CrossValidateOptions<E extends Candidate, S = Scoring<E>> extends FoldOptions {
  /** 'accuracy' unless given. */
  readonly scoring?: S | undefined;
  readonly returnTrainScore?: boolean | undefined;
  readonly returnEstimator?: boolean | undefined;
  readonly returnIndices?: boolean | undefined;
  /** Seconds of learning and of scoring, the one result that is not repeatable. */
  readonly returnTimes?: boolean | undefined;
}

/** What cross-validation gives beside scores, where it was asked for. */
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
  /** Score the training rows as well. */
  returnTrainScore: flag({ default: false }),
  /** Keep the estimator of every fold. */
  returnEstimator: flag({ default: false }),
  /** Tell the rows of every fold. */
  returnIndices: flag({ default: false }),
  /** Tell how long learning and scoring took. */
  returnTimes: flag({ default: false }),
} satisfies OptionSpec;

/** Scores of every fold by name, and how long they took in seconds. */
export interface FoldScores<L> {
  readonly test: ReadonlyMap<string, number[]>;
  readonly train: ReadonlyMap<string, number[]>;
  readonly estimators: readonly L[];
  readonly fitTime: number[];
  readonly scoreTime: number[];
}

interface Judging {
  readonly scoring: ReadScoring;
  readonly returnTrainScore?: boolean;
  readonly returnEstimator?: boolean;
  readonly onProgress?: (fold: number) => void;
}

/** Judges the estimator of every fold by the rows of its fold; `learners` come in the order of the folds. */
export function judgeFolds<L extends AnyCandidate>(
  learners: Iterable<L>,
  lesson: Lesson,
  { scoring, returnTrainScore = false, returnEstimator = false, onProgress }: Judging,
): FoldScores<L> {
  const empty = () => new Map(Array.from(scoring.keys(), (name): [string, number[]] => [name, []]));
  const times = { fitTime: [] as number[], scoreTime: [] as number[] };
  const result = { test: empty(), train: empty(), estimators: [] as L[], ...times };
  let start = performance.now();
  let fold = 0;
  for (const learner of learners) {
    const learned = performance.now();
    requireGoing(lesson.signal);
    const [train, test] = lesson.splits[fold];
    const judge = (rows: number[]) => scoreRows(learner, partOf(lesson, rows), lesson.classes, scoring);
    for (const [name, score] of judge(test)) result.test.get(name)!.push(score);
    result.fitTime.push((learned - start) / 1000);
    result.scoreTime.push((performance.now() - learned) / 1000);
    if (returnTrainScore) for (const [name, score] of judge(train)) result.train.get(name)!.push(score);
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
 * Cross-validation: the estimator learns each training set afresh and is scored on the rows it has not seen. Several scores
 * are given under their names. Where statistics merge and every row is judged once, all folds together cost one counting
 * pass; a pipeline learns its vocabulary, bins and selections from the training rows of each fold alone.
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
  const lesson = readLesson(X, y, read);
  const folds = lesson.splits.length;
  const learner = estimator as unknown as AnyCandidate;
  const scores = judgeFolds(learnFolds(learner, lesson), lesson, {
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
      indices: { train: lesson.splits.map(([train]) => train), test: lesson.splits.map(([, test]) => test) },
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
 * What is said of every row by an estimator that has not seen it. Every row must be judged once, so repeated and growing
 * splits are refused. Columns are the sorted classes of y; a class that a fold has not seen gets probability 0 there.
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
  const lesson = readLesson(X, y, read);
  const { method } = read;
  const answers = predictFolds(
    learnFolds(estimator as unknown as AnyCandidate, lesson),
    lesson,
    (learner, rows) => {
      const answer = (learner as unknown as Record<string, ((X: unknown) => Label[] | Matrix) | undefined>)[method];
      if (!answer) return refuse('E_PARAM', `a ${learner.kind} has no ${method}`, { name: 'method' });
      const said = answer.call(learner, rows);
      if (!(said instanceof Matrix)) return said.map((label) => [label]);
      return spread(said, learner.classes, lesson.classes, method === 'predictProba' ? 0 : -Infinity).toArray();
    },
    read.onProgress,
  );
  return method === 'predict' ? answers.map(([label]) => label) : Matrix.from(answers as number[][]);
}

/** What every row is told by the estimator of the fold it stands in; refuses folds that do not judge every row once. */
export function predictFolds<L extends AnyCandidate, T>(
  learners: Iterable<L>,
  lesson: Lesson,
  ask: (learner: L, X: unknown) => T[],
  onProgress?: FoldOptions['onProgress'],
): T[] {
  if (!foldOfRows(lesson)) {
    refuse('E_PARAM', 'every row must be judged once', { name: 'cv' });
  }
  const answers = new Array<T>(lesson.y.length);
  let fold = 0;
  for (const learner of learners) {
    requireGoing(lesson.signal);
    const [, test] = lesson.splits[fold];
    for (const [k, answer] of ask(learner, partOf(lesson, test).X).entries()) answers[test[k]] = answer;
    fold++;
    onProgress?.(fold, lesson.splits.length);
  }
  return answers;
}
