import type { Context } from '../context.ts';
import { command } from '../declare.ts';
import { reading, roles } from '../shared-options.ts';

const options = { target: roles.target, ...reading } as const;

/** What `polya inspect` gets. */
export type Inspect = Context<typeof options>;

/** `polya inspect` */
export const inspect = command({
  name: 'inspect',
  summary:
    'Looks at data: format, columns and their kinds, the probable target, balance, missing cells, copies, leaks.',
  arguments: [{ name: 'data', doc: 'a file, a folder of texts, or - for stdin', required: true, complete: 'file' }],
  options,
  examples: [
    { line: 'polya inspect sms.csv', says: 'what is in the file, and the command to go on with' },
    { line: 'cat sms.csv | polya inspect - --json', says: 'the same as JSON' },
  ],
  heavy: true,
  run: async (context): Promise<number | undefined> => (await import('../work/inspect.ts')).inspect(context),
});
