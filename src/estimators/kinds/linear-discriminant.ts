import { choice, integer, optional } from '../../core/options.ts';
import { type LinearOptions, linearDiscriminant, type Planes } from '../../models/linear-discriminant.ts';
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
  /** How the covariance is inverted. Default: 'svd'. */
  solver: choice(['svd', 'lsqr', 'eigen'], { default: 'svd' }),
  /** Shrinkage of the covariance: null for none, 'auto' for the intensity of Ledoit and Wolf, or a number from 0 to 1. Default: null. */
  shrinkage,
  /** Fixed class priors, in the order of the sorted classes. Default: null, estimated from the rows. */
  priors: discriminantOptions.priors,
  /** Discriminant axes of transform; null: all. Default: null. */
  nComponents: optional(integer({ default: 1, min: 1 })),
  ...covarianceOptions,
} as const;

/** `LinearDiscriminantAnalysis` as data. */
export const linearDiscriminantKind: Kind<typeof spec, Scatter, Planes, LinearOptions> = {
  name: 'LinearDiscriminantAnalysis',
  spec,
  model: ({ shrinkage, missing }) => linearDiscriminant(shrinkage, takesGaps(missing, shrinkage)),
  accepts: gaussianRows,
  modelOptions(params, shape, schema) {
    return { solver: params.solver, ...estimateOptions(params, shape, schema) };
  },
};
