import type { Context } from '../context.ts';
import { command, integer, text } from '../declare.ts';
import { modelling, reading, roles, writing } from '../shared-options.ts';

const options = {
  runs: integer({ default: 5, min: 1, max: 1000, doc: 'how often each step is measured', common: true }),
  warmup: integer({ default: 1, min: 0, max: 100, doc: 'runs that do not count' }),
  exportJson: text({ value: 'FILE', doc: 'write the figures as JSON', common: true, complete: 'file', setting: false }),
  exportMarkdown: text({ value: 'FILE', doc: 'write the figures as Markdown', complete: 'file', setting: false }),
  force: writing.force,
  ...roles,
  ...modelling,
  ...reading,
} as const;

/** What `polya bench` gets. */
export type Bench = Context<typeof options>;

/** `polya bench` */
export const bench = command({
  name: 'bench',
  summary: 'Measures reading, fitting, predicting, saving and loading here: medians, rows per second.',
  arguments: [
    { name: 'data', doc: 'labelled data; a generated table of words unless given', many: true, complete: 'file' },
  ],
  options,
  examples: [
    { line: 'polya bench --runs 3', says: 'a generated text table' },
    { line: 'polya bench iris.csv --model gaussian --runs 3', says: 'your data' },
  ],
  heavy: true,
  run: async (context): Promise<number | undefined> => (await import('../work/bench.ts')).bench(context),
});
