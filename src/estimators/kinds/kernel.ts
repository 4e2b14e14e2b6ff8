import { optional } from '../../core/options.ts';
import { type KernelOptions, type Kernels, kernel } from '../../models/kernel.ts';
import type { Values } from '../../stats/values.ts';
import { gapOptions, givenPrior, kernelWidths, LARGEST_MAGNITUDE, numbers } from '../options.ts';
import type { Kind } from './kind.ts';

const spec = {
  /** Class priors, in the order of the sorted classes. Default: null, estimated from the rows. */
  priors: optional(numbers),
  ...kernelWidths,
  ...gapOptions,
} as const;

/** `KernelNB` as data. */
export const kernelKind: Kind<typeof spec, Values, Kernels, KernelOptions> = {
  name: 'KernelNB',
  spec,
  model: () => kernel,
  accepts: () => ({ limit: LARGEST_MAGNITUDE }),
  modelOptions({ priors, bandwidth, leastBandwidth }, { classes }) {
    return { bandwidth, leastBandwidth, ...givenPrior(priors, classes) };
  },
};
