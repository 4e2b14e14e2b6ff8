import { alphaFamilies, chosenAlphaFamilies } from '../src/workbench.ts';
import type { Settings } from './protocol.ts';

const isOneOf = (names: readonly string[], name: string): boolean => names.includes(name);

/** Whether a model has a pseudo-count that can be set. */
export const hasAlpha = (model: string): boolean => isOneOf(alphaFamilies, model);

/** Whether a model chooses its pseudo-count by leaving one row out. */
export const choosesAlpha = (model: string): boolean => isOneOf(chosenAlphaFamilies, model);

/** The `alpha` option of library and command line; '' if not set. */
export function smoothingOf({ model, alpha }: Pick<Settings, 'model' | 'alpha'>): string {
  if (alpha === '' && choosesAlpha(model)) return 'auto';
  return hasAlpha(model) ? alpha : '';
}
