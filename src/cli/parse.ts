import { type ParseArgsConfig, parseArgs } from 'node:util';
import { suggest } from '../data/suggest.ts';
import { type Command, camel, globals, kebab, type OptionDefs } from './declare.ts';
import { fail, misuse } from './problem.ts';
import { loadCommand, verbNamed, verbs } from './registry.ts';
import { commandLine, corrected } from './shell.ts';
import { didYouMean, quote, refuseMissingArgument } from './usage.ts';
import { flagOf } from './values.ts';

/** A parsed command line; the values of flags are still texts. */
export interface Parsed {
  readonly command: Command | undefined;
  readonly args: readonly string[];
  readonly flags: ReadonlyMap<string, string | boolean | readonly string[]>;
  /** The words of the line, for corrections. */
  readonly words: readonly string[];
  readonly help: 'short' | 'full' | undefined;
  readonly version: boolean;
}

/** Parses a command line; errors suggest the corrected command. */
export async function parseWords(words: readonly string[]): Promise<Parsed> {
  const { name, rest } = splitCommand(words);
  const verb = name === undefined || name === 'version' ? undefined : (verbNamed(name) ?? refuseCommand(name, words));
  const command = verb && (await loadCommand(verb));
  const options: OptionDefs = { ...command?.options, ...globals };
  const known = parserOptions(options, command === undefined);
  const { tokens } = parseArgs({ args: rest, options: known, strict: false, tokens: true });
  const flags = new Map<string, string | boolean | readonly string[]>();
  const args: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') args.push(token.value);
    if (token.kind !== 'option') continue;
    if (!Object.hasOwn(known, token.name)) refuseOption(token.rawName, words, options, command);
    const { [token.name]: given } = known;
    if (given.type === 'string' && token.value === undefined) refuseValueless(token.name, words, options);
    const value = token.value ?? !token.name.startsWith('no-');
    const option = nameOf(token.name, options);
    flags.set(option, given.multiple ? [...((flags.get(option) ?? []) as readonly string[]), String(value)] : value);
  }
  const help = flags.delete('help') ? 'full' : flags.delete('shortHelp') ? 'short' : undefined;
  const version = flags.delete('version') || name === 'version';
  if (help === undefined && !version && command) checkArguments(command, args, words);
  return { command, args, flags, words, help, version };
}

/** The first word that is neither an option nor its value is the command. */
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

/** The options of a command for Node's parser. */
function parserOptions(options: OptionDefs, alone: boolean): NonNullable<ParseArgsConfig['options']> {
  const known: NonNullable<ParseArgsConfig['options']> = {
    help: { type: 'boolean' },
    'short-help': { type: 'boolean', short: 'h' },
    ...(alone && { version: { type: 'boolean', short: 'V' } }),
  };
  for (const [name, { kind, short, alias, setting }] of Object.entries(options)) {
    const def = { type: kind === 'flag' ? 'boolean' : 'string', multiple: kind === 'list' } as const;
    known[kebab(name)] = short === undefined ? def : { ...def, short };
    if (alias !== undefined) known[alias] = def;
    if (kind === 'flag' && setting !== false) known[`no-${kebab(name)}`] = def;
  }
  return known;
}

/** The option of a flag: `max-rows` → `maxRows`, `no-strict` → `strict`, `label` → `target`. */
function nameOf(flag: string, options: OptionDefs): string {
  const name = camel(flag);
  if (Object.hasOwn(options, name)) return name;
  if (flag.startsWith('no-')) return camel(flag.slice(3));
  return Object.keys(options).find((own) => options[own].alias === flag) ?? name;
}

function refuseCommand(name: string, words: readonly string[]): never {
  const names = verbs.flatMap(({ name: own, aliases }) => [own, ...aliases]);
  const near = suggest(name, [...names, 'version']);
  fail('E_USAGE', `Unknown command ${quote(name)}.${didYouMean(near) || ' List all commands:'}`, {
    command: near ? corrected(words, name, near) : commandLine(['--help']),
  });
}

function refuseOption(
  flag: string,
  words: readonly string[],
  options: OptionDefs,
  command: Command | undefined,
): never {
  const near = suggest(flag, Object.keys(options).map(flagOf));
  const of = command ? ` of ${command.name}` : '';
  fail('E_USAGE', `Unknown option ${quote(flag)}${of}.${didYouMean(near) || ' List all options:'}`, {
    command: near ? corrected(words, flag, near) : commandLine([...(command ? [command.name] : []), '--help']),
  });
}

function refuseValueless(flag: string, words: readonly string[], options: OptionDefs): never {
  const { value = 'VALUE', choices } = options[nameOf(flag, options)];
  misuse(`Option --${flag} needs a value.`, [...words, choices?.[0] ?? value]);
}

function checkArguments(command: Command, args: readonly string[], words: readonly string[]): void {
  const { arguments: known } = command;
  const missing = known.find(({ required }, k) => required && args[k] === undefined);
  if (missing) refuseMissingArgument(command.name, missing, words);
  if (args.length <= known.length || known[known.length - 1]?.many) return;
  const extra = args[known.length];
  misuse(
    `${command.name} got an unexpected argument ${quote(extra)}.`,
    words.filter((word) => word !== extra),
  );
}
