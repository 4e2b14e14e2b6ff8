import type { Context } from '../context.ts';
import { command } from '../declare.ts';

const options = {} as const;

/** What `polya doctor` gets. */
export type Doctor = Context<typeof options>;

/** `polya doctor` */
export const doctor = command({
  name: 'doctor',
  summary:
    'Checks this machine: Node, memory, the folder, the terminal, optional packages, and that a model learns and answers.',
  arguments: [],
  options,
  examples: [{ line: 'polya doctor', says: 'what works, and what does not' }],
  run: async (context): Promise<number | undefined> => (await import('../work/doctor.ts')).doctor(context),
});
