import type { Context } from '../context.ts';
import { choice, command, list, text } from '../declare.ts';
import { checking, modelling, reading, roles } from '../shared-options.ts';

const { model: _, ...rest } = modelling;

const options = {
  model: list({
    short: 'm',
    value: 'NAME or FILE',
    doc: 'models by name, judged on the same folds; or model files, judged on the same rows',
    common: true,
    complete: 'model',
  }),
  cv: text({ value: 'K or RxK', default: '5', doc: 'folds; 10x10: ten times ten folds', common: true }),
  by: choice(['accuracy', 'log-loss'], { default: 'accuracy', doc: 'what decides', common: true }),
  ...checking,
  ...roles,
  ...rest,
  ...reading,
} as const;

/** What `polya compare` gets. */
export type Compare = Context<typeof options>;

/** `polya compare` */
export const compare = command({
  name: 'compare',
  summary: 'Compares models on the same folds or rows, and says whether the difference is more than chance.',
  about:
    'By names: the corrected resampled t-test over the folds. By files: McNemar’s test over the rows. Every model is compared with the first.',
  arguments: [{ name: 'data', doc: 'labelled data', required: true, many: true, complete: 'file' }],
  options,
  examples: [
    { line: 'polya compare iris.csv -m lda -m qda -m gaussian --cv 2x5', says: 'three models on the same folds' },
    { line: 'polya compare sms.csv -m spam.polya -m words.polya', says: 'two files on the same rows' },
  ],
  heavy: true,
  run: async (context): Promise<number | undefined> => (await import('../work/compare.ts')).compare(context),
});
