import { choice, flag, type OptionValues, real } from '../../core/options.ts';
import { type PoissonOptions, poisson, type RatePrior, type Rates } from '../../models/poisson.ts';
import type { Sums } from '../../stats/sums.ts';
import { classPriorOf, classPriors, gapOptions } from '../options.ts';
import type { Kind } from './kind.ts';

const spec = {
  /** Rates by the mean or the mode of the posterior, or by likelihood. Default: 'bayes'. */
  rule: choice(['bayes', 'map', 'mle'], { default: 'bayes' }),
  /** Shape of the Gamma prior of every rate: events before the first row. Default: 1. */
  shape: real({ default: 1, min: 0 }),
  /** Rate of the Gamma prior of every rate: rows before the first row. Default: 1. */
  rate: real({ default: 1, min: 0 }),
  /** Integrate over the rates: negative binomial cells, with the rule bayes. Default: false. */
  predictive: flag({ default: false }),
  ...classPriors,
  ...gapOptions,
} as const;

/** `PoissonNB` as data. */
export const poissonKind: Kind<typeof spec, Sums, Rates, PoissonOptions> = {
  name: 'PoissonNB',
  spec,
  model: () => poisson,
  accepts: () => ({ sparse: true, nonNegative: true, limit: LARGEST_CELL }),
  modelOptions: (params, { classes }) => ({ prior: ratePrior(params), classPrior: classPriorOf(params, classes) }),
};

function ratePrior({ rule, shape, rate, predictive }: OptionValues<typeof spec>): RatePrior {
  if (rule === 'mle') return { rule };
  return rule === 'map' ? { rule, shape, rate } : { rule, shape, rate, predictive };
}

/** Where sums of logarithms of factorials would leave the range of numbers. */
const LARGEST_CELL = 1e150;
