import { type OptionSpec, type OptionValues, readOptions, real } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import { refuse } from '../errors.ts';
import { lowerBeta } from '../math/incomplete-beta.ts';
import { studentTwoSidedTail } from '../math/tails.ts';
import { readColumn } from './scores.ts';
import { readPair, requireLength } from './targets.ts';
import { describeVerdict, type Naming, namingSpec, type Verdict } from './verdict.ts';

/** The result of McNemar's test, with the rows that only one classifier gets right. */
export interface McNemarVerdict extends Verdict {
  readonly onlyFirst: number;
  readonly onlySecond: number;
}

const rows = real({ default: 0, min: 1 });
const tSpec = {
  ...namingSpec,
  /** The number of training rows of a fold. Required. */
  nTrain: rows,
  /** The number of held-out rows of a fold. Required. */
  nTest: rows,
} satisfies OptionSpec;

/** The numbers of rows that the folds were trained on and evaluated on. */
export type CorrectedTTestOptions = Naming & Pick<OptionValues<typeof tSpec>, 'nTrain' | 'nTest'>;

/** P(at most the smaller, or at least the larger, of a and b heads in a + b tosses of a fair coin). */
function twoSidedSign(a: number, b: number): number {
  const least = Math.min(a, b);
  return a + b === 0 ? 1 : Math.min(1, 2 * lowerBeta(0.5, a + b - least, least + 1));
}

/**
 * McNemar's test of two classifiers on the same rows: of the b + c rows that only one of them gets right, are more the
 * first one's than a fair coin would give? The p-value is exact, the binomial probability.
 * McNemar, Psychometrika 12 (1947); Dietterich, Neural Comput. 10 (1998), §3.1.
 */
export function mcnemarTest(
  yTrue: ArrayLike<Label>,
  first: ArrayLike<Label>,
  second: ArrayLike<Label>,
  options: Naming = {},
): McNemarVerdict {
  const read = readOptions('mcnemarTest', namingSpec, options);
  const [left, right] = [readPair(yTrue, first, null), readPair(yTrue, second, null)];
  let [onlyFirst, onlySecond] = [0, 0];
  for (let i = 0; i < left.truth.length; i++) {
    const [a, b] = [left.truth[i] === left.guess[i], right.truth[i] === right.guess[i]];
    if (a && !b) onlyFirst++;
    if (b && !a) onlySecond++;
  }
  const statistic = Math.min(onlyFirst, onlySecond);
  const pValue = twoSidedSign(onlyFirst, onlySecond);
  const difference = (onlyFirst - onlySecond) / left.truth.length;
  const evidence = `${onlyFirst} rows only the first gets right, ${onlySecond} only the second, of ${left.truth.length}`;
  const method = 'McNemar, exact';
  const verdict = describeVerdict({ difference, statistic, pValue, method, what: 'accuracy', evidence }, read);
  return { ...verdict, onlyFirst, onlySecond };
}

/** t and p of a mean with a given variance; a difference without any spread is certain. */
function studentTest(mean: number, variance: number, df: number): [t: number, p: number] {
  if (variance === 0) return mean === 0 ? [0, 1] : [Math.sign(mean) * Infinity, 0];
  const t = mean / Math.sqrt(variance);
  return [t, studentTwoSidedTail(t, df)];
}

/**
 * The corrected resampled t-test of two classifiers on the same folds, with d the differences of their scores in J folds:
 *
 *   t = d̄ / √((1/J + nTest/nTrain) σ²),  J − 1 degrees of freedom      (1)
 *
 * The term nTest/nTrain corrects for the training rows that folds share; without it the test reports differences that do not exist. Nadeau
 * & Bengio, Mach. Learn. 52 (2003), §3.
 */
export function correctedResampledTTest(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  options: CorrectedTTestOptions,
): Verdict {
  const read = readOptions('correctedResampledTTest', tSpec, options);
  if (!(read.nTrain >= 1 && read.nTest >= 1))
    refuse('E_PARAM', 'nTrain and nTest are numbers of rows', { name: 'nTrain' });
  const [a, b] = [readColumn(first, 'first'), readColumn(second, 'second')];
  requireLength('second', b.length, a.length);
  if (a.length < 2) refuse('E_SHAPE', `a spread needs two folds, got ${a.length}`, { actual: a.length, limit: 2 });
  const d = a.map((value, k) => value - b[k]);
  const folds = d.length;
  const mean = d.reduce((x, y) => x + y, 0) / folds;
  const spread = d.reduce((all, value) => all + (value - mean) ** 2, 0) / (folds - 1);
  const [statistic, pValue] = studentTest(mean, (1 / folds + read.nTest / read.nTrain) * spread, folds - 1);
  const method = 'corrected resampled t';
  const evidence = `${folds} folds, standard deviation of the difference ${Math.sqrt(spread).toPrecision(2)}`;
  return describeVerdict({ difference: mean, statistic, pValue, method, what: 'score', evidence }, read);
}
