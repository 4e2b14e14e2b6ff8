import type { Context } from '../context.ts';
import { command, flag, integer, list, text } from '../declare.ts';
import { checking, deciding, modelling, reading, roles } from '../shared-options.ts';

const { model: family, ...rest } = modelling;

const options = {
  model: text({
    short: 'm',
    value: 'FILE',
    doc: 'the model file; with --cv the name of a model [auto]',
    common: true,
    complete: 'model',
  }),
  cv: integer({ value: 'K', min: 2, doc: 'judge a way to fit by K folds', common: true }),
  failUnder: list({
    value: 'METRIC=VALUE',
    doc: 'exit 8 when a score is lower: accuracy=0.9, f1=0.9, spam.recall=0.95 …',
    common: true,
  }),
  failOver: list({ value: 'METRIC=VALUE', doc: 'exit 8 when a loss is higher: log-loss=0.3, brier=0.1 …' }),
  by: text({ value: 'COLUMN', doc: 'judge each value of a column by itself', common: true, complete: 'column' }),
  compare: text({ value: 'FILE', doc: 'compare with another model on the same rows', common: true, complete: 'model' }),
  ...deciding,
  threshold: list({
    value: 'LABEL=GOAL',
    doc: 'give this label from a probability on, or where a goal is reached on these rows: 0.9, precision:0.95, recall:0.9, cost:20 (false alarms, in misses), f1 …',
    common: true,
  }),
  confusion: flag({ doc: 'show the confusion matrix, also of many classes', common: true }),
  digits: integer({ default: 3, min: 0, max: 15, doc: 'decimals of the table' }),
  mistakes: integer({ value: 'N', min: 1, doc: 'show the N most confident mistakes', common: true }),
  ...checking,
  ...roles,
  ...rest,
  ...reading,
} as const;

/** What `polya evaluate` gets. */
export type Evaluate = Context<typeof options>;

/** `polya evaluate` */
export const evaluate = command({
  name: 'evaluate',
  aliases: ['test'],
  summary: 'Judges a model on labelled data: scores with intervals, confusion, calibration; or a way to fit, by folds.',
  about:
    "The table is scikit-learn's classification report. With --cv no model file is needed: the data are cut into folds, and each is judged by what the others taught. --fail-under ends with exit code 8 when a score is too low, for continuous integration.",
  arguments: [{ name: 'data', doc: 'files, or - for stdin', required: true, many: true, complete: 'file' }],
  options,
  examples: [
    { line: 'polya evaluate sms.csv -m spam.polya', says: 'scores with intervals' },
    {
      line: 'polya evaluate sms.csv --cv 5 --model multinomial',
      says: 'how well such a model would do, by five folds',
    },
    {
      line: 'polya evaluate sms.csv -m spam.polya --threshold spam=precision:0.99',
      says: 'the probability from which "spam" is right 99 times in 100',
    },
    {
      line: 'polya evaluate sms.csv -m spam.polya --fail-under spam.recall=0.5 --json',
      says: 'a gate: exit code 8 when it is not met',
    },
  ],
  heavy: true,
  run: async (context): Promise<number | undefined> => (await import('../work/evaluate.ts')).evaluate(context),
});

/** The names of models, for `--cv`. */
export const families: readonly string[] = family.choices ?? [];
