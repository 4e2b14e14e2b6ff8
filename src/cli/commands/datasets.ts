import type { Context } from '../context.ts';
import { choice, command, list, text } from '../declare.ts';
import { writing } from '../shared-options.ts';

const options = {
  subset: choice(['train', 'test', 'all'], { default: 'all', doc: 'of 20newsgroups: which part', common: true }),
  categories: list({ value: 'NAMES', doc: 'of 20newsgroups: only these groups', common: true }),
  remove: list({ value: 'PARTS', doc: 'of 20newsgroups: headers, footers, quotes', common: true }),
  from: text({
    value: 'PATH',
    doc: 'a folder or archive to read instead of the network; also POLYA_DATA',
    common: true,
    complete: 'file',
  }),
  cache: text({ value: 'FOLDER', doc: 'where downloads are kept', complete: 'file' }),
  ...writing,
} as const;

/** What `polya datasets` gets. */
export type Datasets = Context<typeof options>;

/** `polya datasets` */
export const datasets = command({
  name: 'datasets',
  summary: 'Lists the data sets; writes one of them as a file. Only 20newsgroups is fetched, and only when named here.',
  arguments: [{ name: 'name', doc: 'the data set', complete: 'dataset' }],
  options,
  examples: [
    { line: 'polya datasets', says: 'what there is, with sizes and sources' },
    { line: 'polya datasets weather -o weather.csv --force', says: 'writes one' },
  ],
  run: async (context): Promise<number | undefined> => (await import('../work/datasets.ts')).datasets(context),
});
