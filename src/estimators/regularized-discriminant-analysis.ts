import { flag, type OptionValues, real } from '../core/options.ts';
import type { Shape } from '../data/batch.ts';
import type { Features } from '../data/input.ts';
import type { Matrix } from '../data/matrix.ts';
import { type Ellipsoids, type QuadraticOptions, quadraticDiscriminant } from '../models/quadratic-discriminant.ts';
import type { Scatter } from '../stats/scatter.ts';
import { CountingClassifier } from './classifier.ts';
import {
  covarianceMatrices,
  discriminantOptions,
  LARGEST_MAGNITUDE,
  meansOf,
  normalizedPriors,
  quadraticDecision,
} from './discriminant.ts';
import type { Accepts } from './learning.ts';

const spec = {
  /** 0: a covariance for each class; 1: one for all. Default: 0.5. */
  lambda: real({ default: 0.5, min: 0, max: 1 }),
  /** 1: equal variances and no covariances. Default: 0. */
  gamma: real({ default: 0, min: 0, max: 1 }),
  /** Gamma shrinks towards the variance of each feature within classes instead of one variance for all. Default: false. */
  standardize: flag({ default: false }),
  /** Set covariances to zero. Default: false. */
  diagonal: flag({ default: false }),
  ...discriminantOptions,
} as const;

/** Parameters of `RegularizedDiscriminantAnalysis`. */
export type RegularizedDiscriminantAnalysisOptions = Partial<OptionValues<typeof spec>>;

/**
 * Friedman's regularised discriminant analysis, between quadratic (lambda 0, gamma 0), linear (1, 0), nearest centroid (1, 1)
 * and, with `diagonal`, Gaussian naive Bayes (0, 0).
 */
export class RegularizedDiscriminantAnalysis extends CountingClassifier<typeof spec, Scatter, Ellipsoids> {
  readonly model: ReturnType<typeof quadraticDiscriminant>;
  protected override readonly accepts: Accepts = { limit: LARGEST_MAGNITUDE };

  constructor(options: RegularizedDiscriminantAnalysisOptions = {}) {
    super('RegularizedDiscriminantAnalysis', spec, options);
    this.model = quadraticDiscriminant(null, this.params.missing === 'ignore');
  }

  /** The mean of each class. */
  get means(): Matrix {
    return meansOf(this.parameters());
  }

  /** p(c). */
  get priors(): Float64Array {
    return this.parameters().logPrior.map(Math.exp);
  }

  /** The regularised covariance of each class. */
  get covariance(): Matrix[] {
    const { covariances, features } = this.parameters();
    return covarianceMatrices(covariances, features);
  }

  /**
   * Scores whose differences are those of the log-posteriors: one column per class; for two classes one column, the second minus the first.
   */
  decisionFunction(X: Features): Matrix {
    return quadraticDecision(this.predictJointLogProba(X), this.parameters().features);
  }

  protected modelOptions({ classes }: Shape): QuadraticOptions {
    const { lambda, gamma, standardize, diagonal, tol, priors } = this.params;
    return {
      shrinkage: null,
      regParam: 0,
      lambda,
      gamma,
      standardize,
      diagonal,
      tol,
      denominator: 'n',
      ...normalizedPriors(priors, classes),
    };
  }
}
