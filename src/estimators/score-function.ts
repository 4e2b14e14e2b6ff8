import type { Option } from '../core/options.ts';
import { type ScoreFunction, type ScoreName, scoreFunctions } from '../features/scorers.ts';

const isName = (value: unknown): value is ScoreName =>
  typeof value === 'string' && Object.hasOwn(scoreFunctions, value);

/** What features are scored by: one of our functions, by itself or by name, or any other function. What features are scored by. */
export const scoreFunc: Option<ScoreFunction | ScoreName | 'custom'> = {
  kind: 'custom',
  default: 'fClassif',
  expects: `a function of rows and labels, or one of ${Object.keys(scoreFunctions).join(', ')}`,
  // 'custom' stands in a model file for a function that no file can hold.
  accept: (value) =>
    typeof value === 'function' || isName(value) || value === 'custom' ? (value as never) : undefined,
};
