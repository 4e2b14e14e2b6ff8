import type { RecordOptions } from '../../auto/record-check.ts';
import { inspectModel } from '../../core/card.ts';
import { cellOf, type DataRow, isBlank } from '../../data/cells.ts';
import { Matrix } from '../../data/matrix.ts';
import { SPLIT_SAMPLE } from '../../evaluate/held-out.ts';
import type { KeptRows } from '../../node/kept-rows.ts';
import type { Judged } from '../../server/insight/judge.ts';
import type { Context } from '../context.ts';
import { type RowSource, readAll } from '../data.ts';
import { requireColumn } from '../data-problems.ts';
import { type Head, headOf } from '../head.ts';
import { inPlace } from './cell-problems.ts';
import { checkLabelled, type Labelled, type Lesson, openLabelled, targetOf } from './lesson.ts';
import { checksOf, type Judge, readModelBytes } from './model-input.ts';
import { ScoreWork } from './score-work.ts';
import { type RowRules, takeRows, type Unlabelled, withLabels } from './table-rows.ts';
import { run } from './works.ts';

/** What is decided before all rows are learned is decided by all rows of a file of at most this size, and by a sample of a larger one. */
const SMALL_BYTES = 4 << 20;
/** Of stdin, which is read only once, it is decided by the first rows. */
const FIRST_ROWS = 20_000;

/** Labelled data that are read piece by piece, on every core. */
export interface LabelledData extends Pick<Lesson, 'source' | 'target' | 'guessed'> {
  readonly head: Head;
}

