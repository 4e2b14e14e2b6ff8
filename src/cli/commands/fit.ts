import type { Context } from '../context.ts';
import { choice, command, flag, integer, number, text } from '../declare.ts';
import { inEngine, modelling, reading, roles, writing } from '../shared-options.ts';

/** The options of `polya fit`, which others that learn share. */
export const fitOptions = {
  ...roles,
  ...modelling,
  holdout: number({
    default: 0.2,
    min: 0,
    max: 0.9,
    doc: 'the share of rows to hold out and judge the model by; 0: none',
    common: true,
  }),
  cv: integer({ value: 'K', min: 2, doc: 'judge by K folds instead', common: true }),
  refit: flag({
    default: true,
    doc: 'write the model of all rows, not the one that was judged (on unless --no-refit)',
  }),
  ...reading,
} as const;

const options = {
  ...fitOptions,
  splitColumn: text({
    value: 'COLUMN',
    doc: 'the column with train, test, val or dev: learn from the training rows, evaluate on the others',
    complete: 'column',
  }),
  ...writing,
  unlabeled: choice(['refuse', 'skip', 'use'], {
    default: 'refuse',
    doc: 'rows without a label: refuse them, leave them out, or learn from them too (a named model)',
    common: true,
  }),
  stream: flag({ doc: 'learn in one pass without keeping rows (a named model; no judgement)' }),
  slim: flag({ doc: 'write parameters only: smaller, and learns no more' }),
  ...inEngine,
} as const;

/** What `polya fit` gets. */
export type Fit = Context<typeof options>;

/** `polya fit` */
export const fit = command({
  name: 'fit',
  aliases: ['train'],
  summary: 'Learns a model from labelled data, and judges it on rows it has not seen.',
  about:
    'Columns, model, smoothing and calibration are chosen from the training rows unless given; what was tried is shown and kept in the file. Copies of a row stay on one side of the split. The same data, options and seed give the same bytes.',
  arguments: [{ name: 'data', doc: 'files, a folder of texts, or - for stdin', many: true, complete: 'file' }],
  options,
  examples: [
    { line: 'polya fit sms.csv -o spam.polya', says: 'chooses everything itself' },
    {
      line: 'polya fit iris.csv --model lda --cv 10 -o iris.polya',
      says: 'linear discriminant analysis, judged by ten folds',
    },
    {
      line: 'polya fit sms.csv --model multinomial --alpha 0.5 --ngrams 1-2 -o words.polya',
      says: 'a model by name, with its smoothing',
    },
    {
      line: 'cat sms.csv | polya fit - --target label -o spam.polya --force',
      says: 'from a pipe',
    },
  ],
  heavy: true,
  run: async (context): Promise<number | undefined> => (await import('../work/fit.ts')).fit(context),
});
