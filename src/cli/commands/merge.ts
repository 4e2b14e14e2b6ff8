import type { Context } from '../context.ts';
import { command } from '../declare.ts';
import { writing } from '../shared-options.ts';

const options = { ...writing } as const;

/** What `polya merge` gets. */
export type Merge = Context<typeof options>;

/** `polya merge` */
export const merge = command({
  name: 'merge',
  summary: 'Adds models: the sum has learned the rows of all of them.',
  about:
    'Models that merge have the same family, options and columns. What was learned in parts, on several machines or days, is the same as what would have been learned at once.',
  arguments: [{ name: 'models', doc: 'two model files or more', required: true, many: true, complete: 'model' }],
  options,
  examples: [{ line: 'polya merge words.polya more.polya -o all.polya', says: 'the sum of two models' }],
  heavy: true,
  run: async (context): Promise<number | undefined> => (await import('../work/merge.ts')).merge(context),
});
