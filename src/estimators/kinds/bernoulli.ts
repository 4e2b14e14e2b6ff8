import { type OptionValues, optional, real } from '../../core/options.ts';
import { betaSides, pseudoCount, requirePseudoLength } from '../../core/prior.ts';
import { type BernoulliOptions, type BernoulliParameters, bernoulli } from '../../models/bernoulli.ts';
import type { Sums } from '../../stats/sums.ts';
import {
  alphaChosen,
  atLeast,
  classPriorOf,
  estimate,
  gapOptions,
  priorOf,
  pseudoCounts,
  smoothing,
} from '../options.ts';
import type { Kind } from './kind.ts';

const spec = {
  ...smoothing,
  /** Pseudo-count of absence, if it differs from that of presence: the prior is then Beta(alpha, alphaAbsent). Default: null, alpha. */
  alphaAbsent: optional(pseudoCounts),
  /** The point estimate: posterior mean, posterior mode, or maximum likelihood. Default: 'mean'. */
  estimate,
  /** A cell counts as present above this value; null: cells are 0 or 1. Default: 0. */
  binarize: {
    ...optional(real({ default: 0, min: 0 })),
    default: 0,
  },
  ...gapOptions,
} as const;

/** `BernoulliNB` as data. */
export const bernoulliKind: Kind<typeof spec, Sums, BernoulliParameters, BernoulliOptions> = {
  name: 'BernoulliNB',
  spec,
  model: () => bernoulli,
  accepts: () => ({ sparse: true }),
  modelOptions(params, shape, schema) {
    const options = coinOptions(params, alphaChosen(params, params.alpha === 'auto', shape, schema));
    const [, tails] = betaSides(options.prior).map(pseudoCount);
    requirePseudoLength(tails, shape.classes, shape.features, 'alphaAbsent');
    return options;
  },
};

/** The options of the model with a chosen alpha. */
export function coinOptions(params: OptionValues<typeof spec>, chosen: number): BernoulliOptions {
  const { alphaAbsent, forceAlpha } = params;
  const prior = priorOf(params, chosen);
  const classPrior = classPriorOf(params);
  if (alphaAbsent === null || prior.rule === 'mle') return { prior, classPrior };
  return { prior: { ...prior, b: atLeast(alphaAbsent, forceAlpha) }, classPrior };
}
