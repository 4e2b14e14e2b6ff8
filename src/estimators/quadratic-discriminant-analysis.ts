import type { OptionValues } from '../core/options.ts';
import type { Features } from '../data/input.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { symmetricEigen } from '../math/eigen.ts';
import type { Ellipsoids, quadraticDiscriminant } from '../models/quadratic-discriminant.ts';
import type { Scatter } from '../stats/scatter.ts';
import { CountingClassifier } from './classifier.ts';
import {
  covarianceChoice,
  covarianceMatrices,
  meansOf,
  quadraticDecision,
  requireEstimatorAlone,
} from './discriminant.ts';
import { quadraticDiscriminantKind } from './kinds/quadratic-discriminant.ts';
import type { FirstChoice } from './learning.ts';

/** Parameters of `QuadraticDiscriminantAnalysis`. */
export type QuadraticDiscriminantAnalysisOptions = Partial<OptionValues<typeof quadraticDiscriminantKind.spec>>;

/**
 * Quadratic discriminant analysis: Gaussian classes, each with its own covariance, and quadrics between them. Agrees with
 * scikit-learn 1.9.1, except that whether a covariance counts as singular does not depend on the units of the features.
 */
export class QuadraticDiscriminantAnalysis extends CountingClassifier<
  typeof quadraticDiscriminantKind.spec,
  Scatter,
  Ellipsoids
> {
  declare readonly model: ReturnType<typeof quadraticDiscriminant>;
  protected override readonly firstChoice: FirstChoice<Scatter> | undefined = covarianceChoice(
    this.params.covarianceEstimator,
    false,
  );

  constructor(options: QuadraticDiscriminantAnalysisOptions = {}) {
    super(quadraticDiscriminantKind, options);
    const { solver, shrinkage, regParam } = this.params;
    if (solver === 'svd' && shrinkage !== null) {
      refuse('E_PARAM', "shrinkage needs solver: 'eigen'", { name: 'shrinkage' });
    }
    if (solver === 'eigen' && regParam > 0) {
      refuse('E_PARAM', "regParam needs solver: 'svd'; with 'eigen' use shrinkage", { name: 'regParam' });
    }
    requireEstimatorAlone(this.params);
  }

  /** The mean of each class. */
  get means(): Matrix {
    return meansOf(this.parameters());
  }

  /** p(c). */
  get priors(): Float64Array {
    return this.parameters().logPrior.map(Math.exp);
  }

  /** The covariance of each class. */
  get covariance(): Matrix[] {
    const { covariances, features } = this.parameters();
    return covarianceMatrices(covariances, features);
  }

  /** The principal axes of each class, one per column. */
  get rotations(): Matrix[] {
    const { features } = this.parameters();
    return this.parameters().covariances.map(
      (covariance) => new Matrix(features, features, symmetricEigen(covariance, features).vectors),
    );
  }

  /** The variance of each class along its principal axes, descending. */
  get scalings(): Float64Array[] {
    const { covariances, features } = this.parameters();
    return covariances.map((covariance) => symmetricEigen(covariance, features).values);
  }

  /**
   * Scores whose differences are those of the log-posteriors: one column per class; for two classes one column, the second minus the first.
   */
  decisionFunction(X: Features): Matrix {
    return quadraticDecision(this.predictJointLogProba(X), this.parameters().features);
  }
}
