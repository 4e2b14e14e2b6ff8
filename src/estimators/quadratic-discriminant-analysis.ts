import { choice, flag, type OptionValues, real } from '../core/options.ts';
import type { Shape } from '../data/batch.ts';
import type { Features } from '../data/input.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { symmetricEigen } from '../math/eigen.ts';
import { type Ellipsoids, type QuadraticOptions, quadraticDiscriminant } from '../models/quadratic-discriminant.ts';
import type { Shrinkage } from '../models/shrinkage.ts';
import { missing } from './cell-options.ts';
import { covarianceDenominator, Discriminant, givenPriors, priors, takesGaps, tol } from './discriminant.ts';
import { shrinkage } from './linear-discriminant-analysis.ts';
import { common } from './smoothing.ts';

const spec = {
  /** 'eigen' takes a shrinkage, 'svd' a regParam. */
  solver: choice(['svd', 'eigen'], { default: 'svd' }),
  shrinkage,
  priors,
  /** Share of the identity in every covariance. */
  regParam: real({ default: 0, min: 0, max: 1 }),
  /** As in scikit-learn; here covariances are always at hand. */
  storeCovariance: flag({ default: false }),
  tol,
  covarianceDenominator,
  missing,
  ...common,
} as const;

/** Parameters of `QuadraticDiscriminantAnalysis`. */
export type QuadraticDiscriminantAnalysisOptions = Partial<OptionValues<typeof spec>>;

/** The scores of ellipsoids as a decision function: the joint without the constant that all classes share. */
export function quadraticDecisions(joint: Matrix, features: number): Matrix {
  const constant = 0.5 * features * Math.log(2 * Math.PI);
  return new Matrix(
    joint.rows,
    joint.cols,
    joint.data.map((score) => score + constant),
  );
}

/** The covariances of all classes. */
export function covarianceMatrices({ covariances, features }: Ellipsoids): Matrix[] {
  return covariances.map((covariance) => new Matrix(features, features, covariance.slice()));
}

/**
 * Quadratic discriminant analysis: Gaussian classes, each with its own covariance, and quadrics between them. Agrees with
 * scikit-learn 1.9.1, except that whether a covariance counts as singular does not depend on the units of the features.
 */
export class QuadraticDiscriminantAnalysis extends Discriminant<typeof spec, Ellipsoids> {
  protected readonly shrinkage: Shrinkage;
  readonly model: ReturnType<typeof quadraticDiscriminant>;

  constructor(options: QuadraticDiscriminantAnalysisOptions = {}) {
    super('QuadraticDiscriminantAnalysis', spec, options);
    const { solver, shrinkage, regParam } = this.params;
    if (solver === 'svd' && shrinkage !== null) {
      refuse('E_PARAM', "shrinkage needs solver: 'eigen'", { name: 'shrinkage' });
    }
    if (solver === 'eigen' && regParam > 0) {
      refuse('E_PARAM', "regParam needs solver: 'svd'; with 'eigen' use shrinkage", { name: 'regParam' });
    }
    this.shrinkage = shrinkage;
    this.model = quadraticDiscriminant(shrinkage, takesGaps(this.params.missing, shrinkage));
  }

  /** The covariance of each class. */
  get covariance(): Matrix[] {
    return covarianceMatrices(this.parameters());
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

  protected decisionScores(X: Features): Matrix {
    return quadraticDecisions(this.predictJointLogProba(X), this.parameters().features);
  }

  protected modelOptions({ classes }: Shape): QuadraticOptions {
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
      ...givenPriors(priors, classes),
    };
  }
}
