import type { Context } from '../context.ts';
import { command } from '../declare.ts';

const options = {} as const;

/** What `polya help` gets. */
export type Help = Context<typeof options>;

/** `polya help` */
export const help = command({
  name: 'help',
  summary: 'Help on a command or a topic: formats, models, smoothing, config, exit-codes.',
  arguments: [{ name: 'topic', doc: 'a command or a topic', complete: 'topic' }],
  options,
  examples: [
    { line: 'polya help models', says: 'which model is for what' },
    { line: 'polya help fit', says: 'the same as polya fit --help' },
  ],
  run: async (context): Promise<number | undefined> => (await import('../work/help.ts')).help(context),
});
