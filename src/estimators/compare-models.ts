import { type OptionSpec, readOptions } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import { refuse } from '../errors.ts';
import { correctedResampledTTest, type McNemarVerdict, mcnemarTest } from '../evaluate/compare.ts';
import { deviationOf, meanOf } from '../evaluate/numpy.ts';
import { namingSpec, type Verdict } from '../evaluate/verdict.ts';
import { predictFolds, scoreFolds } from './cross-validation.ts';
import {
  type AnyEstimator,
  type Candidate,
  type FoldedRows,
  foldOfRows,
  foldSpec,
  learnFolds,
  readFolds,
  requireCandidate,
} from './fold-learning.ts';
import type { InputOf } from './pipeline-step.ts';
import { readSingle, type Scoring, type ScoringOptions, scoringSpec } from './scoring.ts';

/** Two models on the same folds, in numbers and in words. */
export interface ModelComparison {
  readonly names: readonly [first: string, second: string];
  /** Scores by fold. */
  readonly scores: readonly [first: number[], second: number[]];
  /** The corrected resampled t-test of the scores. */
  readonly tTest: Verdict;
  /** McNemar's test of the predicted labels; null where a row is scored never or several times. */
  readonly mcnemar: McNemarVerdict | null;
  /** The better one by the t-test, or null if the difference is not significant. */
  readonly better: string | null;
  readonly words: string;
}

const spec = {
  ...foldSpec,
  ...scoringSpec,
  ...namingSpec,
  /** The names of the two models. Default: their classes, or first and second if these are the same. */
  names: { ...namingSpec.names, default: null as readonly [string, string] | null },
} satisfies OptionSpec;

/** Options of `compareModels`. */
export type CompareModelsOptions<E extends Candidate> = ScoringOptions<typeof spec, Scoring<E>>;

/**
 * Compares two models on the same folds: do their scores differ by more than the choice of folds explains (corrected resampled t-test), and
 * does one of them get more rows right than the other (McNemar)? The result is also given in words, and states when the difference is not
 * significant.
 */
export function compareModels<E extends Candidate, F extends Candidate>(
  first: E,
  second: F,
  X: InputOf<E> & InputOf<F>,
  y: ArrayLike<Label>,
  options: CompareModelsOptions<E | F> = {},
): ModelComparison {
  const read = readOptions('compareModels', spec, options);
  for (const estimator of [first, second]) requireCandidate(estimator);
  const scoring = readSingle(read.scoring, 'models are compared by one score');
  const folded = readFolds(X, y, read);
  if (folded.splits.length < 2) refuse('E_PARAM', 'a comparison needs at least two folds', { name: 'cv' });
  const naming = { names: read.names ?? namesOf(first, second), significance: read.significance };
  const folds = folded.splits.length;
  const [left, right] = [first, second].map((model, k) => {
    const learner = model as unknown as AnyEstimator;
    const returnEstimator = foldOfRows(folded) !== undefined;
    const onProgress = (done: number) => read.onProgress?.(k * folds + done, 2 * folds);
    return scoreFolds(learnFolds(learner, folded), folded, { scoring, returnEstimator, onProgress });
  });
  const scores = [left, right].map(({ test }) => test.get('score') ?? []) as [number[], number[]];
  const tTest = correctedResampledTTest(...scores, { ...naming, ...sizesOf(folded) });
  const mcnemar = foldOfRows(folded)
    ? mcnemarTest(y, labelsOf(left.estimators, folded), labelsOf(right.estimators, folded), naming)
    : null;
  const what = typeof read.scoring === 'string' ? read.scoring : 'score';
  const words = [summary(naming.names, scores, what), tTest.words, mcnemar?.words].filter(Boolean).join(' ');
  return { names: naming.names, scores, tTest, mcnemar, better: tTest.better, words };
}

const labelsOf = (learners: readonly AnyEstimator[], folded: FoldedRows) =>
  predictFolds(learners, folded, (learner, X) => learner.predict(X));

/** The class names of the two models, or the first and the second if these are equal. */
function namesOf(first: Candidate, second: Candidate): [string, string] {
  if (first.kind !== second.kind) return [first.kind, second.kind];
  return [`the first ${first.kind}`, `the second ${second.kind}`];
}

/** Mean numbers of training and test rows. */
function sizesOf({ splits }: FoldedRows): { nTrain: number; nTest: number } {
  return {
    nTrain: meanOf(splits.map(([train]) => train.length)),
    nTest: meanOf(splits.map(([, test]) => test.length)),
  };
}

function summary([first, second]: readonly [string, string], scores: readonly number[][], what: string): string {
  const [a, b] = scores.map((values) => `${meanOf(values).toFixed(4)} ± ${deviationOf(values).toFixed(4)}`);
  return `On the same ${scores[0].length} folds the ${what} is ${a} for ${first} and ${b} for ${second}.`;
}
