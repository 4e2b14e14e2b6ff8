import { gammaPosterior, type ParameterPosterior } from '../core/distributions.ts';
import { byClass } from '../core/linear.ts';
import { choice, flag, type OptionValues, real } from '../core/options.ts';
import { logClassPrior } from '../core/prior.ts';
import type { Shape } from '../data/batch.ts';
import type { Expectation } from '../data/input.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { type PoissonOptions, poisson } from '../models/poisson.ts';
import type { RatePrior, Rates } from '../models/poisson-cells.ts';
import type { Sums } from '../stats/sums.ts';
import { CountingClassifier } from './classifier.ts';
import { locate, type ParameterQuery } from './discrete.ts';
import { everyPosterior, type LocatedPosterior } from './every-posterior.ts';
import { classPriorOf, classPriors, common, missing } from './smoothing.ts';

const spec = {
  rule: choice(['bayes', 'map', 'mle'], {
    default: 'bayes',
    doc: 'rates by the mean or the mode of the posterior, or by likelihood',
  }),
  shape: real({ default: 1, min: 0, doc: 'shape of the Gamma prior of every rate: events before the first row' }),
  rate: real({ default: 1, min: 0, doc: 'rate of the Gamma prior of every rate: rows before the first row' }),
  predictive: flag({ default: false, doc: 'integrate over the rates: negative binomial cells, with the rule bayes' }),
  ...classPriors,
  missing,
  ...common,
} as const;

/** Parameters of `PoissonNB`. */
export type PoissonNBOptions = Partial<OptionValues<typeof spec>>;

/** Where sums of logarithms of factorials would leave the range of numbers. */
const LARGEST_CELL = 1e150;

/**
 * Naive Bayes for numbers of events: calls per hour, goals, words of a document whose length matters. Unlike `MultinomialNB` it
 * also learns how much happens in each class, and a zero is evidence.
 */
export class PoissonNB extends CountingClassifier<typeof spec, Sums, Rates> {
  readonly model: typeof poisson = poisson;

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

  /** The weight of each class. */
  get classCount(): Float64Array {
    return this.rounded(this.fitted()).n.slice();
  }

  /** How many events each feature had in each class. */
  get featureCount(): Matrix {
    const { classes, features, s } = this.rounded(this.fitted());
    return new Matrix(classes, features, s.slice());
  }

  /** ln p(c). */
  get classLogPrior(): Float64Array {
    return this.parameters().logPrior.slice();
  }

  /** λ: the rate of each feature in each class; with `predictive`, its mean. */
  get rates(): Matrix {
    const { classes, features, predictive, missing, cells, exposures } = this.parameters();
    const rates = cells.map((cell, k) => (predictive ? cell / exposures[missing ? k : k % classes] : Math.exp(cell)));
    return new Matrix(classes, features, byClass(rates, classes, features));
  }

  /** What is known of a rate: a Gamma distribution, with intervals. Without a prior its density is as 1 / λ. */
  posterior(): LocatedPosterior[];
  posterior(query: ParameterQuery): ParameterPosterior;
  posterior(query?: ParameterQuery): ParameterPosterior | LocatedPosterior[] {
    if (!query) return everyPosterior(this.fitted(), (place) => this.posterior(place));
    const learned = this.fitted();
    const { c, j } = locate(learned, query.class, query.feature);
    const { features, n, s, m } = this.rounded(learned);
    const { rule, shape, rate } = this.params;
    const added = rule === 'mle' ? { shape: 0, rate: 0 } : { shape, rate };
    const rows = n[c] - (m.length > 0 ? m[c * features + j] : 0);
    return gammaPosterior(s[c * features + j] + added.shape, rows + added.rate);
  }

  protected expectation(): Expectation {
    const { missing, extra } = this.params;
    return { sparse: true, nonNegative: true, missing: missing === 'ignore', extra, limit: LARGEST_CELL };
  }

  protected modelOptions({ classes }: Shape): PoissonOptions {
    const classPrior = classPriorOf(this.params);
    logClassPrior(new Float64Array(classes).fill(1), classPrior);
    return { prior: this.prior(), classPrior };
  }

  private prior(): RatePrior {
    const { rule, shape, rate, predictive } = this.params;
    if (rule === 'mle') return { rule };
    return rule === 'map' ? { rule, shape, rate } : { rule, shape, rate, predictive };
  }
}
