import { resolve } from 'node:path';
import { type ConfigFile, findConfig, type KnownSettings, readConfig } from './config-file.ts';
import type { Command, OptionDef, OptionDefs, Value } from './declare.ts';
import { globals } from './globals.ts';
import type { Io } from './io.ts';
import type { Parsed } from './parse.ts';
import { corrected } from './shell.ts';
import { envOf, flagOf, readValue } from './values.ts';

/** A value with where it came from. */
export interface Setting {
  readonly value: Value | undefined;
  readonly origin: 'flag' | 'environment' | 'config' | 'default';
  /** The flag, the variable or the file; empty for a default. */
  readonly from: string;
}

/** The settings of one command, in the order of its options. */
export type Settings = ReadonlyMap<string, Setting>;

/** What may stand in a config file. */
export function knownSettings(commands: readonly Command[]): KnownSettings {
  const names = (options: OptionDefs) => Object.keys(options).filter((name) => options[name].setting !== false);
  return new Map(commands.map(({ name, options }) => [name, new Set([...names(options), ...names(globals)])] as const));
}

/** Every option of a command with its value: flag over environment over config file over default. */
export function settle(command: Command, parsed: Parsed, io: Io, known: KnownSettings): Settings {
  const config = configOf(parsed, io, known);
  const all: OptionDefs = { ...command.options, ...globals };
  const source = { command: command.name, parsed, io, config };
  return new Map(Object.entries(all).map(([name, def]) => [name, settleOne(name, def, source)]));
}

function configOf({ flags }: Parsed, io: Io, known: KnownSettings): ConfigFile | undefined {
  const named = flags.get('config');
  const path = typeof named === 'string' ? resolve(io.cwd, named) : findConfig(io.cwd);
  return path === undefined ? undefined : readConfig(path, io.cwd, known);
}

interface Sources {
  readonly command: string;
  readonly parsed: Parsed;
  readonly io: Io;
  readonly config: ConfigFile | undefined;
}

function settleOne(name: string, def: OptionDef, { command, parsed, io, config }: Sources): Setting {
  const flag = parsed.flags.get(name);
  if (flag !== undefined) {
    const correct = (wrong: string, right: string) => corrected(parsed.words, wrong, right);
    return { value: readValue(name, def, flag, { where: flagOf(name), correct }), origin: 'flag', from: flagOf(name) };
  }
  const byDefault: Setting = { value: def.default, origin: 'default', from: '' };
  if (def.setting === false) return byDefault;
  const variable = io.env[envOf(name)];
  if (variable !== undefined) {
    return { value: readValue(name, def, variable, { where: envOf(name) }), origin: 'environment', from: envOf(name) };
  }
  const section = config?.byCommand.get(command);
  const written = section?.has(name) ? section.get(name) : config?.shared.get(name);
  if (config === undefined || written === undefined) return byDefault;
  const where = `"${name}" in ${config.path}`;
  return { value: readValue(name, def, written, { where }), origin: 'config', from: config.path };
}
