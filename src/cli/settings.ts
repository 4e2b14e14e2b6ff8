import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { JsonFault, parseStrictJson } from '../data/strict-json.ts';
import { suggest } from '../data/suggest.ts';
import { type Command, camel, globals, type OptionDef, type OptionDefs, type Value } from './declare.ts';
import type { Io } from './io.ts';
import type { Parsed } from './parse.ts';
import { fail } from './problem.ts';
import { allCommands, verbNamed } from './registry.ts';
import { corrected } from './shell.ts';
import { didYouMean } from './usage.ts';
import { envOf, flagOf, readValue } from './values.ts';

/** The name of the config file. */
export const CONFIG = 'polya.config.json';

/** A value with its origin. */
export interface Setting {
  readonly value: Value | undefined;
  readonly origin: 'flag' | 'environment' | 'config' | 'default';
  /** The flag, the variable or the file; empty for a default. */
  readonly from: string;
}

/** The settings of one command, in the order of its options. */
export type Settings = ReadonlyMap<string, Setting>;

/** Every option of a command with its value: flag over environment over config file over default. */
export async function settle(command: Command, parsed: Parsed, io: Io): Promise<Settings> {
  const named = parsed.flags.get('config');
  const path = typeof named === 'string' ? resolve(io.cwd, named) : findConfig(io.cwd);
  const config = path === undefined ? undefined : await readConfig(path, io.cwd, command);
  const all: OptionDefs = { ...command.options, ...globals };
  return new Map(Object.entries(all).map(([name, def]) => [name, settleOne(name, def, parsed, io, config)]));
}

/** What a config file sets for one command. */
interface ConfigFile {
  readonly path: string;
  readonly values: ReadonlyMap<string, unknown>;
}

/** The config file in a folder or the nearest one above it. */
export function findConfig(folder: string): string | undefined {
  for (let here = resolve(folder); ; here = dirname(here)) {
    const path = join(here, CONFIG);
    if (existsSync(path)) return path;
    if (dirname(here) === here) return undefined;
  }
}

const settingNames = ({ options }: Pick<Command, 'options'>): string[] => {
  const all: OptionDefs = { ...options, ...globals };
  return Object.keys(all).filter((name) => all[name].setting !== false);
};

/**
 * Reads the settings of a command from a config file. An unknown setting is refused; the section of another command is checked when that
 * command runs, so that only this command's declaration has to be loaded.
 */
export async function readConfig(path: string, cwd: string, command: Command): Promise<ConfigFile> {
  const shown = relative(cwd, path) || path;
  const own = settingNames(command);
  const shared = new Map<string, unknown>();
  let section: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(parse(path, shown))) {
    if (key === '$schema') continue;
    const verb = typeof value === 'object' && value !== null && !Array.isArray(value) ? verbNamed(key) : undefined;
    if (verb?.name === command.name) section = value as Record<string, unknown>;
    else if (verb === undefined) {
      if (!own.includes(camel(key))) requireKnown(key, (await allCommands()).flatMap(settingNames), shown);
      shared.set(camel(key), value);
    }
  }
  for (const key of Object.keys(section)) requireKnown(key, own, shown, `${command.name}.`);
  const values = Object.entries(section).map(([key, value]) => [camel(key), value] as const);
  return { path: shown, values: new Map([...shared, ...values]) };
}

/** Settings may be written `maxBadRows` or `max-bad-rows`. */
function requireKnown(key: string, names: readonly string[], path: string, prefix = ''): void {
  const name = camel(key);
  if (names.includes(name)) return;
  const near = didYouMean(suggest(name, names)).trim();
  fail('E_USAGE', `${path} sets "${prefix + key}", which is not a setting.`, {
    notes: [near || 'polya help config describes the settings; --print-config prints the current ones.'],
    details: { file: path, key: prefix + key },
  });
}

function parse(path: string, shown: string): Record<string, unknown> {
  const details = { file: shown };
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (cause) {
    return fail('E_PATH', `The config file ${shown} does not exist or cannot be read.`, { cause, details });
  }
  try {
    JSON.parse(content);
    const value = parseStrictJson(content.replaceAll(/[\r\n]/g, ' '), 8); // it reads one line, and refuses duplicate keys
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (cause) {
    const reason = cause instanceof JsonFault || cause instanceof SyntaxError ? cause.message : String(cause);
    return fail('E_USAGE', `${shown} is not valid JSON: ${reason}.`, { cause, details });
  }
  return fail('E_USAGE', `${shown} is not a JSON object with settings.`, { details });
}

function settleOne(name: string, def: OptionDef, parsed: Parsed, io: Io, config: ConfigFile | undefined): Setting {
  const flag = parsed.flags.get(name);
  if (flag !== undefined) {
    const correct = (wrong: string, right: string) => corrected(parsed.words, wrong, right);
    return { value: readValue(def, flag, { where: flagOf(name), correct }), origin: 'flag', from: flagOf(name) };
  }
  const byDefault: Setting = { value: def.default, origin: 'default', from: '' };
  if (def.setting === false) return byDefault;
  const variable = io.env[envOf(name)];
  if (variable !== undefined) {
    return { value: readValue(def, variable, { where: envOf(name) }), origin: 'environment', from: envOf(name) };
  }
  const written = config?.values.get(name);
  if (config === undefined || written === undefined) return byDefault;
  const where = `"${name}" in ${config.path}`;
  const value = readValue(def, written, { where });
  const isFile = def.complete === 'file' || def.complete === 'model';
  return { value: isFile ? besideConfig(value, config.path, io.cwd) : value, origin: 'config', from: config.path };
}

/** Paths in a config file are relative to it, also for a command that runs in a subfolder. */
function besideConfig(value: Value, config: string, cwd: string): Value {
  const folder = dirname(resolve(cwd, config));
  if (folder === resolve(cwd)) return value;
  const place = (name: string): string => {
    const path = resolve(folder, name);
    return existsSync(path) || name.endsWith('.polya') ? relative(cwd, path) : name; // it may be a model type
  };
  if (typeof value === 'string') return place(value);
  return Array.isArray(value) ? value.map(place) : value;
}
