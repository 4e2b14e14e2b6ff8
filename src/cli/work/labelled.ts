import { guessTarget } from '../../auto/profile.ts';
import type { RecordOptions } from '../../auto/record-check.ts';
import { tallyCells, tallyColumn } from '../../auto/schema-kinds.ts';
import { inspectModel } from '../../core/card.ts';
import { formatFor } from '../../data/cell-format.ts';
import { cellOf, type DataRow, isBlank } from '../../data/cells.ts';
import type { BlockTable } from '../../data/column-table.ts';
import { Matrix } from '../../data/matrix.ts';
import type { ScoredRows } from '../../evaluate/evaluation.ts';
import { SPLIT_SAMPLE } from '../../evaluate/held-out.ts';
import { concat } from '../../math/arrays.ts';
import { Random } from '../../math/random.ts';
import type { KeptRows } from '../../node/kept-rows.ts';
import type { Piece } from '../../node/pool.ts';
import { openRows, type Reading, type RowSource, readAll } from '../data.ts';
import { columnsNote, pairOf, requireColumn } from '../data-problems.ts';
import type { Context, ValuesOf } from '../declare.ts';
import { count } from '../numbers.ts';
import { fail } from '../problem.ts';
import type { roles } from '../shared-options.ts';
import { commandLine } from '../shell.ts';
import { safe } from '../terminal.ts';
import { cellPlace, isWord, type Place } from './cell-problems.ts';
import { type Head, headOf } from './head.ts';
import { checksOf, namesFor, readModelBytes, type Scorer } from './model-input.ts';
import { type RowRules, type Unlabelled, withLabels } from './table-rows.ts';
import { run, ScoreWork } from './works.ts';

/** Labelled data that is read piece by piece, on every core. */
export interface LabelledData {
  readonly source: RowSource;
  readonly head: Head;
  readonly target: string;
  /** Why this column was detected as the target, if it was not given. */
  readonly guessed: string | undefined;
}

/** Labelled data with all rows in memory. */
export interface LabelledRows extends LabelledData {
  /** The rows with a label. */
  readonly table: BlockTable;
  /** The labels as words. */
  readonly labels: readonly string[];
  /** Rows without a label that are to be learned from. */
  readonly unlabelled?: readonly DataRow[] | undefined;
}

/** Whether all rows are in memory. */
export const isInMemory = (data: LabelledData): data is LabelledRows => 'table' in data;

/** A context of a command that reads labelled rows; where a model knows the columns, it has no options for them. */
export type Labelled = Reading & {
  readonly options: Partial<ValuesOf<typeof roles>> & { readonly unlabeled?: 'refuse' | 'skip' | 'use' };
};

/** The maximum number of classes. */
const MOST_CLASSES = 10_000;
/** With more distinct labels than this, the column is checked for numbers and identifiers. */
export const MANY_CLASSES = 50;
/** The target is detected from about this many rows. */
const LOOKED_AT = 10_000;

/** Opens labelled data; refuses columns that are not there. */
export async function openLabelled(context: Labelled, names: readonly string[], known?: string): Promise<RowSource> {
  const source = await openRows(context, names);
  const { target = known, text, weights, features = [] } = context.options;
  for (const column of [target, text, weights, ...features]) {
    if (column !== undefined) requireColumn(context, column, source.columns, source.name);
  }
  return source;
}

/** The target column: given, or detected from a sample of the rows and reported. */
function targetOf(
  context: Labelled,
  source: RowSource,
  { table, sample: some }: Head,
  known?: string,
): Pick<LabelledRows, 'target' | 'guessed'> {
  const { options, print, words } = context;
  requireNumbers(context, source, table);
  const given = options.target ?? known;
  if (given !== undefined) return { target: given, guessed: undefined };
  const rows = sample(some);
  const found = guessTarget(new Map(rows.names.map((name) => [name, tallyColumn(rows.column(name))])));
  if (!found)
    return fail('E_LABEL_MISSING', `No column of ${source.name} looks like a target; name it with --target.`, {
      notes: [columnsNote(rows.names)],
      command: commandLine([...words, '--target', 'COLUMN']),
    });
  print.note(`target  ${safe(found.name)}  (detected: ${found.reason}; use --target for another column)`);
  return { target: found.name, guessed: found.reason };
}

