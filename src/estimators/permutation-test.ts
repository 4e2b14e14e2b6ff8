import { integer, readOptions } from '../core/options.ts';
import { requireOptions } from '../data/arguments.ts';
import { type Label, requireLabels } from '../data/labels.ts';
import { generatorOf, randomState } from '../evaluate/folds.ts';
import { type CrossValidateOptions, crossValScore } from './cross-validation.ts';
import { type Candidate, requireCandidate } from './fold-learning.ts';
import type { InputOf } from './pipeline-step.ts';

/** How often labels are permuted, and by which chance. */
export interface PermutationTestOptions {
  readonly nPermutations?: number | undefined;
  readonly randomState?: number | undefined;
}

/** The score, those under permuted labels, and how rare the score is among them. */
export interface PermutationTest {
  readonly score: number;
  readonly permutationScores: Float64Array;
  /** (permutations with a score as high + 1) / (permutations + 1). */
  readonly pvalue: number;
}

const spec = {
  /** How often. */
  nPermutations: integer({ default: 100, min: 1 }),
  randomState,
} as const;

/**
 * Whether a classifier has found a connection of rows and labels: its cross-validated score against those of the same labels in random
 * order. Ojala & Garriga, Permutation Tests for Studying Classifier Performance (2010), test 1.
 */
export function permutationTestScore<E extends Candidate>(
  estimator: E,
  X: InputOf<E>,
  y: ArrayLike<Label>,
  options: CrossValidateOptions<E> & PermutationTestOptions = {},
): PermutationTest {
  const known = ['nPermutations', 'randomState', 'scoring', 'cv', 'groups', 'sampleWeight', 'signal', 'onProgress'];
  const { nPermutations, randomState: seed, ...rest } = requireOptions('permutationTestScore', known, options);
  requireCandidate(estimator);
  requireLabels(y);
  const read = readOptions('permutationTestScore', spec, { nPermutations, randomState: seed });
  const random = generatorOf(read.randomState);
  const mean = (labels: ArrayLike<Label>) => {
    const scores = crossValScore(estimator, X, labels, rest as never) as ArrayLike<number>;
    return Array.from(scores).reduce((sum, value) => sum + value, 0) / scores.length;
  };
  const score = mean(y);
  const permutationScores = Float64Array.from({ length: read.nPermutations }, () =>
    mean(random.shuffle(Array.from(y))),
  );
  const better = permutationScores.filter((other) => other >= score).length;
  return { score, permutationScores, pvalue: (better + 1) / (read.nPermutations + 1) };
}
