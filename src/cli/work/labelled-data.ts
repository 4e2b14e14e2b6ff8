import type { RecordOptions } from '../../auto/record-check.ts';
import type { DataRow } from '../../data/cells.ts';
import { isBlank } from '../../data/cells.ts';
import { Matrix } from '../../data/matrix.ts';
import { SPLIT_SAMPLE } from '../../evaluate/held-out.ts';
import type { Judged } from '../../server/insight/judge.ts';
import type { Context } from '../context.ts';
import type { RowSource } from '../data.ts';
import { type Head, headOf, tablesOf } from '../head.ts';
import { type Labelled, type Lesson, openLabelled, targetOf } from './lesson.ts';
import type { Judge } from './model-input.ts';
import { type PartOfRows, ScoreWork } from './score-work.ts';
import { type RowRules, takeRows, type Unlabelled } from './table-rows.ts';
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

/** Which rows a model is asked about, and how. */
export interface Asked {
  readonly judge: Judge;
  /** The same model as bytes, for other threads. */
  model(): Uint8Array;
  readonly checks: RecordOptions;
  /** Names of columns in the data, by the name that the model knows them by. */
  readonly names?: RowRules['names'];
  /** Only the rows of one part; all where there is none. */
  readonly only?: PartOfRows | undefined;
  /** A column whose cells are wanted too. */
  readonly by?: string | undefined;
}

/** What a model says of labelled rows, and their cells in the column that was asked for. */
export interface Scored extends Judged, Unlabelled {
  /** The numbers of the rows among those with a label. */
  readonly places: readonly number[];
  readonly by: readonly string[];
}

/** Scores labelled rows with a model. */
export async function scoreData(
  context: Context,
  { source, head, target }: LabelledData,
  { judge, model, checks, names = {}, only, by }: Asked,
): Promise<Scored> {
  const { classes } = judge;
  const [truth, cells, parts]: [string[], string[], Float64Array[]] = [[], [], []];
  const places: number[] = [];
  let before = 0;
  const missing = { unlabelled: 0, firstUnlabelled: undefined as number | undefined };
  const setup = {
    ...{ file: judge.file, checks, target, only, by },
    rows: { ...source.rules, names },
    place: { file: source.name, words: context.words },
  };
  await run(context, source, head.pieces(), 'score', setup, {
    make: () => new ScoreWork(setup, judge),
    sent: () => ({ ...setup, model: model() }),
    onFound: (found) => {
      for (const label of found.truth) truth.push(label);
      for (const cell of found.by) cells.push(cell);
      for (const place of found.places) places.push(before + place);
      before += found.labelled;
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
    places,
    ...missing,
    logProba: new Matrix(truth.length, classes.length, logProba),
  };
}

/** Some labelled rows by their numbers, ascending, read again. */
export async function rowsAt({ source, head, target }: LabelledData, wanted: readonly number[]): Promise<DataRow[]> {
  const rows: DataRow[] = [];
  let [before, next] = [0, 0];
  for await (const piece of head.pieces()) {
    for (const whole of tablesOf(piece)) {
      const table = takeRows(whole, source.rules);
      const labels = table.column(target).cells();
      for (let i = 0; i < table.length && next < wanted.length; i++) {
        if (isBlank(labels[i])) continue;
        if (before++ === wanted[next]) next = rows.push(table.record(i));
      }
    }
    if (next === wanted.length) break;
  }
  return rows;
}