/** Refuses text in a column that `--kinds` declares as numbers. */
function requireNumbers(context: Labelled, { place, name: file, columns }: RowSource, table: BlockTable): void {
  const { kinds = [], decimal } = context.options;
  for (const [column, kind] of kinds.map((word) => pairOf('--kinds', 'COLUMN=KIND', word))) {
    requireColumn(context, column, columns, file);
    if (kind !== 'number') continue;
    const cells = table.column(column).cells();
    const { numbers } = formatFor('number', [...tallyCells(cells)], { decimal });
    const row = cells.findIndex((cell) => isWord(cell, numbers));
    if (row < 0) continue;
    const [line, cell] = [table.line(row), safe(String(cells[row]), 40)];
    const sentence = `"${cell}" is not a number, but --kinds says that column "${safe(column, 40)}" holds numbers.`;
    const details = { row, line, feature: column };
    fail('E_TYPE', `${cellPlace(place, line, column)}  ${sentence}`, { details });
  }
}

/** A random sample of the rows, for detecting the target. Every k-th row would hide labels that alternate. */
export function sample(table: BlockTable): BlockTable {
  const random = new Random(1);
  const share = LOOKED_AT / table.length;
  return table.take(Int32Array.from({ length: table.length }, (_, i) => i).filter(() => random.uniform() < share));
}

/** A summary of the labels in the data. */
interface LabelSummary extends Unlabelled {
  readonly labels: ReadonlySet<string>;
  /** How many rows have one. */
  readonly rows: number;
  /** The line of the first of them, where it is known. */
  readonly line?: number | undefined;
  readonly target: string;
  readonly place: Place;
}

/** Refuses missing and invalid labels; returns what to do with rows without a label. */
export function checkLabelled(context: Labelled, found: LabelSummary): 'skip' | 'use' {
  const treatment = found.unlabelled > 0 ? treatUnlabelled(context, found) : 'skip';
  checkLabels(context, found);
  return treatment;
}

/** Refuses rows without a label, or warns that they are skipped. */
function treatUnlabelled({ options, words, print }: Labelled, found: LabelSummary): 'skip' | 'use' {
  const { unlabelled: missing, firstUnlabelled: line, target } = found;
  const rows = found.rows + missing;
  const one = missing === 1;
  const treatment = options.skipUnlabeled ? 'skip' : (options.unlabeled ?? 'refuse');
  if (treatment === 'refuse' || missing === rows) {
    const place = cellPlace(found.place, line, target);
    const sentence = `${count(missing)} of ${count(rows)} rows ${one ? 'has' : 'have'} no label in "${safe(target)}"`;
    fail('E_LABEL_MISSING', `${sentence}, ${one ? '' : 'the first '}at ${place}.`, {
      notes: ['Label them, skip them, or let fit learn from them too (--unlabeled use):'],
      details: { rows: missing, ...(line !== undefined && { line }) },
      command: missing < rows ? commandLine([...words, '--skip-unlabeled']) : undefined,
    });
  }
  if (treatment === 'skip')
    print.warn(one ? 'one row without a label is skipped' : `${count(missing)} rows without a label are skipped`);
  return treatment;
}

