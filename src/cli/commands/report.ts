import type { Context } from '../context.ts';
import { command, integer, text } from '../declare.ts';
import { checking, modelFile, reading, roles, writing } from '../shared-options.ts';

const options = {
  ...modelFile,
  ...checking,
  title: text({ value: 'TEXT', doc: 'the title of the page', common: true }),
  mistakes: integer({ value: 'N', default: 20, min: 0, max: 500, doc: 'how many mistakes to list', common: true }),
  words: integer({ value: 'N', default: 15, min: 1, max: 100, doc: 'how many words to list', common: true }),
  ...roles,
  ...reading,
  ...writing,
} as const;

/** What `polya report` gets. */
export type Report = Context<typeof options>;

/** `polya report` */
export const report = command({
  name: 'report',
  summary: 'Writes one HTML page about a model on labelled data: scores, pictures, mistakes, what was tried.',
  about:
    'The page needs no network and no script, prints well, follows light and dark, and holds the command that makes it again.',
  arguments: [{ name: 'data', doc: 'files, or - for stdin', required: true, many: true, complete: 'file' }],
  options,
  examples: [
    { line: 'polya report sms.csv -m spam.polya -o spam.html --force', says: 'a page to share' },
    { line: 'polya report iris.csv -m iris.polya -o iris.html --force --title "Three irises"', says: 'with a title' },
  ],
  heavy: true,
  run: async (context): Promise<number | undefined> => (await import('../work/report.ts')).report(context),
});
