import type { Context } from '../context.ts';
import { command, flag } from '../declare.ts';
import { reading, roles } from '../shared-options.ts';

const options = {
  target: roles.target,
  force: flag({ short: 'f', doc: 'overwrite polya.config.json' }),
  ...reading,
} as const;

/** What `polya init` gets. */
export type Init = Context<typeof options>;

/** `polya init` */
export const init = command({
  name: 'init',
  summary: 'Asks a few questions about your data and writes polya.config.json; --yes takes the guesses.',
  arguments: [{ name: 'data', doc: 'the data; the first data file of the folder unless given', complete: 'file' }],
  options,
  examples: [{ line: 'polya init iris.csv --yes --force', says: 'writes the guesses without asking' }],
  run: async (context): Promise<number | undefined> => (await import('../work/init.ts')).init(context),
});
