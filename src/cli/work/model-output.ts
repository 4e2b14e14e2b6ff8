import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import type { SaveOptions } from '../../core/artifact.ts';
import { inspectModel } from '../../core/card.ts';
import type { Provenance } from '../../core/provenance.ts';
import { sha256 } from '../../data/sha256.ts';
import { PolyaError } from '../../errors.ts';
import type { Context } from '../context.ts';
import type { OptionDefs } from '../declare.ts';
import { bytes as sized } from '../numbers.ts';
import { EXIT, fail } from '../problem.ts';
import { commandLine } from '../shell.ts';
import { safe } from '../terminal.ts';
import { files } from '../texts/files.ts';
import { texts } from '../texts/index.ts';
import { flagOf } from '../values.ts';

/** A model that can be saved. */
export interface Saved {
  toBytes(options?: SaveOptions): Uint8Array;
}

/** Options that say nothing about what is learned. */
const aside = new Set([
  'json',
  'quiet',
  'verbose',
  'color',
  'progress',
  'threads',
  'yes',
  'config',
  'printConfig',
  'debug',
  'output',
  'force',
]);

/** The command that makes the same model again: every option that is not at its default, in the order of its declaration. */
export function recipeLine(
  { command, args, settings }: Context,
  options: OptionDefs,
  target: string | undefined,
): string {
  const words = [...settings].flatMap(([name, { value }]) => {
    if (aside.has(name) || value === undefined) return [];
    const usual = name === 'seed' ? 1 : options[name]?.default;
    if (JSON.stringify(value) === JSON.stringify(usual)) return [];
    if (value === true) return [flagOf(name)];
    if (value === false) return [`--no-${flagOf(name).slice(2)}`];
    return [flagOf(name), String(value)];
  });
  const known = target !== undefined && !words.includes('--target') ? ['--target', target] : [];
  return commandLine([command, ...args.map((arg) => (arg === '-' ? arg : basename(arg))), ...words, ...known]);
}

/** The file for the model of some data: `-o`, or the name of the data. */
export function outputFor(output: string | undefined, data: string): string {
  if (output !== undefined) return output;
  if (data === '-') return 'model.polya';
  const name = basename(data).replace(/\.gz$/, '');
  return `${name.slice(0, name.length - extname(name).length) || 'model'}.polya`;
}

/** Refuses to overwrite a file, unless it is forced or the same recipe made it. */
export function requireFree({ io, words }: Context, path: string, force: boolean, recipe?: string): void {
  const file = resolve(io.cwd, path);
  if (path === '-') return;
  if (!existsSync(dirname(file))) {
    fail('E_PATH', files.noFolder(basename(path), 'ENOENT'), { details: { file: basename(path), reason: 'ENOENT' } });
  }
  if (force || !existsSync(file)) return;
  if (recipe !== undefined && recipeOf(file) === recipe) return;
  fail('E_CONFLICT', texts.problems.exists(path), {
    notes: [texts.problems.force()],
    command: commandLine([...words, '--force']),
    exit: EXIT.io,
    details: { file: basename(path) },
  });
}

function recipeOf(file: string): string | undefined {
  try {
    return inspectModel(readFileSync(file)).provenance?.notes;
  } catch (error) {
    if (error instanceof PolyaError || error instanceof Error) return undefined;
    throw error;
  }
}

/** Writes a model; answers with what was written. */
export async function writeModelFile(
  { io, print }: Context,
  path: string,
  model: Saved,
  provenance: Provenance,
  slim = false,
): Promise<{ file: string; bytes: number; sha256: string }> {
  const bytes = model.toBytes({ provenance, slim });
  await io.save(resolve(io.cwd, path), bytes);
  print.talk(texts.fit.wrote(safe(path), sized(bytes.length)));
  return { file: path, bytes: bytes.length, sha256: sha256(bytes) };
}
