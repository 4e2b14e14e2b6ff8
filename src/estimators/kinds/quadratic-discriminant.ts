import { choice, real } from '../../core/options.ts';
import { type Ellipsoids, type QuadraticOptions, quadraticDiscriminant } from '../../models/quadratic-discriminant.ts';
import type { Scatter } from '../../stats/scatter.ts';
import {
  covarianceOptions,
  discriminantOptions,
  estimateOptions,
  gaussianRows,
  shrinkage,
  takesGaps,
} from './discriminant-options.ts';
import type { Kind } from './kind.ts';

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

/** `QuadraticDiscriminantAnalysis` as data. */
export const quadraticDiscriminantKind: Kind<typeof spec, Scatter, Ellipsoids, QuadraticOptions> = {
  name: 'QuadraticDiscriminantAnalysis',
  spec,
  model: ({ shrinkage, missing }) => quadraticDiscriminant(shrinkage, takesGaps(missing, shrinkage)),
  accepts: gaussianRows,
  modelOptions(params, shape, schema) {
    const { regParam } = params;
    const plain = { lambda: 0, gamma: 0, standardize: false, diagonal: false };
    return { regParam, ...plain, ...estimateOptions(params, shape, schema) };
  },
};
