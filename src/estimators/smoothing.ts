import { choice, either, flag, type Option, type OptionValues, optional, real, vector } from '../core/options.ts';
import type { ClassPrior, Prior } from '../core/prior.ts';

/** Options that every estimator has. */
export const common = {
  extra: choice(['error', 'ignore'], {
    default: 'error',
    doc: 'what to do with a named column the model does not know',
  }),
  reproducible: flag({ default: false, doc: 'sums that are the same for every order and partition of the rows' }),
  zeroEvidence: choice(['prior', 'error'], {
    default: 'prior',
    doc: 'what a row gets that is impossible under every class: the prior, or E_ZERO_EVIDENCE',
  }),
} as const;

/** Whether NaN and null are missing cells. */
export const missing: Option<'error' | 'ignore'> = choice(['error', 'ignore'], {
  default: 'error',
  doc: 'what NaN and null are: a mistake, or a missing cell that is integrated out',
});

/** Options of the families that smooth counts. */
export const smoothing = {
  alpha: either(
    real({ default: 1, min: 0, doc: 'pseudo-count, for all features or one for each' }),
    vector({ default: null, min: 0, doc: '' }),
  ),
  forceAlpha: flag({ default: true, doc: 'use alpha as it is, even below 1e-10' }),
  fitPrior: flag({ default: true, doc: 'class priors as counted rather than all alike' }),
  classPrior: optional(vector({ default: null, min: 0, doc: 'class priors, in the order of the sorted classes' })),
} as const;

const LEAST_ALPHA = 1e-10;

type Smoothing = OptionValues<typeof smoothing>;

/** The posterior mean with pseudo-count alpha. */
export function priorOf({ alpha, forceAlpha }: Smoothing): Prior {
  const least = forceAlpha ? 0 : LEAST_ALPHA;
  const values =
    typeof alpha === 'number' ? Math.max(alpha, least) : Float64Array.from(alpha ?? [1], (a) => Math.max(a, least));
  return { rule: 'bayes', a: values };
}

/** The class prior that the options ask for. */
export function classPriorOf({ fitPrior, classPrior }: Smoothing): ClassPrior {
  if (classPrior) return Float64Array.from(classPrior);
  return fitPrior ? 'empirical' : 'uniform';
}
