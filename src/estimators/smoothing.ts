import { classWeight } from '../core/class-weight.ts';
import { choice, flag, type Option, type OptionValues } from '../core/options.ts';
import type { Prior } from '../core/prior.ts';
import { isList } from '../data/matrix.ts';
import { classPriors, numbers } from './class-prior.ts';

/** Options that every estimator has. */
export const common = {
  /** What to do with a named column the model does not know. */
  extra: choice(['error', 'ignore'], {
    default: 'error',
  }),
  classWeight,
  /** Sums that are the same for every order and partition of the rows. */
  reproducible: flag({ default: false }),
  /** What a row gets that is impossible under every class: the prior, or E_ZERO_EVIDENCE. */
  zeroEvidence: choice(['prior', 'error'], {
    default: 'prior',
  }),
} as const;

/** What alpha may be: one number, a list, or a choice by leave-one-out. */
export type Alpha = number | readonly number[] | 'auto';

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

/** Without `forceAlpha`, a smaller alpha becomes this one. */
export const LEAST_ALPHA = 1e-10;

type Smoothing = OptionValues<typeof smoothing>;

/** The posterior mean with pseudo-count alpha, or with the one that was chosen. */
export function priorOf({ alpha, forceAlpha }: Pick<Smoothing, 'alpha' | 'forceAlpha'>, chosen = 1): Prior {
  const least = forceAlpha ? 0 : LEAST_ALPHA;
  const given = alpha === 'auto' ? chosen : alpha;
  const a = typeof given === 'number' ? Math.max(given, least) : Float64Array.from(given, (k) => Math.max(k, least));
  return { rule: 'bayes', a };
}
