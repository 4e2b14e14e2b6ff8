import type { Context } from '../context.ts';
import { command } from '../declare.ts';

const options = {} as const;

/** What `polya completion` gets. */
export type Completion = Context<typeof options>;

/** `polya completion` */
export const completion = command({
  name: 'completion',
  summary: 'Prints a script that completes commands, options, columns and model files in your shell.',
  arguments: [{ name: 'shell', doc: 'bash, zsh, fish or powershell', required: true, complete: 'shell' }],
  options,
  examples: [
    { line: 'polya completion bash', says: 'in ~/.bashrc: source <(polya completion bash)' },
    { line: 'polya completion zsh', says: 'in ~/.zshrc: source <(polya completion zsh)' },
  ],
  run: async (context): Promise<number | undefined> => (await import('../work/completion.ts')).completion(context),
});
