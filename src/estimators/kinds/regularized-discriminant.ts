import { flag, real } from '../../core/options.ts';
import { type Ellipsoids, type QuadraticOptions, quadraticDiscriminant } from '../../models/quadratic-discriminant.ts';
import type { Scatter } from '../../stats/scatter.ts';
import { LARGEST_MAGNITUDE } from '../options.ts';
import { discriminantOptions, normalizedPriors } from './discriminant-options.ts';
import type { Kind } from './kind.ts';

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

/** `RegularizedDiscriminantAnalysis` as data. */
export const regularizedDiscriminantKind: Kind<typeof spec, Scatter, Ellipsoids, QuadraticOptions> = {
  name: 'RegularizedDiscriminantAnalysis',
  spec,
  model: ({ missing }) => quadraticDiscriminant(null, missing === 'ignore'),
  accepts: () => ({ limit: LARGEST_MAGNITUDE }),
  modelOptions({ lambda, gamma, standardize, diagonal, tol, priors }, { classes }) {
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
  },
};