/** Refuses a target column of numbers or identifiers. */
function checkLabels({ words }: Labelled, { labels, rows, line, target }: LabelSummary): void {
  const { size } = labels;
  const column = `Column "${safe(target)}"`;
  const details = { column: target, actual: size, rows };
  if (size > MOST_CLASSES) {
    const limit = `at most ${count(MOST_CLASSES)} classes are supported`;
    fail('E_LIMIT', `${column} has ${count(size)} distinct labels; ${limit}.`, { details });
  }
  if (size <= MANY_CLASSES) return;
  const numbers = [...labels].every((label) => label.trim() !== '' && Number.isFinite(Number(label)));
  const fractions = numbers && [...labels].some((label) => !Number.isInteger(Number(label)));
  if (fractions || (numbers && size > rows / 10)) {
    const others = words.filter((word) => word !== target && word !== '-t' && word !== '--target');
    fail('E_LABEL_TYPE', `${column} holds ${count(size)} distinct numbers; a classifier needs classes.`, {
      notes: ['Group the numbers into a few classes first, or name another column:'],
      details: { ...details, ...(line !== undefined && { line }) },
      command: commandLine([...others, '--target', 'COLUMN']),
    });
  }
  if (size > rows / 2) {
    const sentence = `${column} has ${count(size)} distinct labels in ${count(rows)} rows`;
    fail('E_LABEL_TYPE', `${sentence}; it looks like an identifier, not a label.`, { details });
  }
}

/** Settings are chosen from all rows of a file up to this size, and from a sample of a larger one. */
const SMALL_BYTES = 4 << 20;
/** From stdin, which is read only once, they are chosen from the first rows. */
const FIRST_ROWS = 20_000;

/** Opens labelled data; `known` is the target of a model, and `twice` says whether they will be read several times. */
export async function openData(
  context: Labelled,
  names: readonly string[],
  { known, twice = false }: { readonly known?: string | undefined; readonly twice?: boolean } = {},
): Promise<LabelledData> {
  const source = await openLabelled(context, names, known);
  const samples = known === undefined;
  const head = await headOf(source, { most: samples ? rowsToSee(source) : 1, twice, samples });
  source.requireRows(head.table.length);
  return { source, head, ...targetOf(context, source, head, known) };
}

function rowsToSee({ again, bytesTotal = Number.POSITIVE_INFINITY }: RowSource): number {
  if (bytesTotal <= SMALL_BYTES) return Number.POSITIVE_INFINITY;
  return again ? SPLIT_SAMPLE : FIRST_ROWS;
}

/** Reads all rows of labelled data; `known` is the target of a model. */
export async function readLabelledRows(
  context: Labelled,
  names: readonly string[],
  known?: string,
): Promise<LabelledRows> {
  return readLabelled(context, await openData(context, names, { known }));
}

/** All rows of labelled data, in memory. */
export async function readLabelled(context: Labelled, data: LabelledData): Promise<LabelledRows> {
  if (isInMemory(data)) return data;
  const { source, head, target } = data;
  const all = head.isAll ? head.table : await readAll(source.tables(head.pieces()));
  const missing = { unlabelled: 0, firstUnlabelled: undefined as number | undefined };
  const table = withLabels(all, target, missing);
  const own = tableRows(table, target);
  const line = table.length > 0 ? table.line(0) : undefined;
  const found = { ...missing, labels: new Set(own.labels), rows: table.length, line, target, place: source.place };
  const treatment = checkLabelled(context, found);
  const unlabelled = treatment === 'use' ? all.records().filter((row) => isBlank(cellOf(row, target))) : undefined;
  return { ...data, ...own, unlabelled };
}

/** Some rows of a labelledRows, by their numbers. */
export function takeLabelledRows(
  { source, target, guessed, table }: LabelledRows,
  places: readonly number[],
): LabelledRows {
  const own = table.take(places);
  return { source, target, guessed, ...tableRows(own, target) };
}

/** A table of labelled rows as data to learn from. */
function tableRows(table: BlockTable, target: string): Pick<LabelledRows, 'table' | 'labels' | 'head'> {
  const labels = table.column(target).codes().map(String).toArray();
  return { table, labels, head: { table, sample: table, isAll: true, pieces: () => piecesOf(table) } };
}

/** How many rows in memory are learned or scored between two reports of progress. */
const SCORED_AT_ONCE = 4096;

