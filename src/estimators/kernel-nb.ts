import type { OptionValues } from '../core/options.ts';
import { Matrix } from '../data/matrix.ts';
import type { Kernels, kernel } from '../models/kernel.ts';
import type { Values } from '../stats/values.ts';
import { CountingClassifier } from './classifier.ts';
import { kernelKind } from './kinds/kernel.ts';

/** Parameters of `KernelNB`. */
export type KernelNBOptions = Partial<OptionValues<typeof kernelKind.spec>>;

/**
 * Naive Bayes with kernel densities: measured features of any shape, with several peaks or long tails. It stores the distinct values, so it
 * learns in parts, merges and unlearns like the families that store sums.
 */
export class KernelNB extends CountingClassifier<typeof kernelKind.spec, Values, Kernels> {
  declare readonly model: typeof kernel;

  constructor(options: KernelNBOptions = {}) {
    super(kernelKind, options);
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
}
