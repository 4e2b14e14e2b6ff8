import type { Context } from '../context.ts';
import { command } from '../declare.ts';

const options = {} as const;

/** What `polya info` gets. */
export type Info = Context<typeof options>;

/** `polya info` */
export const info = command({
  name: 'info',
  summary: 'The card of a model file: kind, classes, features, how it was made; verifies the checksum.',
  arguments: [{ name: 'model', doc: 'the model file', required: true, complete: 'model' }],
  options,
  examples: [
    { line: 'polya info spam.polya', says: 'the card' },
    { line: 'polya info spam.polya --json', says: 'the same as JSON' },
  ],
  run: async (context): Promise<number | undefined> => (await import('../work/info.ts')).info(context),
});
