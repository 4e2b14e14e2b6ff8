import type { Context } from '../context.ts';
import { choice, command } from '../declare.ts';
import { writing } from '../shared-options.ts';

const options = {
  format: choice(['csv', 'jsonl'], { default: 'csv', doc: 'the format of the file', common: true }),
  ...writing,
} as const;

/** What `polya demo` gets. */
export type Demo = Context<typeof options>;

/** `polya demo` */
export const demo = command({
  name: 'demo',
  summary: 'Writes a sample data set and prints commands to try with it; without a name, lists the samples.',
  arguments: [{ name: 'sample', doc: 'sms, reviews, iris, titanic, weather …', complete: 'sample' }],
  options,
  examples: [
    { line: 'polya demo', says: 'the samples' },
    { line: 'polya demo iris --force', says: 'writes iris.csv' },
  ],
  run: async (context): Promise<number | undefined> => (await import('../work/demo.ts')).demo(context),
});
