import type { Context } from '../context.ts';
import { choice, command, flag, integer, list } from '../declare.ts';
import { modelling, reading, roles, writing } from '../shared-options.ts';

const options = {
  try: list({
    commas: false,
    value: 'OPTION=V|V',
    doc: 'values to try, such as alpha=0.1|0.5|1 or ngrams=1|1-2; sensible ones unless given',
    common: true,
  }),
  search: choice(['grid', 'halving'], {
    default: 'grid',
    doc: 'all on all rows, or the better third on more and more rows',
    common: true,
  }),
  cv: integer({ value: 'K', default: 5, min: 2, doc: 'folds by which settings are chosen', common: true }),
  nested: flag({ default: true, doc: 'judge the whole search by outer folds (on unless --no-nested)', common: true }),
  outer: integer({ value: 'K', default: 3, min: 2, doc: 'outer folds' }),
  top: integer({ short: 'k', value: 'K', default: 10, min: 1, doc: 'how many settings are shown' }),
  ...roles,
  ...modelling,
  ...writing,
  ...reading,
} as const;

/** What `polya tune` gets. */
export type Tune = Context<typeof options>;

/** `polya tune` */
export const tune = command({
  name: 'tune',
  summary: 'Tries settings by folds, shows them in one table, and judges the search itself by outer folds.',
  arguments: [{ name: 'data', doc: 'labelled data', required: true, many: true, complete: 'file' }],
  options,
  examples: [
    {
      line: "polya tune sms.csv --try 'alpha=0.1|1' --try 'model=multinomial|complement' --cv 3 --outer 2",
      says: 'four settings',
    },
    { line: "polya tune iris.csv --try 'model=lda|qda|gaussian' -o best.polya", says: 'and writes the best' },
  ],
  heavy: true,
  run: async (context): Promise<number | undefined> => (await import('../work/tune.ts')).tune(context),
});
