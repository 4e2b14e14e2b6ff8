import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { namesIn } from './data-problems.ts';
import { type Command, type Completion, camel, globals, type OptionDef, type OptionDefs } from './declare.ts';
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
  const asked = optionOf(options, before[before.length - 1]);
  if (asked && asked.kind !== 'flag') return valuesOf(asked, before, cwd);
  if (last.startsWith('-')) return { offers: flags(options), files: false };
  if (!command) return { offers: verbs.map((own) => ({ value: own.name, about: own.summary })), files: false };
  return argumentsOf(command, options, before, cwd);
}

function optionOf(options: OptionDefs, word: string | undefined): OptionDef | undefined {
  if (word === undefined || !word.startsWith('-')) return undefined;
  if (word.startsWith('--')) return options[camel(word.slice(2))];
  return Object.values(options).find(({ short }) => word === `-${short}`);
}

const flags = (options: OptionDefs): Offer[] =>
  Object.entries(options).map(([name, { doc }]) => ({ value: flagOf(name), about: doc }));

async function valuesOf(
  { choices, complete: kind }: OptionDef,
  before: readonly string[],
  cwd: string,
): Promise<Offers> {
  if (choices) return { offers: choices.map((value) => ({ value, about: '' })), files: false };
  return kind === undefined ? { offers: [], files: false } : offersOf(kind, before, cwd);
}

async function argumentsOf(
  command: Command,
  options: OptionDefs,
  before: readonly string[],
  cwd: string,
): Promise<Offers> {
  const given = before.slice(before.findIndex((word) => word === command.name || command.aliases?.includes(word)) + 1);
  const operands = given.filter((word, k) => {
    const option = optionOf(options, given[k - 1]);
    return !word.startsWith('-') && !(option && option.kind !== 'flag');
  });
  const last = command.arguments.length - 1;
  const next = command.arguments[Math.min(operands.length, last)];
  if (!next || (operands.length > last && !next.many)) return { offers: flags(options), files: false };
  return next.complete === undefined ? { offers: [], files: true } : offersOf(next.complete, before, cwd);
}

async function offersOf(kind: Completion, before: readonly string[], cwd: string): Promise<Offers> {
  const plain = (values: readonly string[]) => ({
    offers: values.map((value) => ({ value, about: '' })),
    files: false,
  });
  switch (kind) {
    case 'column':
      return { offers: await columnsIn(before, cwd), files: false };
    case 'model':
      return { offers: modelsIn(cwd), files: true };
    case 'file':
      return { offers: [], files: true };
    case 'shell':
      return plain(shells);
    case 'topic':
      return plain([...Object.keys((await import('./commands/help.ts')).topics), ...verbs.map(({ name }) => name)]);
    case 'dataset':
      return plain((await import('./commands/datasets.ts')).names());
  }
}

const modelsIn = (cwd: string): Offer[] =>
  namesIn(cwd)
    .filter((name) => name.endsWith('.polya'))
    .map((value) => ({ value, about: 'model' }));

/** The columns of the first file on the command line. */
async function columnsIn(before: readonly string[], cwd: string): Promise<Offer[]> {
  const { openTable } = await import('../node/table.ts');
  for (const word of before) {
    const path = resolve(cwd, word);
    if (word.startsWith('-') || !statSync(path, { throwIfNoEntry: false })?.isFile()) continue;
    const table = await openTable(path, { duplicates: 'number' }).catch(() => undefined);
    await table?.close();
    return (table?.columns ?? []).map((value) => ({ value, about: basename(word) }));
  }
  return [];
}
