import type { Linear } from '../../core/linear.ts';
import { flag } from '../../core/options.ts';
import { type ComplementOptions, complement } from '../../models/complement.ts';
import type { Sums } from '../../stats/sums.ts';
import { alphaChosen, common, priorOf, smoothing } from '../options.ts';
import type { Kind } from './kind.ts';

const spec = {
  ...smoothing,
  /** Divide the weights of each class by their sum. Default: false. */
  norm: flag({ default: false }),
  ...common,
} as const;

/** `ComplementNB` as data. */
export const complementKind: Kind<typeof spec, Sums, Linear, ComplementOptions> = {
  name: 'ComplementNB',
  spec,
  model: () => complement,
  accepts: () => ({ sparse: true, nonNegative: true }),
  modelOptions(params, shape, schema) {
    const chosen = alphaChosen(params, params.alpha === 'auto', shape, schema);
    return { prior: priorOf(params, chosen), norm: params.norm };
  },
};
