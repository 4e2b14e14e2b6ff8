import { betaPosterior, type ParameterPosterior } from '../core/distributions.ts';
import { byClass } from '../core/linear.ts';
import { choice, type OptionValues, real } from '../core/options.ts';
import { type Background, isBackground, type Prior, pseudoAt, pseudoCount, pseudoSum } from '../core/prior.ts';
import type { Expectation } from '../data/input.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import { background } from '../models/background.ts';
import { type Dice, type MultinomialOptions, multinomial } from '../models/multinomial.ts';
import type { Sums } from '../stats/sums.ts';
import { DiscreteNB, type ParameterQuery } from './discrete.ts';
import { everyPosterior, type LocatedPosterior } from './every-posterior.ts';
import { classPriorOf, common, priorOf, smoothing } from './smoothing.ts';

const spec = {
  ...smoothing,
  smoothing: choice(['lidstone', 'jelinek-mercer', 'dirichlet', 'absolute'], {
    default: 'lidstone',
    doc: 'what dice lean on: the pseudo-count alpha, or the words of all classes in one of three ways',
  }),
  lambda: real({ default: 0.9, min: 0, max: 1, doc: 'share of the background, for jelinek-mercer' }),
  mu: real({ default: 1000, min: 0, doc: 'words of the background that are added to each class, for dirichlet' }),
  delta: real({ default: 0.7, min: 0, max: 1, doc: 'discount of every count, for absolute' }),
  ...common,
} as const;

/** Parameters of `MultinomialNB`. */
export type MultinomialNBOptions = Partial<OptionValues<typeof spec>>;

/**
 * Naive Bayes for counts: how often each word occurs. Agrees with scikit-learn's class of this name; alpha may also be given per
 * class and feature or be chosen by leave-one-out, and dice may lean on the words of all classes instead.
 */
export class MultinomialNB extends DiscreteNB<typeof spec, Sums, Dice> {
  readonly model: typeof multinomial = multinomial;

  constructor(options: MultinomialNBOptions = {}) {
    super('MultinomialNB', spec, options);
  }

  /** How often each feature was counted in each class. */
  get featureCount(): Matrix {
    const { classes, features, s } = this.rounded(this.fitted());
    return new Matrix(classes, features, s.slice());
  }

  /** ln θ: the logarithm of the probability of each face of the die of each class. */
  get featureLogProb(): Matrix {
    const { classes, features, weights } = this.parameters();
    return new Matrix(classes, features, byClass(weights, classes, features));
  }

  /** What is known of the probability of a word in a class: the marginal of its Dirichlet distribution, with intervals. */
  posterior(): LocatedPosterior[];
  posterior(query: ParameterQuery): ParameterPosterior;
  posterior(query?: ParameterQuery): ParameterPosterior | LocatedPosterior[] {
    if (!query) return everyPosterior(this.fitted(), (place) => this.posterior(place));
    const { c, j } = this.locate(query);
    const stats = this.rounded(this.fitted());
    const { features, s } = stats;
    const prior = this.prior(this.chosen());
    if (isBackground(prior) && prior.rule !== 'dirichlet') {
      refuse('E_PARAM', `the smoothing '${prior.rule}' is no prior distribution, so there is no posterior`, {
        name: 'smoothing',
      });
    }
    const k = isBackground(prior) ? background(stats).map((share) => share * prior.mu) : pseudoCount(prior);
    const own = s[c * features + j] + pseudoAt(k, features, c, j);
    const all = sum(s, c * features, features) + pseudoSum(k, features, c);
    return betaPosterior(own, Math.max(0, all - own));
  }

  protected expectation(): Expectation {
    return { sparse: true, nonNegative: true, extra: this.params.extra };
  }

  protected override get choosing(): boolean {
    return super.choosing && this.params.smoothing === 'lidstone';
  }

  protected optionsWith(chosen: number): MultinomialOptions {
    return { prior: this.prior(chosen), classPrior: classPriorOf(this.params) };
  }

  private prior(chosen: number): Prior | Background {
    const { smoothing: rule, lambda, mu, delta } = this.params;
    if (rule === 'jelinek-mercer') return { rule, lambda };
    if (rule === 'dirichlet') return { rule, mu };
    return rule === 'absolute' ? { rule, delta } : priorOf(this.params, chosen);
  }
}
