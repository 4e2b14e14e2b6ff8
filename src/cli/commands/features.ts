import type { Context } from '../context.ts';
import { choice, command, flag, integer, text } from '../declare.ts';
import { reading, roles } from '../shared-options.ts';

const options = {
  model: text({
    short: 'm',
    value: 'FILE',
    doc: 'rank the words that a model has counted',
    common: true,
    complete: 'model',
  }),
  by: choice(['mi', 'chi2', 'gain-ratio', 'log-odds', 'bns'], {
    default: 'mi',
    doc: 'mutual information, χ², gain ratio, log-odds, bi-normal separation',
    common: true,
  }),
  top: integer({ short: 'k', value: 'K', default: 20, min: 1, doc: 'how many', common: true }),
  class: text({ value: 'LABEL', doc: 'only what speaks for this class', common: true }),
  minRows: integer({ value: 'N', default: 2, min: 1, doc: 'leave out what fewer rows have' }),
  plot: flag({ doc: 'a bar for each', common: true }),
  target: roles.target,
  text: roles.text,
  features: roles.features,
  kinds: roles.kinds,
  weights: roles.weights,
  skipUnlabeled: roles.skipUnlabeled,
  ...reading,
} as const;

/** What `polya features` gets. */
export type Features = Context<typeof options>;

/** `polya features` */
export const features = command({
  name: 'features',
  summary: 'Ranks words and cells by how much they tell of the class, by several scores at once.',
  arguments: [{ name: 'data', doc: 'labelled data; or a model with -m', many: true, complete: 'file' }],
  options,
  examples: [
    { line: 'polya features sms.csv --top 10', says: 'the most telling words' },
    { line: 'polya features iris.csv --by gain-ratio --plot', says: 'columns, with bars' },
    { line: 'polya features -m words.polya --by log-odds', says: 'the words of a model' },
  ],
  heavy: true,
  run: async (context): Promise<number | undefined> => (await import('../work/features.ts')).features(context),
});
