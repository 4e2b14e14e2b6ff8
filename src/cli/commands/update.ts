import type { Context } from '../context.ts';
import { command, flag, number } from '../declare.ts';
import { checking, modelFile, reading, roles, writing } from '../shared-options.ts';

const options = {
  ...modelFile,
  ...checking,
  target: roles.target,
  text: roles.text,
  skipUnlabeled: roles.skipUnlabeled,
  forgetHalfLife: number({
    value: 'ROWS',
    min: 1,
    doc: 'let what was learned fade: after so many rows it counts half',
    common: true,
  }),
  blank: flag({ doc: 'learn these rows alone, into a model like this one, to be merged with it (with -o)' }),
  ...writing,
  ...reading,
} as const;

/** What `polya update` gets. */
export type Update = Context<typeof options>;

/** `polya update` */
export const update = command({
  name: 'update',
  aliases: ['learn'],
  summary: 'Learns from more rows; each is predicted before it is learned, which makes honest scores.',
  about:
    'The model file is replaced as a whole once all rows are learned, or written to another file with -o. New labels, words and levels are welcome. A model that was saved slim cannot learn.',
  arguments: [{ name: 'data', doc: 'files, or - for stdin', required: true, many: true, complete: 'file' }],
  options,
  examples: [
    { line: 'polya update more.csv -m words.polya', says: 'learns, and shows scores at 1, 2, 4, 8 … rows' },
    {
      line: 'cat more.csv | polya update - -m words.polya --forget-half-life 10000 -o newer.polya',
      says: 'old rows fade',
    },
    {
      line: 'polya update more.csv -m spam.polya --blank -o part.polya',
      says: 'these rows alone, for polya merge spam.polya part.polya -o all.polya',
    },
  ],
  heavy: true,
  run: async (context): Promise<number | undefined> => (await import('../work/update.ts')).update(context),
});
