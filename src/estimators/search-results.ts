import { numpySum } from '../evaluate/numpy.ts';
import { type FoldScores, inName } from './cross-validation.ts';
import type { AnyCandidate } from './fold-learning.ts';
import type { Params } from './with-params.ts';

/**
 * The table of a search, one entry per combination in every column: `params`, `paramAlpha` …, `split0TestScore` …,
 * `meanTestScore`, `stdTestScore`, `rankTestScore`, and on request the same for training rows, `meanFitTime` and `meanScoreTime`.
 */
export interface CvResults {
  readonly params: readonly Params[];
  readonly [param: `param${string}`]: readonly unknown[];
  readonly [split: `split${string}`]: readonly number[];
  readonly [mean: `mean${string}`]: readonly number[];
  readonly [std: `std${string}`]: readonly number[];
  readonly [rank: `rank${string}`]: readonly number[];
}

/** The scores of one combination. */
export type Trial = FoldScores<AnyCandidate>;

/** The mean, added as NumPy adds. */
export function meanOf(values: readonly number[]): number {
  return numpySum(values) / values.length;
}

/** The standard deviation of all values, not of a sample. */
export function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
}

/** Places from 1, the greatest first; equals share the better place, and what is no number comes last. */
export function ranksOf(values: readonly number[]): number[] {
  const worth = values.map((value) => (Number.isNaN(value) ? -Infinity : value));
  return worth.map((value) => 1 + worth.filter((other) => other > value).length);
}

/** The table of all combinations. */
export function tabulate(
  tried: readonly Params[],
  trials: readonly Trial[],
  { returnTrainScore, returnTimes }: { returnTrainScore: boolean; returnTimes: boolean },
): CvResults {
  const table: Record<string, unknown> = { params: tried };
  const names = new Set(tried.flatMap((params) => Object.keys(params)));
  for (const name of names) table[`param${inName(name[0])}${name.slice(1)}`] = tried.map((params) => params[name]);
  for (const side of returnTrainScore ? (['test', 'train'] as const) : (['test'] as const)) {
    for (const name of trials[0][side].keys()) {
      const end = inName(side) + inName(name);
      const scores = trials.map((trial) => trial[side].get(name) ?? []);
      scores[0].forEach((_, k) => {
        table[`split${k}${end}`] = scores.map((folds) => folds[k]);
      });
      addSummary(table, end, scores);
      if (side === 'test') table[`rank${end}`] = ranksOf(scores.map(meanOf));
    }
  }
  for (const name of returnTimes ? (['fitTime', 'scoreTime'] as const) : []) {
    addSummary(
      table,
      inName(name),
      trials.map((trial) => trial[name]),
    );
  }
  return table as unknown as CvResults;
}

function addSummary(table: Record<string, unknown>, end: string, values: readonly (readonly number[])[]): void {
  table[`mean${end}`] = values.map(meanOf);
  table[`std${end}`] = values.map(deviationOf);
}