/** Opens labelled data; `known` is the target of a model, and `twice` says whether they will be read twice. */
export async function openData(
  context: Labelled,
  names: readonly string[],
  twice: boolean,
  known?: string,
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
export async function readLesson(context: Labelled, names: readonly string[], known?: string): Promise<Lesson> {
  return readLabelled(context, await openData(context, names, false, known));
}

/** All rows of labelled data, in memory. */
export async function readLabelled(context: Labelled, data: LabelledData): Promise<Lesson> {
  const { source, head, target } = data;
  const all = head.isAll ? head.table : await readAll(source.tablesIn(head.pieces()));
  const missing = { unlabelled: 0, firstUnlabelled: undefined as number | undefined };
  const table = withLabels(all, target, missing);
  const labels = table.column(target).codes().map(String).toArray();
  const line = table.length > 0 ? table.line(0) : undefined;
  const found = { ...missing, labels: new Set(labels), rows: table.length, line, target, file: source.name };
  const treatment = checkLabelled(context, found);
  const unlabelled = treatment === 'use' ? all.records().filter((row) => isBlank(cellOf(row, target))) : undefined;
  return {
    ...{ ...data, table, all, labels, unlabelled },
    get rows() {
      return table.records();
    },
  };
}

/** Which rows a model is asked about, and how. */
export interface Asked {
  readonly judge: Judge;
  /** The same model as bytes, for other threads. */
  model(): Uint8Array;
  readonly checks: RecordOptions;
  /** Names of columns in the data, by the name that the model knows them by. */
  readonly names?: RowRules['names'];
  /** The rows; all of the data where these are not given. */
  readonly kept?: KeptRows;
  /** A column whose cells are wanted too. */
  readonly by?: string | undefined;
}

/** What a model says of labelled rows, and their cells in the column that was asked for. */
export interface Scored extends Judged, Unlabelled {
  readonly by: readonly string[];
}

/** Scores labelled rows with a model. */
export async function scoreData(
  context: Context,
  { source, head, target }: LabelledData,
  { judge, model, checks, names = {}, kept, by }: Asked,
): Promise<Scored> {
  const { classes } = judge;
  const [truth, cells, parts]: [string[], string[], Float64Array[]] = [[], [], []];
  const missing = { unlabelled: 0, firstUnlabelled: undefined as number | undefined };
  const setup = {
    ...{ file: judge.file, checks, target, by },
    rows: { ...source.rules, names },
    place: { file: source.name, words: context.words },
  };
  await run(context, source, kept?.pieces() ?? head.pieces(), 'score', setup, {
    bytes: kept?.bytes,
    make: () => new ScoreWork(setup, judge),
    sent: () => ({ ...setup, model: model() }),
    onFound: (found) => {
      for (const label of found.truth) truth.push(label);
      for (const cell of found.by) cells.push(cell);
      parts.push(found.logProba);
      missing.unlabelled += found.unlabelled;
      missing.firstUnlabelled ??= found.firstUnlabelled;
    },
  });
  context.progress.end();
  const logProba = new Float64Array(truth.length * classes.length);
  let at = 0;
  for (const part of parts) {
    logProba.set(part, at);
    at += part.length;
  }
  return {
    classes,
    truth,
    by: cells,
    ...missing,
    logProba: new Matrix(truth.length, classes.length, logProba),
  };
}

/** Some labelled rows by their numbers, ascending, read again. */
export async function rowsAt({ source, head, target }: LabelledData, wanted: readonly number[]): Promise<DataRow[]> {
  const rows: DataRow[] = [];
  let [before, next] = [0, 0];
  for await (const table of source.tablesIn(head.pieces())) {
    const labels = table.column(target).cells();
    for (let i = 0; i < table.length && next < wanted.length; i++) {
      if (isBlank(labels[i])) continue;
      if (before++ === wanted[next]) next = rows.push(table.record(i));
    }
    if (next === wanted.length) break;
  }
  return rows;
}

/** What a model file says of labelled data. */
export async function scoreModel(
  context: Naming,
  data: LabelledData,
  judge: Judge,
  { path, by }: { readonly path: string; readonly by?: string | undefined },
): Promise<Scored> {
  const names = namesFor(context, judge, data.source);
  const bytes = await readModelBytes(context, path);
  return scoreData(context, data, { judge, model: () => bytes, names, by, checks: checksOf(context) });
}

/** Refuses labels that are none, and missing ones. */
export function checkScored(context: Labelled, { source, target }: LabelledData, scored: Scored): void {
  const { truth } = scored;
  checkLabelled(context, { ...scored, labels: new Set(truth), rows: truth.length, target, file: source.name });
}

/** Whether the rows are those that the model was made from, as far as the file tells. */
export async function isTraining(
  context: Context & { options: { where: readonly unknown[] } },
  path: string,
  { source }: Pick<Lesson, 'source'>,
): Promise<boolean> {
  const { dataHash } = inspectModel(await readModelBytes(context, path)).provenance ?? {};
  return dataHash !== undefined && dataHash === (await source.hash()) && context.options.where.length === 0;
}

type Naming = Context & { readonly options: { readonly text?: string | undefined; readonly strict?: boolean } };

/** The columns of data by the names that a model knows them by; refuses data in which one is missing. */
function namesFor(context: Naming, judge: Judge, { columns, name }: RowSource): Readonly<Record<string, string>> {
  const [own, ...others] = judge.texts;
  const alone = own !== undefined && others.length === 0 && !columns.includes(own) && columns.includes('text');
  const from = context.options.text ?? (alone ? 'text' : undefined);
  const to = from === undefined ? undefined : own;
  for (const column of context.options.strict === false ? [] : judge.columns)
    if (column !== to) requireColumn(context, column, columns, name, judge.columns);
  return from !== undefined && to !== undefined && from !== to ? { [to]: from } : {};
}

/** What a model says of labelled rows. */
export function judgeLesson(context: Naming, judge: Judge, lesson: Lesson): Judged {
  const { table: all, source } = lesson;
  const table = takeRows(all, { filters: [], commas: false, names: namesFor(context, judge, source) });
  const place = { file: source.name, words: context.words };
  const logProba = inPlace(table, place, () => judge.predictLogProba(table));
  context.progress.end();
  return { classes: judge.classes, truth: lesson.labels, logProba };
}
