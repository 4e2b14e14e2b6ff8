import { choice, type Option } from '../core/options.ts';

/** What a level is that was never learned: counted zero times, or a missing cell, or E_CATEGORY_UNKNOWN. */
export const unknown: Option<'smooth' | 'ignore' | 'error'> = choice(['smooth', 'ignore', 'error'], {
  default: 'smooth',
});

/** What NaN and null are: a mistake, or a missing cell that is integrated out. */
export const missing: Option<'error' | 'ignore'> = choice(['error', 'ignore'], {
  default: 'error',
});
