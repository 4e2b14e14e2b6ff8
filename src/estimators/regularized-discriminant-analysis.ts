import type { OptionValues } from '../core/options.ts';
import type { Features } from '../data/input.ts';
import type { Matrix } from '../data/matrix.ts';
import type { Ellipsoids, quadraticDiscriminant } from '../models/quadratic-discriminant.ts';
import type { Scatter } from '../stats/scatter.ts';
import { CountingClassifier } from './classifier.ts';
import { covarianceMatrices, meansOf, quadraticDecision } from './discriminant.ts';
import { regularizedDiscriminantKind } from './kinds/regularized-discriminant.ts';

/** Parameters of `RegularizedDiscriminantAnalysis`. */
export type RegularizedDiscriminantAnalysisOptions = Partial<OptionValues<typeof regularizedDiscriminantKind.spec>>;

/**
 * Friedman's regularised discriminant analysis, between quadratic (lambda 0, gamma 0), linear (1, 0), nearest centroid (1, 1)
 * and, with `diagonal`, Gaussian naive Bayes (0, 0).
 */
export class RegularizedDiscriminantAnalysis extends CountingClassifier<
  typeof regularizedDiscriminantKind.spec,
  Scatter,
  Ellipsoids
> {
  declare readonly model: ReturnType<typeof quadraticDiscriminant>;

  constructor(options: RegularizedDiscriminantAnalysisOptions = {}) {
    super(regularizedDiscriminantKind, options);
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
}
