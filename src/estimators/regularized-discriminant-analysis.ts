import { flag, type OptionValues, real } from '../core/options.ts';
import type { Shape } from '../data/batch.ts';
import type { Features } from '../data/input.ts';
import type { Matrix } from '../data/matrix.ts';
import { type Ellipsoids, type QuadraticOptions, quadraticDiscriminant } from '../models/quadratic-discriminant.ts';
import type { Shrinkage } from '../models/shrinkage.ts';
import { missing } from './cell-options.ts';
import { Discriminant, givenPriors, priors, tol } from './discriminant.ts';
import { covarianceMatrices, quadraticDecisions } from './quadratic-discriminant-analysis.ts';
import { common } from './smoothing.ts';

const spec = {
  /** 0: a covariance for each class; 1: one for all. */
  lambda: real({ default: 0.5, min: 0, max: 1 }),
  /** 1: all features vary alike and apart from each other. */
  gamma: real({ default: 0, min: 0, max: 1 }),
  /** Gamma draws towards the variance of each feature within classes rather than towards one for all. */
  standardize: flag({
    default: false,
  }),
  /** Features vary apart from each other: covariances are set to zero. */
  diagonal: flag({ default: false }),
  priors,
  tol,
  missing,
  ...common,
} as const;

/** Parameters of `RegularizedDiscriminantAnalysis`. */
export type RegularizedDiscriminantAnalysisOptions = Partial<OptionValues<typeof spec>>;

/**
 * Friedman's regularised discriminant analysis, between quadratic (lambda 0, gamma 0), linear (1, 0), nearest centroid (1, 1)
 * and, with `diagonal`, Gaussian naive Bayes (0, 0).
 */
export class RegularizedDiscriminantAnalysis extends Discriminant<typeof spec, Ellipsoids> {
  protected readonly shrinkage: Shrinkage = null;
  readonly model: ReturnType<typeof quadraticDiscriminant>;

  constructor(options: RegularizedDiscriminantAnalysisOptions = {}) {
    super('RegularizedDiscriminantAnalysis', spec, options);
    this.model = quadraticDiscriminant(null, this.params.missing === 'ignore');
  }

  /** The regularised covariance of each class. */
  get covariance(): Matrix[] {
    return covarianceMatrices(this.parameters());
  }

  protected decisionScores(X: Features): Matrix {
    return quadraticDecisions(this.predictJointLogProba(X), this.parameters().features);
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
      ...givenPriors(priors, classes),
    };
  }
}
