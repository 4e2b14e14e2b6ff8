import { script } from '@bomb.sh/tab';
import { suggest } from '../../data/suggest.ts';
import type { Completion } from '../commands/completion.ts';
import { shells } from '../complete.ts';
import { fail } from '../problem.ts';
import { corrected } from '../shell.ts';
import { texts } from '../texts/index.ts';

/** Prints the script that makes a shell ask `polya complete`. */
export async function completion({ args, print, words }: Completion): Promise<undefined> {
  const [shell] = args;
  if (!shells.includes(shell)) {
    const near = suggest(shell, shells);
    fail('E_USAGE', texts.usage.choiceNeeded('completion', shell), {
      notes: [texts.usage.choices(shells, near)],
      command: near && corrected(words, shell, near),
    });
  }
  const content = printed(() => script(shell, 'polya', 'polya'));
  if (print.json) await print.object({ schema: 'polya/completion@1', shell, script: content });
  else await print.raw(content);
  return undefined;
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
