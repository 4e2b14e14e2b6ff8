import type { Context } from '../context.ts';
import { command } from '../declare.ts';
import { checking, modelFile, reading, roles, writing } from '../shared-options.ts';

const options = { ...modelFile, ...checking, target: roles.target, text: roles.text, ...writing, ...reading } as const;

/** What `polya unlearn` gets. */
export type Unlearn = Context<typeof options>;

/** `polya unlearn` */
export const unlearn = command({
  name: 'unlearn',
  summary: 'Takes rows away that were learned, exactly: the model is what it would be without them.',
  arguments: [{ name: 'data', doc: 'the rows, as they were learned', required: true, many: true, complete: 'file' }],
  options,
  examples: [{ line: 'polya unlearn more.csv -m words.polya', says: 'all of these rows, or none' }],
  heavy: true,
  run: async (context): Promise<number | undefined> => (await import('../work/update.ts')).unlearn(context),
});
