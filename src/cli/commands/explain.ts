import type { Context } from '../context.ts';
import { command, integer, text } from '../declare.ts';
import { checking, modelFile, reading } from '../shared-options.ts';

const options = {
  ...modelFile,
  ...checking,
  text: text({ value: 'TEXT', doc: 'explain this text', common: true, setting: false }),
  row: integer({ value: 'N', min: 1, doc: 'explain the Nth row of the data', common: true, setting: false }),
  top: integer({ short: 'k', value: 'K', default: 10, min: 1, doc: 'how many words or cells', common: true }),
  class: text({ value: 'LABEL', doc: 'explain this class', common: true }),
  against: text({ value: 'LABEL', doc: 'against this one; the next best unless given' }),
  column: text({ short: 'x', value: 'COLUMN', doc: 'the column of the data that has the text', complete: 'column' }),
  ...reading,
} as const;

/** What `polya explain` gets. */
export type Explain = Context<typeof options>;

/** `polya explain` */
export const explain = command({
  name: 'explain',
  summary: 'Says why a text or row gets its label; without one, what the model goes by.',
  arguments: [{ name: 'data', doc: 'a file with the row, or - for stdin', complete: 'file' }],
  options,
  examples: [
    { line: 'polya explain -m spam.polya --text "free entry, call now"', says: 'what every word adds' },
    { line: 'polya explain -m spam.polya', says: 'the most telling words of every class' },
    { line: 'polya explain iris.csv -m iris.polya --row 1', says: 'one row of a file' },
  ],
  run: async (context): Promise<number | undefined> => (await import('../work/explain.ts')).explain(context),
});
