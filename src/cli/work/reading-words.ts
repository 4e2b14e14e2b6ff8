import type { Context } from '../context.ts';
import { reading } from '../shared-options.ts';
import { flagOf } from '../values.ts';

/** How the cells of data are told; which rows are taken is not among it. */
const told = ['format', 'encoding', 'delimiter', 'decimal', 'header', 'maxBadRows'] as const;

/** The options by which data were read, for another command that is to read them too. */
export function readingWords({ settings }: Pick<Context, 'settings'>): string[] {
  return told.flatMap((name) => {
    const value = settings.get(name)?.value;
    const { default: usual }: { readonly default?: unknown } = reading[name];
    return value === undefined || value === usual ? [] : [flagOf(name), String(value)];
  });
}
