import type { OptionValues } from '../core/options.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import type { GaussianParameters, gaussian } from '../models/gaussian.ts';
import type { Moments } from '../stats/moments.ts';
import { CountingClassifier } from './classifier.ts';
import { gaussianKind } from './kinds/gaussian.ts';

/** Parameters of `GaussianNB`. */
export type GaussianNBOptions = Partial<OptionValues<typeof gaussianKind.spec>>;

/**
 * Naive Bayes for measured features: a normal distribution for each class and feature. Agrees with scikit-learn's class of this name on one
 * fit; learning in parts gives the same model, and constant data gives finite probabilities.
 */
export class GaussianNB extends CountingClassifier<typeof gaussianKind.spec, Moments, GaussianParameters> {
  declare readonly model: typeof gaussian;

  constructor(options: GaussianNBOptions = {}) {
    super(gaussianKind, options);
    const { rule, prior } = this.params;
    if (rule !== 'mle' && prior === null) {
      refuse('E_PARAM', `the rule '${rule}' of GaussianNB needs a prior { mean, kappa, a, b }`, { name: 'rule' });
    }
  }

  /** p(c). */
  get classPrior(): Float64Array {
    return this.parameters().logPrior.map(Math.exp);
  }

  /** The mean of each feature in each class. */
  get theta(): Matrix {
    const { classes, features, mean } = this.parameters();
    return new Matrix(classes, features, mean.slice());
  }

  /** The variance of each feature in each class; the squared scale of Student's curves under the rule 'bayes'. */
  get var(): Matrix {
    const { classes, features, variance } = this.parameters();
    return new Matrix(classes, features, variance.slice());
  }

  /** What was added to every variance: varSmoothing times the largest variance of a feature over all rows. */
  get epsilon(): number {
    return this.parameters().epsilon;
  }
}
