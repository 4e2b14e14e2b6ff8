import { choice, type OptionSpec, readOptions } from '../core/options.ts';
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
import { spread } from './scoring.ts';

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
