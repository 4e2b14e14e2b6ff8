import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Command, type Completion, camel, globals, type OptionDef, type OptionDefs } from './declare.ts';
import type { Io } from './io.ts';
import { loadCommand, verbNamed, verbs } from './registry.ts';
import { flagOf } from './values.ts';

/** The shells that have a script. */
export const shells: readonly string[] = ['bash', 'zsh', 'fish', 'powershell'];

/** Something to offer, with what it is. */
export interface Offer {
  readonly value: string;
  readonly about: string;
}

/** What the scripts of the shells ask for: an offer per line, then what else the shell may do. */
export async function complete(words: readonly string[], io: Io): Promise<void> {
  const { offers, files } = await offersFor(words, io.cwd);
  const last = words[words.length - 1] ?? '';
  const fitting = offers.filter(({ value }) => value.startsWith(last));
  const lines = fitting.map(({ value, about }) => `${value}\t${about}\n`);
  const FILES_TOO = 0;
  const NOTHING_ELSE = 4;
  await io.stdout.write(`${lines.join('')}:${files ? FILES_TOO : NOTHING_ELSE}\n`);
}

/** What fits behind the words; the last of them is being typed. */
export async function offersFor(words: readonly string[], cwd: string): Promise<{ offers: Offer[]; files: boolean }> {
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

function valuesOf({ choices, complete: kind }: OptionDef, before: readonly string[], cwd: string) {
  if (choices) return { offers: choices.map((value) => ({ value, about: '' })), files: false };
  return kind === undefined ? { offers: [], files: false } : offersOf(kind, before, cwd);
}

function argumentsOf(command: Command, options: OptionDefs, before: readonly string[], cwd: string) {
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

function offersOf(kind: Completion, before: readonly string[], cwd: string): { offers: Offer[]; files: boolean } {
  const plain = (values: readonly string[]) => ({
    offers: values.map((value) => ({ value, about: '' })),
    files: false,
  });
  switch (kind) {
    case 'column':
      return { offers: columnsIn(before, cwd), files: false };
    case 'model':
      return { offers: filesIn(cwd, /\.polya$/), files: true };
    case 'file':
      return { offers: [], files: true };
    case 'shell':
      return plain(shells);
    case 'topic':
      return plain([
        'formats',
        'models',
        'smoothing',
        'config',
        'exit-codes',
        'sklearn',
        ...verbs.map(({ name }) => name),
      ]);
    case 'dataset':
      return plain([
        '20newsgroups',
        'sms',
        'reviews',
        'iris',
        'titanic',
        'weather',
        'postings',
        'careers',
        'china-japan',
        'houses',
      ]);
  }
}

function filesIn(cwd: string, pattern: RegExp): Offer[] {
  try {
    return readdirSync(cwd)
      .filter((name) => pattern.test(name))
      .map((value) => ({ value, about: 'model' }));
  } catch {
    return [];
  }
}

const HEAD = 1 << 16;

/** The columns of the first file that is named before. */
function columnsIn(before: readonly string[], cwd: string): Offer[] {
  for (const word of before) {
    const head = word.startsWith('-') ? undefined : headOf(resolve(cwd, word));
    if (head === undefined) continue;
    const about = basename(word);
    return namesOf(head).map((value) => ({ value, about }));
  }
  return [];
}

/** The first bytes of a file as text, unpacked where it is packed. */
function headOf(path: string): string | undefined {
  try {
    if (!statSync(path).isFile()) return undefined;
    const bytes = Buffer.alloc(HEAD);
    const file = openSync(path, 'r');
    const length = readSync(file, bytes, 0, HEAD, 0);
    closeSync(file);
    const head = bytes.subarray(0, length);
    const packed = head[0] === 0x1f && head[1] === 0x8b;
    return (packed ? gunzipSync(head, { finishFlush: 2 }) : head).toString('utf8');
  } catch {
    return undefined;
  }
}

function namesOf(head: string): string[] {
  const [line = ''] = head.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  if (line.trimStart().startsWith('{')) {
    try {
      return Object.keys(JSON.parse(line));
    } catch {
      return [];
    }
  }
  const delimiter = [',', '\t', ';', '|'].reduce((a, b) => (line.split(b).length > line.split(a).length ? b : a));
  const cells = line.split(delimiter).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replaceAll('""', '"'),
  );
  return cells.filter((cell) => cell !== '');
}
