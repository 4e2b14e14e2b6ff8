import type { GivenOptions, Option, OptionSpec, OptionValues } from '../core/options.ts';
import { openShare } from './intervals.ts';

/** The result of a comparison, in numbers and in words. */
export interface Verdict {
  /** The advantage of the first; negative if the second is better. */
  readonly difference: number;
  readonly statistic: number;
  readonly pValue: number;
  readonly method: string;
  /** The name of the better one, or null if the difference is not significant. */
  readonly better: string | null;
  readonly words: string;
}

const names: Option<readonly [string, string]> = {
  kind: 'custom',
  default: ['the first', 'the second'],
  expects: 'two names',
  accept: (value) =>
    Array.isArray(value) && value.length === 2 && value.every((name) => typeof name === 'string')
      ? (value as unknown as readonly [string, string])
      : undefined,
};

/** Options of a comparison. */
export const namingSpec = {
  /** The names of the two classifiers. Default: 'the first' and 'the second'. */
  names,
  /** The significance level. Default: 0.05. */
  significance: openShare(0.05),
} satisfies OptionSpec;

/** Options of a comparison. */
export type Naming = GivenOptions<typeof namingSpec>;

interface Finding {
  readonly difference: number;
  readonly statistic: number;
  readonly pValue: number;
  readonly method: string;
  readonly what: string;
  readonly evidence: string;
}

function probability(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`;
}

/** Describes a result in words: which is better, by how much, and the p-value. */
export function describeVerdict(
  { difference, statistic, pValue, method, what, evidence }: Finding,
  read: OptionValues<typeof namingSpec>,
): Verdict {
  const real = pValue < read.significance && difference !== 0;
  const [ahead, behind] = difference > 0 ? read.names : [read.names[1], read.names[0]];
  const by = `${Math.abs(difference).toPrecision(3)} in ${what}`;
  const test = `${method}: ${probability(pValue)}; ${evidence}`;
  const cautious =
    difference === 0
      ? `${read.names[0]} and ${read.names[1]} are equal in ${what} on these rows`
      : `${ahead} is ahead of ${behind} by ${by}, which may well be chance`;
  const words = real ? `${ahead} is better than ${behind} by ${by}, more than chance explains` : cautious;
  return { difference, statistic, pValue, method, better: real ? ahead : null, words: `${words} (${test}).` };
}
