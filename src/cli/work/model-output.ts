import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import { modelParts, type Savable } from '../../core/artifact.ts';
import { inspectModel } from '../../core/card.ts';
import type { Provenance } from '../../core/provenance.ts';
import { sha256Of } from '../../data/sha256.ts';
import { refuseWriting } from '../../node/atomic-file.ts';
import { isRemote } from '../../node/data-files.ts';
import { type Context, globals, type OptionDefs } from '../declare.ts';
import { bytes as sized } from '../numbers.ts';
import type { Count } from '../print.ts';
import { EXIT, fail, misuse } from '../problem.ts';
import { commandLine } from '../shell.ts';
import { safe } from '../terminal.ts';
import { quote } from '../usage.ts';
import { flagOf } from '../values.ts';

/** Options that do not affect the model. */
const aside: ReadonlySet<string> = new Set([...Object.keys(globals), 'data', 'output', 'force']);

/** The command that makes the same model again: every option that is not at its default, in the order of its declaration. */
export function recipeLine(
  { command, args, settings }: Context,
  options: OptionDefs,
  target: string | undefined,
): string {
  const words = [...settings].flatMap(([name, { value }]) => {
    if ((aside.has(name) && name !== 'seed') || value === undefined) return [];
    const usual = name === 'seed' ? globals.seed.default : options[name]?.default;
    if (JSON.stringify(value) === JSON.stringify(usual)) return [];
    if (value === true) return [flagOf(name)];
    if (value === false) return [`--no-${flagOf(name).slice(2)}`];
    return [flagOf(name), String(value)];
  });
  const known = target !== undefined && !words.includes('--target') ? ['--target', target] : [];
  const data = args.map((arg) => (arg === '-' ? arg : basename(shownName(arg))));
  return commandLine([command, ...data, ...words, ...known]);
}

/** The name of the data, without the query of a URL, which may hold secrets. */
const shownName = (data: string): string => (isRemote(data) ? data.replace(/[?#].*$/, '') : data);

/** The file for the model of some data: `-o`, or the name of the data. */
export function outputFor(output: string | undefined, data: string): string {
  if (output !== undefined) return output;
  if (data === '-' || /[*?[]/.test(basename(shownName(data)))) return 'model.polya';
  const name = basename(shownName(data)).replace(/\.gz$/, '');
  return /^\.*$/.test(name) ? 'model.polya' : `${name.slice(0, name.length - extname(name).length)}.polya`;
}

/**
 * Refuses to overwrite a file, unless `force` is set or the same command made it. Folders and the data of the command are never
 * overwritten; devices and pipes always are.
 */
export function requireFree({ io, words, args }: Context, path: string, force: boolean, recipe?: string): void {
  if (path === '-') return;
  const file = resolve(io.cwd, path);
  const details = { file: basename(path) };
  if (!existsSync(dirname(file))) refuseWriting(path, { code: 'ENOENT' });
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) refuseWriting(path, { code: 'EISDIR' });
  if (!found?.isFile()) return;
  const isData = (arg: string): boolean => !arg.endsWith('.polya') && isSameFile({ io }, arg, path);
  if (args.some(isData))
    fail('E_CONFLICT', `${quote(path)} is an input file; name another output file.`, { exit: EXIT.io, details });
  if (force) return;
  const before = recipe === undefined ? undefined : recipeOf(file);
  if (before !== undefined && before === recipe) return;
  const other = before === undefined ? '' : ', and was made with other settings';
  fail('E_CONFLICT', `${quote(path)} already exists${other}.`, {
    notes: ['Name another file with -o, or overwrite it with --force.'],
    command: commandLine([...words, '--force']),
    exit: EXIT.io,
    details,
  });
}

/** The output file of a command that does not work without one. */
export function requireOutput({ command, words }: Context, output: string | undefined, example: string): string {
  if (output !== undefined) return output;
  return misuse(`${command} needs an output file: -o FILE.`, [...words, '-o', example]);
}

/** Whether two paths lead to the same file. */
export function isSameFile({ io }: Pick<Context, 'io'>, one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => resolve(io.cwd, path));
  return existsSync(first) && existsSync(second) && realpathSync(first) === realpathSync(second);
}

/** The recipe of a model file; undefined for every other file. */
function recipeOf(file: string): string | undefined {
  try {
    return inspectModel(readFileSync(file)).provenance?.notes;
  } catch {
    return undefined;
  }
}

/** What was written; its SHA-256 only with `--json`, since hashing a large file takes some milliseconds. */
export interface Written {
  readonly file: string;
  readonly bytes: Count;
  readonly sha256?: string;
}

/** Writes a file and reports it; returns its size. */
export async function writeFile(
  { io, print }: Context,
  path: string,
  content: string | Uint8Array,
  about = '',
): Promise<number> {
  const data = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  await io.save(resolve(io.cwd, path), data);
  print.note(`wrote ${safe(path)} (${sized(data.length)}${about})`);
  return data.length;
}

/** Writes a model; returns what was written. */
export async function writeModelFile(
  { io, print }: Context,
  path: string,
  model: Savable,
  provenance: Provenance,
  slim = false,
): Promise<Written> {
  const parts = modelParts(model, { provenance, slim }, true);
  const written = { file: path, bytes: parts.length, ...(print.json && { sha256: sha256Of(parts.all()) }) };
  await io.save(resolve(io.cwd, path), parts.all());
  print.note(`wrote ${safe(path)} (${sized(written.bytes)})`);
  return written;
}
