import type { Context } from '../context.ts';
import { choice, command, flag, integer, list, number, text } from '../declare.ts';
import { checking, deciding, inEngine, modelFile, reading, writing } from '../shared-options.ts';

const options = {
  ...modelFile,
  ...checking,
  text: list({
    commas: false,
    value: 'TEXT',
    doc: 'label this text; may be given again',
    common: true,
    setting: false,
  }),
  column: text({
    short: 'x',
    value: 'COLUMN',
    doc: 'the column of the data that has the text',
    common: true,
    complete: 'column',
  }),
  top: integer({ short: 'k', value: 'K', min: 1, doc: 'the K most probable labels', common: true }),
  proba: flag({ doc: 'the probability of every class', common: true }),
  ...deciding,
  reject: number({ value: 'P', min: 0, max: 1, doc: 'mark answers that are less probable as rejected', common: true }),
  explain: integer({ value: 'N', min: 1, doc: 'the N words or cells that decided most', common: true }),
  output: choice(['text', 'jsonl', 'csv', 'tsv'], { default: 'text', doc: 'the form of the answers', common: true }),
  keep: list({ value: 'COLUMNS', doc: 'hand on these columns; all, none, or those that are no features unless given' }),
  lineBuffered: flag({ doc: 'answer every line as soon as it is read, also from and into a pipe' }),
  out: text({ short: 'o', value: 'FILE', doc: 'write to a file instead of stdout', complete: 'file', setting: false }),
  force: writing.force,
  ...reading,
  ...inEngine,
  into: text({ value: 'TABLE', doc: 'with --engine: the table to make of the answers, where the rows are' }),
  key: list({ value: 'COLUMNS', doc: 'with --engine: the columns that tell rows apart' }),
} as const;

/** What `polya predict` gets. */
export type Predict = Context<typeof options>;

/** `polya predict` */
export const predict = command({
  name: 'predict',
  summary: 'Labels texts or rows with a model, with probabilities and, if asked, reasons.',
  about:
    'Rows are read, labelled and written as they come, in bounded memory. Columns that are no features, such as an id, are handed on.',
  arguments: [
    {
      name: 'data',
      doc: 'files, or - for stdin; stdin as well when there is neither data nor --text',
      many: true,
      complete: 'file',
    },
  ],
  options,
  examples: [
    {
      line: 'polya predict -m spam.polya --text "free entry, call now" --explain 4',
      says: 'one text, and the words that decided',
    },
    { line: 'polya predict sms.csv -m spam.polya --proba --output csv', says: 'every row of a file, as CSV' },
    {
      line: 'cat sms.csv | polya predict - -m spam.polya --output jsonl --reject 0.9',
      says: 'a pipe; answers under 0.9 are marked',
    },
  ],
  run: async (context): Promise<number | undefined> => (await import('../work/predict.ts')).predict(context),
});
