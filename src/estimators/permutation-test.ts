import { type GivenOptions, integer, readOptions } from '../core/options.ts';
import { type Label, requireLabels } from '../data/labels.ts';
import { generatorOf, randomState } from '../evaluate/folds.ts';
import { type CrossValidateOptions, crossValScore } from './cross-validation.ts';
import { type Candidate, foldSpec, requireCandidate } from './fold-learning.ts';
import type { InputOf } from './pipeline-step.ts';
import { scoringSpec } from './scoring.ts';

/** The score, those under permuted labels, and how rare the score is among them. */
export interface PermutationTest {
  readonly score: number;
  readonly permutationScores: Float64Array;
  /** (permutations with a score as high + 1) / (permutations + 1). */
  readonly pvalue: number;
}

const spec = {
  /** How often labels are permuted. Default: 100. */
  nPermutations: integer({ default: 100, min: 1 }),
  /** The random seed. Default: null. */
  randomState,
} as const;

/** How often labels are permuted, and the seed of the permutations. */
export type PermutationTestOptions = GivenOptions<typeof spec>;

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
  const read = readOptions('permutationTestScore', { ...spec, ...foldSpec, ...scoringSpec }, options);
  const { nPermutations, randomState: seed, ...rest } = read;
  requireCandidate(estimator);
  requireLabels(y);
  const random = generatorOf(seed);
  const mean = (labels: ArrayLike<Label>) => {
    const scores = crossValScore(estimator, X, labels, rest as never) as ArrayLike<number>;
    return Array.from(scores).reduce((sum, value) => sum + value, 0) / scores.length;
  };
  const score = mean(y);
  const permutationScores = Float64Array.from({ length: nPermutations }, () => mean(random.shuffle(Array.from(y))));
  const better = permutationScores.filter((other) => other >= score).length;
  return { score, permutationScores, pvalue: (better + 1) / (nPermutations + 1) };
}
