import { betaPosterior, type ParameterPosterior } from '../core/distributions.ts';
import { byClass, type Linear } from '../core/linear.ts';
import { flag, type OptionValues } from '../core/options.ts';
import { pseudoAt, pseudoCount, pseudoSum } from '../core/prior.ts';
import type { Expectation } from '../data/input.ts';
import { Matrix } from '../data/matrix.ts';
import { sum } from '../math/arrays.ts';
import { type ComplementOptions, complement } from '../models/complement.ts';
import type { Sums } from '../stats/sums.ts';
import { DiscreteNB, type ParameterQuery } from './discrete.ts';
import { everyPosterior, type LocatedPosterior } from './every-posterior.ts';
import { common, priorOf, smoothing } from './smoothing.ts';

const spec = {
  ...smoothing,
  norm: flag({ default: false, doc: 'divide the weights of each class by their sum' }),
  ...common,
} as const;

/** Parameters of `ComplementNB`. */
export type ComplementNBOptions = Partial<OptionValues<typeof spec>>;

/**
 * Naive Bayes for counts that learns each class from all the others: steadier than `MultinomialNB` where classes differ in
 * size. Agrees with scikit-learn's class of this name. Scores have no class prior: `classLogPrior` is what was counted, and an
 * empty row gets equal probabilities.
 */
export class ComplementNB extends DiscreteNB<typeof spec, Sums, Linear> {
  readonly model: typeof complement = complement;

  constructor(options: ComplementNBOptions = {}) {
    super('ComplementNB', spec, options);
  }

  /** How often each feature was counted in each class. */
  get featureCount(): Matrix {
    const { classes, features, s } = this.rounded(this.fitted());
    return new Matrix(classes, features, s.slice());
  }

  /** How often each feature was counted in all classes. */
  get featureAll(): Float64Array {
    const { classes, features, s } = this.rounded(this.fitted());
    return Float64Array.from({ length: features }, (_, j) => {
      let all = 0;
      for (let c = 0; c < classes; c++) all += s[c * features + j];
      return all;
    });
  }

  /** The weight of each feature for each class: −ln θ̃, or with `norm` its share of their sum. */
  get featureLogProb(): Matrix {
    const { classes, features, weights } = this.parameters();
    return new Matrix(classes, features, byClass(weights, classes, features));
  }

  /** What is known of θ̃, the probability of a word in all the other classes: a marginal of a Dirichlet distribution. */
  posterior(): LocatedPosterior[];
  posterior(query: ParameterQuery): ParameterPosterior;
  posterior(query?: ParameterQuery): ParameterPosterior | LocatedPosterior[] {
    if (!query) return everyPosterior(this.fitted(), (place) => this.posterior(place));
    const { c, j } = this.locate(query);
    const { classes, features, s } = this.rounded(this.fitted());
    const k = pseudoCount(priorOf(this.params, this.chosen()));
    let own = pseudoAt(k, features, c, j);
    let all = pseudoSum(k, features, c);
    for (let other = 0; other < classes; other++) {
      if (other === c) continue;
      own += s[other * features + j];
      all += sum(s, other * features, features);
    }
    return betaPosterior(own, Math.max(0, all - own));
  }

  protected expectation(): Expectation {
    return { sparse: true, nonNegative: true, extra: this.params.extra };
  }

  protected optionsWith(chosen: number): ComplementOptions {
    return { prior: priorOf(this.params, chosen), norm: this.params.norm };
  }
}
