import { choice, type OptionValues, real } from '../core/options.ts';
import type { Shape } from '../data/batch.ts';
import type { Features } from '../data/input.ts';
import { Matrix } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import { symmetricEigen } from '../math/eigen.ts';
import { type Ellipsoids, type QuadraticOptions, quadraticDiscriminant } from '../models/quadratic-discriminant.ts';
import type { Scatter } from '../stats/scatter.ts';
import { CountingClassifier } from './classifier.ts';
import {
  covarianceChoice,
  covarianceMatrices,
  covarianceOptions,
  covariancesIn,
  discriminantOptions,
  gaussianRows,
  meansOf,
  normalizedPriors,
  quadraticDecision,
  requireEstimatorAlone,
  shrinkage,
  takesGaps,
} from './discriminant.ts';
import type { Accepts, FirstChoice } from './learning.ts';

const spec = {
  /** 'eigen' takes a shrinkage, 'svd' a regParam. Default: 'svd'. */
  solver: choice(['svd', 'eigen'], { default: 'svd' }),
  /** Shrinkage of the covariance: null for none, 'auto' for the intensity of Ledoit and Wolf, or a number from 0 to 1. Default: null. */
  shrinkage,
  /** Fixed class priors, in the order of the sorted classes. Default: null, estimated from the rows. */
  priors: discriminantOptions.priors,
  /** Share of the identity in every covariance. Default: 0. */
  regParam: real({ default: 0, min: 0, max: 1 }),
  ...covarianceOptions,
} as const;

/** Parameters of `QuadraticDiscriminantAnalysis`. */
export type QuadraticDiscriminantAnalysisOptions = Partial<OptionValues<typeof spec>>;

/**
 * Quadratic discriminant analysis: Gaussian classes, each with its own covariance, and quadrics between them. Agrees with
 * scikit-learn 1.9.1, except that whether a covariance counts as singular does not depend on the units of the features.
 */
export class QuadraticDiscriminantAnalysis extends CountingClassifier<typeof spec, Scatter, Ellipsoids> {
  readonly model: ReturnType<typeof quadraticDiscriminant>;
  protected override readonly accepts: Accepts = gaussianRows(this.params.shrinkage);
  protected override readonly firstChoice: FirstChoice<Scatter> | undefined = covarianceChoice(
    this.params.covarianceEstimator,
    false,
  );

  constructor(options: QuadraticDiscriminantAnalysisOptions = {}) {
    super('QuadraticDiscriminantAnalysis', spec, options);
    const { solver, shrinkage, regParam } = this.params;
    if (solver === 'svd' && shrinkage !== null) {
      refuse('E_PARAM', "shrinkage needs solver: 'eigen'", { name: 'shrinkage' });
    }
    if (solver === 'eigen' && regParam > 0) {
      refuse('E_PARAM', "regParam needs solver: 'svd'; with 'eigen' use shrinkage", { name: 'regParam' });
    }
    requireEstimatorAlone(this.params);
    this.model = quadraticDiscriminant(shrinkage, takesGaps(this.params.missing, shrinkage));
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

  protected modelOptions(shape: Shape, schema?: JsonValue): QuadraticOptions {
    const { shrinkage, regParam, tol, covarianceDenominator, priors } = this.params;
    return {
      shrinkage,
      regParam,
      lambda: 0,
      gamma: 0,
      standardize: false,
      diagonal: false,
      tol,
      denominator: covarianceDenominator,
      ...normalizedPriors(priors, shape.classes),
      ...covariancesIn(schema, shape, this.firstChoice !== undefined),
    };
  }
}