/** Some rows in memory, or all, piece by piece. */
export async function* piecesOf(table: BlockTable, places?: readonly number[]): AsyncGenerator<Piece> {
  const { length } = places ?? table;
  for (let at = 0; at < length; at += SCORED_AT_ONCE) {
    const size = Math.min(SCORED_AT_ONCE, length - at);
    const rows = places?.slice(at, at + size) ?? Int32Array.from({ length: size }, (_, i) => at + i);
    yield { index: at / SCORED_AT_ONCE, file: 0, tables: [table.take(rows)] };
  }
}

/** Which rows to score, and with which model. */
export interface ScoreRequest {
  readonly scorer: Scorer;
  /** The same model as bytes, for other threads. */
  model(): Uint8Array;
  readonly checks: RecordOptions;
  /** Names of columns in the data, by the name that the model knows them by. */
  readonly names?: RowRules['names'];
  /** The rows; all of the data where these are not given. */
  readonly kept?: Pick<KeptRows, 'pieces' | 'bytes'> & { readonly length: number };
  /** A column whose cells are returned too. */
  readonly by?: string | undefined;
}

/** Scored rows, and their cells in one further column. */
export interface Scored extends ScoredRows, Unlabelled {
  readonly by: readonly string[];
}

/** Scores labelled rows with a model. */
export async function scoreData(
  context: Context,
  { source, head, target }: LabelledData,
  { scorer, model, checks, names = {}, kept, by }: ScoreRequest,
): Promise<Scored> {
  const { classes } = scorer;
  const [truth, cells, parts]: [string[], string[], Float64Array[]] = [[], [], []];
  const missing = { unlabelled: 0, firstUnlabelled: undefined as number | undefined };
  const all = kept ? kept.length : head.isAll ? head.table.length : undefined;
  const setup = {
    ...{ file: scorer.file, checks, target, by },
    rows: { ...source.rules, names },
    place: { ...source.place, words: context.words, strict: true },
  };
  await run(context, source, kept?.pieces() ?? head.pieces(), 'score', setup, {
    bytes: kept?.bytes,
    make: () => new ScoreWork(setup, scorer),
    sent: () => ({ ...setup, model: model() }),
    onFound: (found) => {
      for (const label of found.truth) truth.push(label);
      for (const cell of found.by) cells.push(cell);
      parts.push(found.logProba);
      missing.unlabelled += found.unlabelled;
      missing.firstUnlabelled ??= found.firstUnlabelled;
      if (all !== undefined) context.progress.step('evaluating', { share: Math.min(1, truth.length / all) });
    },
  });
  context.progress.end();
  const logProba = new Matrix(truth.length, classes.length, concat(parts));
  return { classes, truth, by: cells, ...missing, logProba };
}

/** Scores labelled data with a model file. */
export async function scoreModel(
  context: Naming,
  data: LabelledData,
  scorer: Scorer,
  { path, by }: { readonly path: string; readonly by?: string | undefined },
): Promise<Scored> {
  const names = namesFor(context, scorer, data.source, context.options.text);
  const bytes = await readModelBytes(context, path);
  return scoreData(context, data, { scorer, model: () => bytes, names, by, checks: checksOf(context) });
}

/** Refuses missing and invalid labels of scored rows. */
export function checkScored(context: Labelled, { source, target }: LabelledData, scored: Scored): void {
  const { truth } = scored;
  checkLabelled(context, { ...scored, labels: new Set(truth), rows: truth.length, target, place: source.place });
}

/** Whether the model was trained on exactly this data, according to the hash in its file. */
export async function isTraining(
  context: Context & { options: { where: readonly unknown[] } },
  path: string,
  { source }: Pick<LabelledRows, 'source'>,
): Promise<boolean> {
  const { dataHash } = inspectModel(await readModelBytes(context, path)).provenance ?? {};
  return dataHash !== undefined && dataHash === (await source.hash()) && context.options.where.length === 0;
}

type Naming = Context & { readonly options: { readonly text?: string | undefined } };
