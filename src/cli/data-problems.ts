import { readdirSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { formatCsv } from '../data/csv-format.ts';
import type { BadRow } from '../data/faults.ts';
import { suggest, suggestFile } from '../data/suggest.ts';
import { PolyaError } from '../errors.ts';
import type { OpenTable } from '../node/table.ts';
import type { Reading } from './data.ts';
import type { Context } from './declare.ts';
import { fail, type Hints, misuse, Problem } from './problem.ts';
import { commandLine, corrected } from './shell.ts';
import { safe } from './terminal.ts';
import { didYouMean, listed, quote, refuseForm, refuseUnknown } from './usage.ts';

/** `NAME=VALUE` as its two parts. */
export function pairOf(flag: string, form: string, word: string): readonly [string, string] {
  const at = word.lastIndexOf('=');
  if (at <= 0) refuseForm(flag, form, word);
  return [word.slice(0, at), word.slice(at + 1)];
}

/** Refuses an unknown label, and suggests a similar one. */
export const refuseLabel = (
  words: readonly string[],
  label: string,
  classes: readonly string[],
  place: { readonly wrong?: string; readonly behind?: string } = {},
): never =>
  refuseUnknown(words, `The model has no class ${quote(label)}.`, label, classes, {
    ...{ code: 'E_CLASS_UNKNOWN', ...place },
    notes: [`Classes: ${listed(classes)}.`],
    details: { class: label, classes: classes.slice(0, 100) },
  });

/** Lists the columns, and suggests a similar one. */
export const columnsNote = (names: readonly string[], near?: string): string =>
  `Columns: ${listed(names)}.${didYouMean(near)}`;

/** Refuses a column that does not exist, and suggests a similar one that is not `taken`. */
export function requireColumn(
  { words }: Pick<Context, 'words'>,
  column: string,
  columns: readonly string[],
  file: string,
  taken: readonly string[] = [],
): void {
  if (columns.length === 0 || columns.includes(column)) return;
  const free = taken.length === 0 ? columns : columns.filter((name) => !taken.includes(name));
  const near = suggest(column, free);
  fail('E_FEATURE_MISSING', `Column ${quote(column)} is not in ${safe(file)}.`, {
    notes: [columnsNote(columns, near)],
    details: { feature: column, columns: columns.slice(0, 100) },
    command: near && columnCorrected(words, column, near),
  });
}

/** The command line with another column name, alone or before an equals sign; undefined if the column is not in it. */
function columnCorrected(words: readonly string[], column: string, near: string): string | undefined {
  const whole = corrected(words, column, near);
  if (whole !== commandLine(words)) return whole;
  const named = words.map((word) => word.replace(`${column}=`, `${near}=`));
  return named.some((word, k) => word !== words[k]) ? commandLine(named) : undefined;
}

/** Refuses data without rows, or without any that pass the filters. */
export function refuseEmpty({ words }: Context, file: string, filtered: boolean): never {
  const details = { rows: 0 };
  if (!filtered) fail('E_EMPTY_INPUT', `${safe(file)} has no rows.`, { details });
  const command = commandLine(words.filter((word, k) => word !== '--where' && words[k - 1] !== '--where'));
  fail('E_EMPTY_INPUT', `No row of ${safe(file)} passes --where.`, { command, details });
}

/** What the details of an error of a reader may have. */
type Place = { readonly [K in 'fault' | 'encoding' | 'cell' | 'sheet' | 'near']?: string } & {
  readonly line?: number;
  readonly column?: number;
  readonly excerpt?: Hints['excerpt'];
};

/** Reports an error of a reader with an excerpt and suggestions. */
export function refuseData(context: Context, source: string, error: unknown): never {
  if (!(error instanceof PolyaError) || error instanceof Problem) throw error;
  const { details, code } = error;
  const file = source === '-' ? 'stdin' : source;
  if (code === 'E_PATH') refuseMissing(context, source, error.message, { details, cause: error });
  const place = details as Place;
  const { words } = context;
  if (place.encoding !== undefined) {
    const command = commandLine([...words, '--encoding', place.encoding]);
    fail(code, error.message, { details, command, cause: error });
  }
  if (place.sheet !== undefined) {
    const command = place.near && corrected(words, place.sheet, place.near);
    fail(code, `${error.message}.${didYouMean(place.near)}`, { details, command, cause: error });
  }
  if (place.line === undefined || place.fault === undefined) throw error;
  const skipping = code === 'E_FORMAT' || code === 'E_UNICODE' || (code === 'E_ENCODING' && place.line > 1);
  const foreign = code === 'E_ENCODING' && context.settings.get('encoding')?.value === 'utf-8';
  const rejects = source === '-' ? '' : ` (written to ${basename(source)}.rejects)`;
  const encodings = 'Set the encoding: windows-1252 is common in Western Europe, gb18030 in China, shift_jis in Japan.';
  const skip = `Fix the row, or skip up to 10 malformed rows: --max-bad-rows 10${rejects}`;
  fail(code, `${safe(file)}:${place.cell ?? `${place.line}:${place.column ?? 1}`}  ${place.fault}`, {
    details,
    notes: [...(foreign ? [encodings] : []), ...(skipping ? [skip] : [])],
    command: foreign ? commandLine([...words, '--encoding', 'windows-1252']) : undefined,
    excerpt: place.excerpt,
    cause: error,
  });
}

/** Reports the sheet that was chosen, duplicate column names, and a first row that is not the names of the columns. */
export function noteOpened({ print, options }: Reading, table: OpenTable): void {
  const { name: file, columns, renamed = [], sheet } = table;
  if (options.sheet !== undefined && !sheet)
    misuse(`--sheet is for Excel workbooks, and the format of ${safe(file)} is ${table.format}.`);
  if (sheet && sheet.others.length > 0 && options.sheet === undefined)
    print.note(`sheet  ${safe(sheet.name)}  (the first one; use --sheet for another one: ${listed(sheet.others)})`);
  const unnamed = columns.filter((name) => name.trim() === '' || (/^_\d+$/.test(name) && renamed.includes(name)));
  const again = renamed.filter((name) => !unnamed.includes(name));
  if (again.length > 0)
    print.warn(
      `${safe(file)} has duplicate column names; the later columns are called ${listed(again.map((name) => quote(name)))}`,
    );
  if (columns.length > 2 && 2 * unnamed.length > columns.length)
    print.warn(
      `the first row of ${safe(file)} names ${columns.length - unnamed.length} of ${columns.length} columns; delete what is above the row with the names`,
    );
  else if (unnamed.length > 1)
    print.warn(`${unnamed.length} columns of ${safe(file)} have no name; the later ones are called _2, _3 …`);
}

/** Refuses a missing file, and suggests a similar name in its folder, with the extension `kind` if there are such files. */
export function refuseMissing(
  { io, words }: Pick<Context, 'io' | 'words'>,
  path: string,
  sentence: string,
  hints: Pick<Hints, 'details' | 'cause'>,
  kind = '',
): never {
  const names = namesIn(dirname(resolve(io.cwd, path)));
  const own = names.filter((name) => name.endsWith(kind));
  const near = suggestFile(basename(path), own.length > 0 ? own : names);
  const meant = near === undefined ? undefined : path.slice(0, path.length - basename(path).length) + near;
  fail('E_PATH', sentence, {
    ...hints,
    notes: meant ? [didYouMean(meant).trim()] : [],
    command: meant && corrected(words, path, meant),
  });
}

/** The names of the files in a folder; none if it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Writes the skipped rows to FILE.rejects, with line and reason. */
export async function saveRejects({ io, print }: Context, source: string, rejected: readonly BadRow[]): Promise<void> {
  const rows = rejected.map(({ line, column, reason, text }) => [String(line), String(column), reason, text]);
  const path = source === '-' ? undefined : `${source}.rejects`;
  if (path) {
    const table = formatCsv([['line', 'column', 'reason', 'row'], ...rows]);
    await io.save(resolve(io.cwd, path), new TextEncoder().encode(table));
  }
  const lost = rejected.length === 1 ? 'one malformed row was' : `${rejected.length} malformed rows were`;
  print.warn(`${lost} skipped${path ? `; see ${basename(path)}` : ''}`);
}
