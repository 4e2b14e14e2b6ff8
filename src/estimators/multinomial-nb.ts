import { choice, type OptionValues, real } from '../core/options.ts';
import type { Background, Prior } from '../core/prior.ts';
import type { Expectation } from '../data/input.ts';
import type { Matrix } from '../data/matrix.ts';
import { countsOf, type Dice, facesOf } from '../models/dice.ts';
import { type MultinomialOptions, multinomial } from '../models/multinomial.ts';
import { diceLeaveOneOut } from '../models/multinomial-held-out.ts';
import type { Sums } from '../stats/sums.ts';
import { classPriorOf } from './class-prior.ts';
import { DiscreteNB } from './discrete.ts';
import { common, priorOf, smoothing } from './smoothing.ts';

const spec = {
  ...smoothing,
  /** What dice lean on: the pseudo-count alpha, or the words of all classes in one of three ways. */
  smoothing: choice(['lidstone', 'jelinek-mercer', 'dirichlet', 'absolute'], {
    default: 'lidstone',
  }),
  /** Share of the background, for jelinek-mercer. */
  lambda: real({ default: 0.9, min: 0, max: 1 }),
  /** Words of the background that are added to each class, for dirichlet. */
  mu: real({ default: 1000, min: 0 }),
  /** Discount of every count, for absolute. */
  delta: real({ default: 0.7, min: 0, max: 1 }),
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
  protected readonly heldOut: typeof diceLeaveOneOut = diceLeaveOneOut;

  constructor(options: MultinomialNBOptions = {}) {
    super('MultinomialNB', spec, options);
  }

  /** How often each feature was counted in each class. */
  get featureCount(): Matrix {
    return countsOf(this.rounded(this.fitted()));
  }

  /** ln θ: the logarithm of the probability of each face of the die of each class. */
  get featureLogProb(): Matrix {
    return facesOf(this.parameters());
  }

  protected expectation(): Expectation {
    return { sparse: true, nonNegative: true, extra: this.params.extra };
  }

  override get settles(): boolean {
    return super.settles && this.params.smoothing === 'lidstone';
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
