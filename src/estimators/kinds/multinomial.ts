import { choice, type OptionValues, real } from '../../core/options.ts';
import type { Background, Prior } from '../../core/prior.ts';
import { type MultinomialOptions, type MultinomialParameters, multinomial } from '../../models/multinomial.ts';
import type { Sums } from '../../stats/sums.ts';
import { alphaChosen, classPriorOf, common, estimate, priorOf, smoothing } from '../options.ts';
import type { Kind } from './kind.ts';

const spec = {
  ...smoothing,
  /** The point estimate: posterior mean, posterior mode, or maximum likelihood. Default: 'mean'. */
  estimate,
  /** The smoothing: the pseudo-count alpha, or one of three ways to use the words of all classes as background. Default: 'lidstone'. */
  smoothing: choice(['lidstone', 'jelinek-mercer', 'dirichlet', 'absolute'], { default: 'lidstone' }),
  /** Share of the background, for jelinek-mercer. Default: 0.9. */
  lambda: real({ default: 0.9, min: 0, max: 1 }),
  /** Words of the background that are added to each class, for dirichlet. Default: 1000. */
  mu: real({ default: 1000, min: 0 }),
  /** Discount of every count, for absolute. Default: 0.7. */
  delta: real({ default: 0.7, min: 0, max: 1 }),
  ...common,
} as const;

/** `MultinomialNB` as data. */
export const multinomialKind: Kind<typeof spec, Sums, MultinomialParameters, MultinomialOptions> = {
  name: 'MultinomialNB',
  spec,
  model: () => multinomial,
  accepts: () => ({ sparse: true, nonNegative: true }),
  modelOptions(params, shape, schema) {
    const choosing = params.alpha === 'auto' && params.smoothing === 'lidstone';
    const chosen = alphaChosen(params, choosing, shape, schema);
    return { prior: wordPrior(params, chosen), classPrior: classPriorOf(params) };
  },
};

function wordPrior(params: OptionValues<typeof spec>, chosen: number): Prior | Background {
  const { smoothing: rule, lambda, mu, delta } = params;
  if (rule === 'jelinek-mercer') return { rule, lambda };
  if (rule === 'dirichlet') return { rule, mu };
  return rule === 'absolute' ? { rule, delta } : priorOf(params, chosen);
}
