import { classWeight } from '../core/class-weight.ts';
import { choice, flag, type Option, type OptionValues, optional, real, vector } from '../core/options.ts';
import { type ClassPrior, logClassPrior, type Prior, requirePseudoLength } from '../core/prior.ts';
import type { Shape } from '../data/batch.ts';
import { isList } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import { chosenAlpha } from './auto-alpha.ts';

/** Options that every estimator has. */
export const common = {
  /** What to do with a named column the model does not know. */
  extra: choice(['error', 'ignore'], { default: 'error' }),
  classWeight,
  /** Sums that are the same for every order and partition of the rows. */
  reproducible: flag({ default: false }),
  /** What a row gets that is impossible under every class: the prior, or E_ZERO_EVIDENCE. */
  zeroEvidence: choice(['prior', 'error'], { default: 'prior' }),
} as const;

/** What a level is that was never learned: counted zero times, or a missing cell, or E_CATEGORY_UNKNOWN. */
export const unknown: Option<'smooth' | 'ignore' | 'error'> = choice(['smooth', 'ignore', 'error'], {
  default: 'smooth',
});

/** What NaN and null are: a mistake, or a missing cell that is integrated out. */
export const missing: Option<'error' | 'ignore'> = choice(['error', 'ignore'], { default: 'error' });

/** Finite numbers that are not negative, or null. */
export const numbers: Option<readonly number[] | null> = vector({ default: null, min: 0 });

/** Options of the class prior. */
export const classPriors = {
  /** Class priors as counted rather than all alike. */
  fitPrior: flag({ default: true }),
  /** Class priors, in the order of the sorted classes. */
  classPrior: optional(numbers),
  /** Pseudo-count of every class, where class priors are as counted. */
  priorAlpha: real({ default: 0, min: 0 }),
} as const;

/** The class prior that the options ask for; refuses another number of priors than of classes, if that is given. */
export function classPriorOf(
  options: Pick<OptionValues<typeof classPriors>, 'fitPrior' | 'classPrior'> & { readonly priorAlpha?: number },
  classes?: number,
): ClassPrior {
  const { fitPrior, classPrior, priorAlpha = 0 } = options;
  const counted = priorAlpha > 0 ? { a: priorAlpha } : 'empirical';
  const prior = classPrior ? Float64Array.from(classPrior) : fitPrior ? counted : 'uniform';
  if (classes !== undefined) logClassPrior(new Float64Array(classes).fill(1), prior);
  return prior;
}

/** Class priors that were given, if they were; refuses another number of them than of classes. */
export function givenPrior(priors: readonly number[] | null, classes: number): { classPrior?: Float64Array } {
  if (!priors) return {};
  const classPrior = Float64Array.from(priors);
  logClassPrior(new Float64Array(classes).fill(1), classPrior);
  return { classPrior };
}

/** What alpha may be: one number, a list, or a choice by leave-one-out. */
type Alpha = number | readonly number[] | 'auto';

/** Pseudo-count of every feature; 'auto': the one of least leave-one-out log-loss on the first rows learned. */
const alpha: Option<Alpha> = {
  kind: 'custom',
  default: 1,
  min: 0,
  expects: "a finite number ≥ 0, a list of them with one per feature, one such list per class, or 'auto'",
  accept(value) {
    if (value === 'auto') return value;
    if (!isList(value)) return classPriors.priorAlpha.accept(value);
    const rows: unknown[] = Array.from(value);
    return numbers.accept(rows.every(isList) ? rows.flatMap((row) => Array.from(row)) : rows) ?? undefined;
  },
};

/** Options of the families that smooth counts. */
export const smoothing = {
  alpha,
  /** Use alpha as it is, even below 1e-10. */
  forceAlpha: flag({ default: true }),
  ...classPriors,
} as const;

type Smoothing = OptionValues<typeof smoothing>;

/** Without `forceAlpha`, a smaller alpha becomes this one. */
export const LEAST_ALPHA = 1e-10;

/** The posterior mean with pseudo-count alpha, or with the one that was chosen. */
export function priorOf({ alpha, forceAlpha }: Pick<Smoothing, 'alpha' | 'forceAlpha'>, chosen = 1): Prior {
  const least = forceAlpha ? 0 : LEAST_ALPHA;
  const given = alpha === 'auto' ? chosen : alpha;
  const a = typeof given === 'number' ? Math.max(given, least) : Float64Array.from(given, (k) => Math.max(k, least));
  return { rule: 'bayes', a };
}

/** The pseudo-counts in use: as given, or as the first rows chose them. */
export function alphaInUse(
  { alpha }: Pick<Smoothing, 'alpha'>,
  schema: JsonValue | undefined,
): number | readonly number[] {
  return alpha === 'auto' ? chosenAlpha(schema) : alpha;
}

/** The alpha that the first rows chose, or 1; refuses pseudo-counts of another number than there are features. */
export function alphaChosen(
  params: Smoothing,
  settles: boolean,
  { classes, features }: Shape,
  schema: JsonValue | undefined,
): number {
  if (!settles && schema !== undefined) {
    refuse('E_MODEL_CORRUPT', 'the model file is damaged: it holds a chosen alpha, which was not asked for');
  }
  const prior = priorOf(params);
  if (prior.rule !== 'mle') requirePseudoLength(prior.a, classes, features);
  classPriorOf(params, classes);
  return chosenAlpha(schema);
}
