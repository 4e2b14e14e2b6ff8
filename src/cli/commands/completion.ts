import { script } from '@bomb.sh/tab';
import { shells } from '../complete.ts';
import { type Context, command } from '../declare.ts';
import { corrected } from '../shell.ts';
import { refuseChoice } from '../usage.ts';

/** What the command prints with `--json`. */
export interface Prints {
  /** The script of a shell. */
  'completion@1': { shell: string; script: string };
}

/** `polya completion` */
export const declaration = command({
  arguments: [{ name: 'shell', doc: 'bash, zsh, fish or powershell', required: true, complete: 'shell' }],
  options: {},
  examples: {
    'polya completion bash': 'in ~/.bashrc: source <(polya completion bash)',
    'polya completion zsh': 'in ~/.zshrc: source <(polya completion zsh)',
  },
  run,
});

/** Prints the completion script of a shell; it calls `polya complete`. */
async function run({ args, print, words }: Context): Promise<void> {
  const [shell] = args;
  if (!shells.includes(shell)) {
    refuseChoice('completion', shell, shells, { correct: (near) => corrected(words, shell, near) });
  }
  const content = printed(() => script(shell, 'polya', 'polya'));
  if (print.json) await print.object<Prints>('completion@1', { shell, script: content });
  else await print.raw(content);
}

/** What a function prints to the console. */
function printed(act: () => void): string {
  const { log } = console;
  const lines: string[] = [];
  console.log = (...parts: unknown[]) => void lines.push(parts.join(' '));
  try {
    act();
  } finally {
    console.log = log;
  }
  return `${lines.join('\n')}\n`;
}
