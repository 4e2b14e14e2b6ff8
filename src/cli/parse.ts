import { CommanderError, Option, Command as Program } from 'commander';
import { suggest } from '../data/suggest.ts';
import { type Command, camel, kebab, type OptionDef, type OptionDefs } from './declare.ts';
import { globals } from './globals.ts';
import { fail } from './problem.ts';
import { commandLine, corrected } from './shell.ts';
import { texts } from './texts/index.ts';
import { flagOf } from './values.ts';

/** A command line, taken apart but not yet read: flags are as they were typed. */
export interface Parsed {
  readonly command: Command | undefined;
  readonly args: readonly string[];
  readonly flags: ReadonlyMap<string, string | boolean | readonly string[]>;
  /** The words of the line, for corrections. */
  readonly words: readonly string[];
  readonly help: 'short' | 'full' | undefined;
  readonly version: boolean;
}

/** Takes a command line apart; what does not fit is refused with the line that was probably meant. */
export function parseWords(words: readonly string[], commands: readonly Command[]): Parsed {
  const { name, rest } = splitCommand(words);
  const command = commands.find((own) => own.name === name || own.aliases?.includes(name ?? ''));
  if (name !== undefined && command === undefined) refuseCommand(name, words, commands);
  const options: OptionDefs = { ...command?.options, ...globals };
  const program = programOf(command, options);
  let parsed: { operands: string[]; unknown: string[] };
  try {
    parsed = program.parseOptions(rest);
  } catch (error) {
    return refuseParse(error, words, options);
  }
  const { help, h: short, version, ...flags } = program.opts();
  const asked = help === true ? 'full' : short === true ? 'short' : undefined;
  const args = operandsOf(parsed, words, options, command);
  if (asked === undefined && version !== true && command) checkArguments(command, args, words);
  const typed = new Map(Object.entries(flags)) as Parsed['flags'];
  return { command, args, flags: typed, words, help: asked, version: version === true };
}

/** What is no option; all words behind `--` are none. */
function operandsOf(
  { operands, unknown }: { operands: string[]; unknown: string[] },
  words: readonly string[],
  options: OptionDefs,
  command: Command | undefined,
): string[] {
  const end = unknown.indexOf('--');
  const before = end < 0 ? unknown : unknown.slice(0, end);
  const wrong = before.find((word) => word.startsWith('-') && word !== '-');
  if (wrong !== undefined) refuseOption(wrong, words, options, command);
  return [...operands, ...unknown.filter((_, k) => k !== end)];
}

/** The first word that is no option, nor the value of one, names the command. */
function splitCommand(words: readonly string[]): { name: string | undefined; rest: string[] } {
  const valued = new Set(Object.entries(globals).flatMap(([name, def]) => (def.kind === 'flag' ? [] : [flagOf(name)])));
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === '--') break;
    if (!word.startsWith('-') || word === '-') {
      return { name: word, rest: [...words.slice(0, i), ...words.slice(i + 1)] };
    }
    if (valued.has(word)) i++;
  }
  return { name: undefined, rest: [...words] };
}

function programOf(command: Command | undefined, options: OptionDefs): Program {
  const program = new Program('polya').exitOverride().configureOutput({ outputError: () => undefined });
  program.helpOption(false).helpCommand(false);
  for (const [name, def] of Object.entries(options)) addOption(program, name, def);
  program.addOption(new Option('-h', 'short help'));
  program.addOption(new Option('--help', 'full help'));
  if (command === undefined) program.addOption(new Option('-V, --version', 'the version'));
  return program;
}

function addOption(program: Program, name: string, def: OptionDef): void {
  const long = `--${kebab(name)}`;
  const flags = def.short ? `-${def.short}, ${long}` : long;
  if (def.kind === 'flag') {
    program.addOption(new Option(flags, def.doc));
    if (def.setting !== false) program.addOption(new Option(`--no-${kebab(name)}`, def.doc));
    return;
  }
  const option = new Option(`${flags} <value>`, def.doc);
  if (def.kind === 'list')
    option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
  program.addOption(option);
}

function refuseCommand(name: string, words: readonly string[], commands: readonly Command[]): never {
  const names = commands.flatMap(({ name: own, aliases = [] }) => [own, ...aliases]);
  const near = suggest(name, names);
  fail('E_USAGE', texts.usage.unknownCommand(name, near), {
    command: near ? corrected(words, name, near) : commandLine(['--help']),
  });
}

function refuseOption(
  word: string,
  words: readonly string[],
  options: OptionDefs,
  command: Command | undefined,
): never {
  const [flag] = word.split('=');
  const near = suggest(flag, Object.keys(options).map(flagOf));
  fail('E_USAGE', texts.usage.unknownOption(flag, command?.name, near), {
    command: near ? corrected(words, flag, near) : commandLine([...(command ? [command.name] : []), '--help']),
  });
}

/** What commander could not read; all it refuses here is an option without its value. */
function refuseParse(error: unknown, words: readonly string[], options: OptionDefs): never {
  if (!(error instanceof CommanderError)) throw error;
  const flags = /option '([^']+)'/.exec(error.message)?.[1] ?? '';
  const long = /--([\w-]+)/.exec(flags)?.[1] ?? '';
  const { value = 'VALUE', choices } = options[camel(long)] ?? { kind: 'text', doc: '' };
  const example = choices?.[0] ?? value;
  fail('E_USAGE', texts.usage.valueMissing(`--${long}`), { command: commandLine([...words, example]) });
}

function checkArguments(command: Command, args: readonly string[], words: readonly string[]): void {
  const { arguments: known } = command;
  const missing = known.find(({ required }, k) => required && args[k] === undefined);
  if (missing) {
    const usage = commandLine([...words, missing.name.toUpperCase()]);
    fail('E_USAGE', texts.usage.argumentMissing(command.name, missing.name), { notes: [missing.doc], command: usage });
  }
  if (args.length <= known.length || known[known.length - 1]?.many) return;
  const extra = args[known.length];
  fail('E_USAGE', texts.usage.argumentExtra(command.name, extra), {
    command: commandLine(words.filter((word) => word !== extra)),
  });
}
