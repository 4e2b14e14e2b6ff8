import type { Context } from '../context.ts';
import { choice, command } from '../declare.ts';
import { writing } from '../shared-options.ts';

const options = {
  from: choice(['sklearn-json'], { default: 'sklearn-json', doc: 'what the file is', common: true }),
  ...writing,
} as const;

/** What `polya import` gets. */
export type Import = Context<typeof options>;

/** `polya import` */
export const importModel = command({
  name: 'import',
  summary: 'Makes a model file from parameters that scikit-learn has learned, written as JSON.',
  about: 'polya help formats shows the few lines of Python that write them; nothing is unpickled, nothing is executed.',
  arguments: [{ name: 'file', doc: 'the JSON file', required: true, complete: 'file' }],
  options,
  examples: [{ line: 'polya import sklearn.json -o from-sklearn.polya', says: 'a model file' }],
  run: async (context): Promise<number | undefined> => (await import('../work/import.ts')).importModel(context),
});
