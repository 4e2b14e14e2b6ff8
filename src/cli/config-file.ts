import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { JsonFault, parseStrictJson } from '../data/strict-json.ts';
import { suggest } from '../data/suggest.ts';
import { camel } from './declare.ts';
import { fail } from './problem.ts';
import { texts } from './texts/index.ts';

/** The name of the config file. */
export const CONFIG = 'polya.config.json';

/** The settings of a file: for all commands, and for one. */
export interface ConfigFile {
  readonly path: string;
  readonly shared: ReadonlyMap<string, unknown>;
  readonly byCommand: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
}

/** What may stand in the file: commands with the names of their settings, in camelCase. */
export type KnownSettings = ReadonlyMap<string, ReadonlySet<string>>;

/** The config file in a folder or the nearest one above it. */
export function findConfig(folder: string): string | undefined {
  for (let here = resolve(folder); ; here = dirname(here)) {
    const path = join(here, CONFIG);
    if (existsSync(path)) return path;
    if (dirname(here) === here) return undefined;
  }
}

/** Reads and checks a config file; a setting that nobody knows is refused. */
export function readConfig(path: string, cwd: string, known: KnownSettings): ConfigFile {
  const shown = relative(cwd, path) || path;
  const all = new Set([...known.values()].flatMap((names) => [...names]));
  const shared = new Map<string, unknown>();
  const byCommand = new Map<string, Map<string, unknown>>();
  for (const [key, value] of Object.entries(parse(path, shown))) {
    const names = known.get(key);
    if (key === '$schema') continue;
    if (names && typeof value === 'object' && value !== null && !Array.isArray(value)) {
      byCommand.set(key, readSection(value as Record<string, unknown>, names, shown, `${key}.`));
    } else shared.set(nameOf(key, all, shown, ''), value);
  }
  return { path: shown, shared, byCommand };
}

function readSection(
  section: Record<string, unknown>,
  names: ReadonlySet<string>,
  path: string,
  prefix: string,
): Map<string, unknown> {
  return new Map(Object.entries(section).map(([key, value]) => [nameOf(key, names, path, prefix), value]));
}

/** Settings may be written `maxBadRows` or `max-bad-rows`. */
function nameOf(key: string, names: ReadonlySet<string>, path: string, prefix: string): string {
  const name = camel(key);
  if (names.has(name)) return name;
  return fail('E_USAGE', texts.config.unknown(path, prefix + key), {
    notes: [texts.config.suggestion(suggest(name, names))],
    details: { file: path, key: prefix + key },
  });
}

function parse(path: string, shown: string): Record<string, unknown> {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (cause) {
    return fail('E_PATH', texts.config.unreadable(shown), { cause, details: { file: shown } });
  }
  try {
    JSON.parse(content);
    const value = parseStrictJson(content.replaceAll(/[\r\n]/g, ' '), 8); // which reads one line, and refuses a key that comes twice
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (cause) {
    const reason = cause instanceof JsonFault || cause instanceof SyntaxError ? cause.message : String(cause);
    return fail('E_USAGE', texts.config.broken(shown, reason), { cause, details: { file: shown } });
  }
  return fail('E_USAGE', texts.config.broken(shown, texts.config.noObject()), { details: { file: shown } });
}
