import type { Context } from '../context.ts';
import { choice, command } from '../declare.ts';
import { checking, modelFile, reading, roles, writing } from '../shared-options.ts';

const options = {
  ...modelFile,
  ...checking,
  method: choice(['auto', 'sigmoid', 'isotonic', 'temperature'], {
    default: 'auto',
    doc: 'how; auto: the best of the three, by folds',
    common: true,
  }),
  target: roles.target,
  text: roles.text,
  skipUnlabeled: roles.skipUnlabeled,
  ...writing,
  ...reading,
} as const;

/** What `polya calibrate` gets. */
export type Calibrate = Context<typeof options>;

/** `polya calibrate` */
export const calibrate = command({
  name: 'calibrate',
  summary: 'Calibrates the probabilities of a model with rows it has not learned, about 30 per class at least.',
  arguments: [
    { name: 'data', doc: 'labelled rows the model has not learned', required: true, many: true, complete: 'file' },
  ],
  options,
  examples: [
    { line: 'polya calibrate more.csv -m words.polya', says: 'the best method, and how much it helps' },
    {
      line: 'polya calibrate more.csv -m words.polya --method temperature -o calibrated.polya',
      says: 'a method by name, to another file',
    },
  ],
  heavy: true,
  run: async (context): Promise<number | undefined> => (await import('../work/calibrate.ts')).calibrate(context),
});
