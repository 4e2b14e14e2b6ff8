import type { Context } from '../context.ts';
import { choice, command } from '../declare.ts';
import { checking, modelFile, reading, roles, writing } from '../shared-options.ts';

const options = {
  ...modelFile,
  ...checking,
  method: choice(['auto', 'sigmoid', 'isotonic', 'temperature'], {
    default: 'auto',
    doc: 'the curve; auto: the best of the three, by folds',
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
  summary: 'Makes the probabilities of a model honest, with rows it has not learned.',
  arguments: [
    { name: 'data', doc: 'labelled rows the model has not learned', required: true, many: true, complete: 'file' },
  ],
  options,
  examples: [
    { line: 'polya calibrate more.csv -m words.polya', says: 'the best curve, and how much it helps' },
    {
      line: 'polya calibrate more.csv -m words.polya --method isotonic -o honest.polya',
      says: 'a curve by name, to another file',
    },
  ],
  heavy: true,
  run: async (context): Promise<number | undefined> => (await import('../work/calibrate.ts')).calibrate(context),
});
