import { flag, type OptionValues, optional, real, vector } from '../core/options.ts';
import type { ClassPrior } from '../core/prior.ts';

/** Finite numbers that are not negative. */
export const numbers = vector({ default: null, min: 0 });

/** Options of the class prior. */
export const classPriors = {
  /** Class priors as counted rather than all alike. */
  fitPrior: flag({ default: true }),
  /** Class priors, in the order of the sorted classes. */
  classPrior: optional(numbers),
  /** Pseudo-count of every class, where class priors are as counted. */
  priorAlpha: real({ default: 0, min: 0 }),
} as const;

/** The class prior that the options ask for. */
export function classPriorOf(
  options: Pick<OptionValues<typeof classPriors>, 'fitPrior' | 'classPrior'> & { priorAlpha?: number },
): ClassPrior {
  const { fitPrior, classPrior, priorAlpha = 0 } = options;
  if (classPrior) return Float64Array.from(classPrior);
  if (!fitPrior) return 'uniform';
  return priorAlpha > 0 ? { a: priorAlpha } : 'empirical';
}
