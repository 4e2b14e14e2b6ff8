import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { namesIn } from './data-problems.ts';
import { type Completion, camel, globals, type OptionDef, type OptionDefs } from './declare.ts';
import type { Io } from './io.ts';
import { loadCommand, verbNamed, verbs } from './registry.ts';
import { flagOf } from './values.ts';

/** The shells that have a script. */
export const shells: readonly string[] = ['bash', 'zsh', 'fish', 'powershell'];

/** A completion with its description. */
export interface Offer {
  readonly value: string;
  readonly about: string;
}

interface Offers {
  readonly offers: readonly Offer[];
  /** Whether the shell completes files too. */
  readonly files: boolean;
}

const only = (offers: readonly Offer[]): Offers => ({ offers, files: false });
const plain = (values: readonly string[], about = ''): Offer[] => values.map((value) => ({ value, about }));

/** Prints completions for the scripts of the shells: one per line, then a directive for the shell. */
export async function complete(words: readonly string[], io: Io): Promise<void> {
  const { offers, files } = await offersFor(words, io.cwd);
  const last = words[words.length - 1] ?? '';
  const fitting = offers.filter(({ value }) => value.startsWith(last));
  const lines = fitting.map(({ value, about }) => `${value}\t${about}\n`);
  const FILES_TOO = 0;
  const NOTHING_ELSE = 4;
  await io.stdout.write(`${lines.join('')}:${files ? FILES_TOO : NOTHING_ELSE}\n`);
}

/** The completions of the last word. */
export async function offersFor(words: readonly string[], cwd: string): Promise<Offers> {
  const before = words.slice(0, -1);
  const last = words[words.length - 1] ?? '';
  const name = before.find((word) => !word.startsWith('-'));
  const verb = verbNamed(name ?? '');
  const command = verb && (await loadCommand(verb));
  const options: OptionDefs = { ...command?.options, ...globals };
  const flags = () => only(Object.entries(options).map(([own, { doc }]) => ({ value: flagOf(own), about: doc })));
  const asked = valuedOption(options, before[before.length - 1]);
  if (asked) return asked.choices ? only(plain(asked.choices)) : offersOf(asked.complete, before, cwd);
  if (last.startsWith('-')) return flags();
  if (!command) return only(verbs.map((own) => ({ value: own.name, about: own.summary })));
  const { arguments: known } = command;
  const given = before.slice(before.indexOf(name!) + 1);
  const operands = given.filter((word, k) => !word.startsWith('-') && !valuedOption(options, given[k - 1]));
  const next = known[Math.min(operands.length, known.length - 1)];
  if (!next || (operands.length >= known.length && !next.many)) return flags();
  return offersOf(next.complete ?? 'file', before, cwd);
}

/** The option whose value follows a word. */
function valuedOption(options: OptionDefs, word = ''): OptionDef | undefined {
  const option = word.startsWith('--')
    ? options[camel(word.slice(2))]
    : Object.values(options).find(({ short }) => word === `-${short}`);
  return option?.kind === 'flag' ? undefined : option;
}

async function offersOf(kind: Completion | undefined, before: readonly string[], cwd: string): Promise<Offers> {
  switch (kind) {
    case 'column':
      return only(await columnsIn(before, cwd));
    case 'model': {
      const models = namesIn(cwd).filter((name) => name.endsWith('.polya'));
      return { offers: plain(models, 'model'), files: true };
    }
    case 'shell':
      return only(plain(shells));
    case 'topic': {
      const { topics } = await import('./commands/help.ts');
      return only(plain([...Object.keys(topics), ...verbs.map(({ name }) => name)]));
    }
    case 'dataset':
      return only(plain((await import('./commands/datasets.ts')).names()));
    default:
      return { offers: [], files: kind === 'file' };
  }
}

/** The columns of the first file on the command line. */
async function columnsIn(before: readonly string[], cwd: string): Promise<Offer[]> {
  const { openTable } = await import('../node/table.ts');
  for (const word of before) {
    const path = resolve(cwd, word);
    if (word.startsWith('-') || !statSync(path, { throwIfNoEntry: false })?.isFile()) continue;
    const table = await openTable(path, { duplicates: 'number' }).catch(() => undefined);
    await table?.close();
    return plain(table?.columns ?? [], basename(word));
  }
  return [];
}
