import { choice, type OptionValues, real } from '../core/options.ts';
import type { Background, Prior } from '../core/prior.ts';
import type { Shape } from '../data/batch.ts';
import type { Matrix } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import {
  countsOf,
  diceLeaveOneOut,
  facesOf,
  type MultinomialOptions,
  type MultinomialParameters,
  multinomial,
} from '../models/multinomial.ts';
import type { Sums } from '../stats/sums.ts';
import { alphaChoice } from './auto-alpha.ts';
import { CountingClassifier } from './classifier.ts';
import type { Accepts, FirstChoice } from './learning.ts';
import {
  alphaChosen,
  alphaInUse,
  classPriorOf,
  common,
  estimate,
  priorOf,
  requireChoosable,
  smoothing,
} from './options.ts';

const spec = {
  ...smoothing,
  /** The point estimate: posterior mean, posterior mode, or maximum likelihood. Default: 'mean'. */
  estimate,
  /** The smoothing: the pseudo-count alpha, or one of three ways to use the words of all classes as background. Default: 'lidstone'. */
  smoothing: choice(['lidstone', 'jelinek-mercer', 'dirichlet', 'absolute'], { default: 'lidstone' }),
  /** Share of the background, for jelinek-mercer. Default: 0.9. */
  lambda: real({ default: 0.9, min: 0, max: 1 }),
  /** Words of the background that are added to each class, for dirichlet. Default: 1000. */
  mu: real({ default: 1000, min: 0 }),
  /** Discount of every count, for absolute. Default: 0.7. */
  delta: real({ default: 0.7, min: 0, max: 1 }),
  ...common,
} as const;

/** Parameters of `MultinomialNB`. */
export type MultinomialNBOptions = Partial<OptionValues<typeof spec>>;

/**
 * Naive Bayes for counts: how often each word occurs. Agrees with scikit-learn's class of this name; alpha may also be given per class and
 * feature or be chosen by leave-one-out, and smoothing may use the words of all classes as background.
 */
export class MultinomialNB extends CountingClassifier<typeof spec, Sums, MultinomialParameters> {
  readonly model: typeof multinomial = multinomial;
  protected override readonly accepts: Accepts = { sparse: true, nonNegative: true };
  protected override readonly estimatesLater = true;
  protected override readonly firstChoice: FirstChoice<Sums> | undefined = alphaChoice(
    this.params.alpha === 'auto' && this.params.smoothing === 'lidstone',
    diceLeaveOneOut,
    (alpha) => ({ prior: priorOf(this.params, alpha), classPrior: classPriorOf(this.params) }),
  );

  constructor(options: MultinomialNBOptions = {}) {
    super('MultinomialNB', spec, options);
    requireChoosable('MultinomialNB', this.params);
    if (this.params.smoothing !== 'lidstone' && this.params.estimate !== 'mean') {
      const sentence = `estimate: '${this.params.estimate}' needs smoothing: 'lidstone', the one that is a prior of every die`;
      refuse('E_PARAM', sentence, { name: 'estimate' });
    }
  }

  /** The pseudo-counts in use: as given, or as chosen. */
  get alpha(): number | readonly number[] {
    return alphaInUse(this.params, this.fitted().schema);
  }

  /** How often each feature was counted in each class. */
  get featureCount(): Matrix {
    return countsOf(this.rounded(this.fitted()));
  }

  /** ln θ: the log-probability of each feature in each class. */
  get featureLogProb(): Matrix {
    return facesOf(this.parameters());
  }

  protected modelOptions(shape: Shape, schema?: JsonValue): MultinomialOptions {
    return this.optionsWith(alphaChosen(this.params, this.settles, shape, schema));
  }

  private optionsWith(chosen: number): MultinomialOptions {
    return { prior: this.prior(chosen), classPrior: classPriorOf(this.params) };
  }

  private prior(chosen: number): Prior | Background {
    const { smoothing: rule, lambda, mu, delta } = this.params;
    if (rule === 'jelinek-mercer') return { rule, lambda };
    if (rule === 'dirichlet') return { rule, mu };
    return rule === 'absolute' ? { rule, delta } : priorOf(this.params, chosen);
  }
}
