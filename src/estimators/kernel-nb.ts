import { type OptionValues, optional } from '../core/options.ts';
import type { Shape } from '../data/batch.ts';
import { Matrix } from '../data/matrix.ts';
import { type KernelOptions, type Kernels, kernel } from '../models/kernel.ts';
import type { Values } from '../stats/values.ts';
import { CountingClassifier } from './classifier.ts';
import { LARGEST_MAGNITUDE } from './discriminant.ts';
import type { Accepts } from './learning.ts';
import { gapOptions, givenPrior, kernelWidths, numbers } from './options.ts';

const spec = {
  /** Class priors, in the order of the sorted classes. Default: null, estimated from the rows. */
  priors: optional(numbers),
  ...kernelWidths,
  ...gapOptions,
} as const;

/** Parameters of `KernelNB`. */
export type KernelNBOptions = Partial<OptionValues<typeof spec>>;

/**
 * Naive Bayes with kernel densities: measured features of any shape, with several peaks or long tails. It stores the distinct values, so it
 * learns in parts, merges and unlearns like the families that store sums.
 */
export class KernelNB extends CountingClassifier<typeof spec, Values, Kernels> {
  readonly model: typeof kernel = kernel;
  protected override readonly accepts: Accepts = { limit: LARGEST_MAGNITUDE };

  constructor(options: KernelNBOptions = {}) {
    super('KernelNB', spec, options);
  }

  /** p(c). */
  get classPrior(): Float64Array {
    return this.parameters().logPrior.map(Math.exp);
  }

  /** The bandwidth of each feature in each class; NaN where the feature was never seen. */
  get bandwidth(): Matrix {
    const { classes, features, kernels } = this.parameters();
    return new Matrix(
      classes,
      features,
      Float64Array.from(kernels, (cell) => cell?.bandwidth ?? Number.NaN),
    );
  }

  protected modelOptions({ classes }: Shape): KernelOptions {
    const { priors, bandwidth, leastBandwidth } = this.params;
    return { bandwidth, leastBandwidth, ...givenPrior(priors, classes) };
  }
}
