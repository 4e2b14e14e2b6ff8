import type { Form } from '../core/form.ts';
import type { Kernels } from './kernel.ts';

/** All kernels one after another; a size of −1 is that of a feature which no class has ever shown. */
export const kernelForm: Form<Kernels, unknown> = {
  arrays: {
    logPrior: ['log', 'classes'],
    sizes: ['place', 'classes', 'features'],
    points: ['real', 'any'],
    weights: ['weight', 'any'],
    bandwidths: ['scale', 'classes', 'features'],
    totals: ['scale', 'classes', 'features'],
  },
  pack: ({ logPrior, kernels }) => ({
    logPrior,
    sizes: Float64Array.from(kernels, (kernel) => kernel?.points.length ?? -1),
    points: Float64Array.from(kernels.flatMap((kernel) => (kernel ? [...kernel.points] : []))),
    weights: Float64Array.from(kernels.flatMap((kernel) => (kernel ? [...kernel.weights] : []))),
    bandwidths: Float64Array.from(kernels, (kernel) => kernel?.bandwidth ?? 1),
    totals: Float64Array.from(kernels, (kernel) => kernel?.total ?? 1),
  }),
  unpack({ logPrior, sizes, points, weights, bandwidths, totals }, { classes, features }) {
    let at = 0;
    const kernels = Array.from(sizes, (size, cell) => {
      if (size < 0) return undefined;
      const [from, to] = [at, (at += size)];
      return {
        points: points.slice(from, to),
        weights: weights.slice(from, to),
        bandwidth: bandwidths[cell],
        total: totals[cell],
      };
    });
    const fits = at === points.length && at === weights.length && !sizes.includes(0);
    return fits ? { classes, features, logPrior, kernels } : undefined;
  },
};
