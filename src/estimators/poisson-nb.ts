import { byClass } from '../core/linear.ts';
import { choice, flag, type OptionValues, real } from '../core/options.ts';
import type { Shape } from '../data/batch.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { type PoissonOptions, poisson, type RatePrior, type Rates } from '../models/poisson.ts';
import type { Sums } from '../stats/sums.ts';
import { CountingClassifier } from './classifier.ts';
import type { Accepts } from './learning.ts';
import { classPriorOf, classPriors, gapOptions } from './options.ts';

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

/** Parameters of `PoissonNB`. */
export type PoissonNBOptions = Partial<OptionValues<typeof spec>>;

/** Where sums of logarithms of factorials would leave the range of numbers. */
const LARGEST_CELL = 1e150;

/**
 * Naive Bayes for numbers of events: calls per hour, goals, words of a document whose length matters. Unlike `MultinomialNB` it also models
 * the total rate of each class, and a zero is evidence.
 */
export class PoissonNB extends CountingClassifier<typeof spec, Sums, Rates> {
  readonly model: typeof poisson = poisson;
  protected override readonly accepts: Accepts = { sparse: true, nonNegative: true, limit: LARGEST_CELL };

  constructor(options: PoissonNBOptions = {}) {
    super('PoissonNB', spec, options);
    const { rule, shape, predictive } = this.params;
    if (rule === 'map' && shape < 1) {
      refuse('E_PARAM', `shape is ${shape}; the rule map needs a shape ≥ 1`, { name: 'shape', least: 1 });
    }
    if (predictive && rule !== 'bayes') {
      refuse('E_PARAM', `predictive needs the rule bayes, not ${rule}`, { name: 'predictive' });
    }
  }

  /** How many events each feature had in each class. */
  get featureCount(): Matrix {
    const { classes, features, s } = this.rounded(this.fitted());
    return new Matrix(classes, features, s.slice());
  }

  /** λ: the rate of each feature in each class; with `predictive`, its mean. */
  get rates(): Matrix {
    const { classes, features, predictive, missing, cells, exposures } = this.parameters();
    const rates = cells.map((cell, k) => (predictive ? cell / exposures[missing ? k : k % classes] : Math.exp(cell)));
    return new Matrix(classes, features, byClass(rates, classes, features));
  }

  protected modelOptions({ classes }: Shape): PoissonOptions {
    return { prior: this.prior(), classPrior: classPriorOf(this.params, classes) };
  }

  private prior(): RatePrior {
    const { rule, shape, rate, predictive } = this.params;
    if (rule === 'mle') return { rule };
    return rule === 'map' ? { rule, shape, rate } : { rule, shape, rate, predictive };
  }
}
