import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TextEncoding, toUtf8 } from '../data/encoding.ts';
import type { Fault } from '../data/faults.ts';
import { textOfLine } from '../data/line-rows.ts';
import { compareCodePoints } from '../data/order.ts';
import { PolyaError, refuse } from '../errors.ts';
import { openFile, refuseFile } from './file.ts';
import type { GunzipOptions } from './gzip.ts';

/** A file in a folder of texts. */
export interface TextFile {
  /** The name of its sub-folder; undefined if the folder has no sub-folders. */
  readonly label: string | undefined;
  /** Its path relative to the folder, with `/`. */
  readonly name: string;
  readonly path: string;
  readonly size: number;
}

const MOST_DEPTH = 32;

/**
 * The texts of a folder in the order of their names: those in its sub-folders, one per class, at any depth; or its own
 * files if it has no sub-folders. Hidden files, links, and files beside the sub-folders are ignored.
 */
export async function listTexts(folder: string): Promise<TextFile[]> {
  const entries = await list(folder);
  const classes = entries.filter((entry) => entry.isDirectory());
  if (classes.length === 0) return filesOf(entries, folder, '', undefined);
  const files: TextFile[] = [];
  for (const { name } of classes) await collect(join(folder, name), name, name, 1, files);
  return files;
}

async function collect(folder: string, prefix: string, label: string, depth: number, files: TextFile[]): Promise<void> {
  if (depth > MOST_DEPTH) refuse('E_LIMIT', `folders are nested deeper than ${MOST_DEPTH}`, { limit: MOST_DEPTH });
  const entries = await list(folder);
  for (const file of await filesOf(entries, folder, `${prefix}/`, label)) files.push(file);
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    await collect(join(folder, name), `${prefix}/${name}`, label, depth + 1, files);
  }
}

async function list(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => refuseFile(folder, error));
  return entries
    .filter(({ name }) => !name.startsWith('.'))
    .sort(({ name: first }, { name: second }) => compareCodePoints(first, second));
}

async function filesOf(
  entries: readonly Dirent[],
  folder: string,
  prefix: string,
  label: string | undefined,
): Promise<TextFile[]> {
  const files = entries.filter((entry) => entry.isFile());
  const stats = await Promise.all(files.map(({ name }) => statOf(join(folder, name))));
  return files.map(({ name }, i) => ({ label, name: prefix + name, path: join(folder, name), size: stats[i]!.size }));
}

const statOf = (path: string): Promise<Stats> => lstat(path).catch((error: unknown) => refuseFile(path, error));

/** The text of a file, or the error and its position. A gzip file is unpacked. */
export async function readText(
  file: Pick<TextFile, 'path' | 'name'>,
  encoding: TextEncoding,
  limit: number,
  options: GunzipOptions = {},
): Promise<string | Fault> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    const { maxOutputBytes, maxRatio } = options;
    const limits = {
      ...(maxOutputBytes !== undefined && { maxOutputBytes }),
      ...(maxRatio !== undefined && { maxRatio }),
    };
    for await (const piece of toUtf8(openFile(file.path, limits), encoding)) {
      pieces.push(piece);
      size += piece.length;
      if (size > limit) return tooLong(limit);
    }
  } catch (error) {
    if (error instanceof PolyaError && error.code === 'E_ENCODING') return faultOf(error);
    throw error;
  }
  const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  const text = textOfLine(bytes);
  return typeof text === 'string'
    ? text.replace(/^\ufeff/, '')
    : { ...placeOf(bytes, text.at), code: text.code, reason: text.reason };
}

function tooLong(limit: number): Fault {
  const reason = `the file is longer than ${limit} bytes; raise maxRowBytes if it should be`;
  return { line: 1, column: 1, offset: 0, code: 'E_LIMIT', reason, details: { limit } };
}

function faultOf({ code, message, details }: PolyaError): Fault {
  const { line = 1, column = 1, offset = 0, fault = message } = details as { [name: string]: number & string };
  return { line, column, offset, code, reason: fault };
}

function placeOf(bytes: Uint8Array, offset: number): { line: number; column: number; offset: number } {
  const lines = Buffer.from(bytes.subarray(0, offset)).toString('utf8').split('\n');
  return { line: lines.length, column: [...lines.at(-1)!].length + 1, offset };
}
