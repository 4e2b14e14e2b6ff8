import { type GivenOptions, type Option, type OptionSpec, readOptions } from '../core/options.ts';
import { requireNumber } from '../data/arguments.ts';
import { normalQuantile } from '../math/erf.ts';
import { betaQuantile } from '../math/incomplete-beta.ts';

/** An estimate with its confidence interval from `low` to `high`, by the named method. */
export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly level: number;
  readonly method: string;
  /** The number of trials or rows. */
  readonly n: number;
}

/** A number above 0 and below 1. */
export const openShare = (share: number): Option<number> => ({
  kind: 'real',
  default: share,
  expects: 'a number above 0 and below 1',
  accept: (value) => (typeof value === 'number' && value > 0 && value < 1 ? value : undefined),
});

/** The option `level`. */
export const levelOption = {
  /** The confidence level. Default: 0.95. */
  level: openShare(0.95),
} satisfies OptionSpec;

/** The confidence of an interval. */
export type IntervalOptions = GivenOptions<typeof levelOption>;

function requireTrials(successes: number, n: number): void {
  requireNumber('n', n, 'a finite number of trials', Number.isFinite);
  requireNumber('successes', successes, `from 0 to the ${n} trials`, (value) => value >= 0 && value <= n);
}

/**
 * Wilson's interval of a proportion p = k / n, z the normal quantile of the level:
 *
 *   (p + z²/2n ± z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n)                 (1)
 *
 * It lies within [0, 1] and covers near its level on average. Of no trials it is [0, 1], and the value NaN.
 * Wilson, J. Am. Stat. Assoc. 22 (1927).
 */
export function wilsonInterval(successes: number, n: number, options: IntervalOptions = {}): Interval {
  const { level: confidence } = readOptions('wilsonInterval', levelOption, options);
  requireTrials(successes, n);
  const named = { level: confidence, method: 'wilson', n };
  if (n === 0) return { value: Number.NaN, low: 0, high: 1, ...named };
  const z = normalQuantile((1 + confidence) / 2);
  const p = successes / n;
  const width = 1 + z ** 2 / n;
  const centre = (p + z ** 2 / (2 * n)) / width;
  const half = (z / width) * Math.sqrt((p * (1 - p)) / n + (z / (2 * n)) ** 2);
  // At 0 and n successes an end is 0 or 1 but for rounding.
  const low = successes === 0 ? 0 : Math.min(p, Math.max(0, centre - half));
  const high = successes === n ? 1 : Math.max(p, Math.min(1, centre + half));
  return { value: p, low, high, ...named };
}

/**
 * Clopper and Pearson's exact interval of a proportion: the p at which k or more, and k or fewer, successes have probability
 * (1 − level) / 2; quantiles of Beta(k, n − k + 1) and Beta(k + 1, n − k). It covers at least its level, always.
 * Biometrika 26 (1934).
 */
export function clopperPearsonInterval(successes: number, n: number, options: IntervalOptions = {}): Interval {
  const { level: confidence } = readOptions('clopperPearsonInterval', levelOption, options);
  requireTrials(successes, n);
  const tail = (1 - confidence) / 2;
  return {
    value: n === 0 ? Number.NaN : successes / n,
    low: successes === 0 ? 0 : betaQuantile(tail, successes, n - successes + 1),
    high: successes === n ? 1 : betaQuantile(1 - tail, successes + 1, n - successes),
    level: confidence,
    method: 'clopper-pearson',
    n,
  };
}
