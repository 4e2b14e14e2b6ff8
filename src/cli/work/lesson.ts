import { cellOf, type DataRow, isBlank, isMarker, numberOf } from '../../auto/cells.ts';
import { profileRows, type TableProfile } from '../../auto/profile.ts';
import { tallyCells } from '../../auto/schema-kinds.ts';
import { formatFor } from '../../data/cell-format.ts';
import { Random } from '../../math/random.ts';
import type { Context } from '../context.ts';
import { openRows, type Reading, type RowSource, readAll } from '../data.ts';
import { pairOf, requireColumn } from '../data-problems.ts';
import { count } from '../numbers.ts';
import { fail } from '../problem.ts';
import type { reading, roles } from '../shared-options.ts';
import { commandLine } from '../shell.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';

/** Labelled rows, ready to learn from. */
export interface Lesson {
  readonly source: RowSource;
  readonly rows: readonly DataRow[];
  readonly target: string;
  /** Why the target is believed to be it, where it was not given. */
  readonly guessed: string | undefined;
  /** The labels as words. */
  readonly labels: readonly string[];
  /** The lines of the rows, where they were read one by one. */
  readonly lines?: readonly number[] | undefined;
  /** Rows without a label that are to be learned from. */
  readonly unlabelled?: readonly DataRow[] | undefined;
}

/** A context of a command that reads labelled rows. */
export type Labelled = Context<typeof reading & typeof roles> & {
  readonly options: { readonly unlabeled?: 'refuse' | 'skip' | 'use' };
};

/** Labels beyond this are no classes. */
const MOST_CLASSES = 10_000;
/** From so many different labels on it is asked whether they are labels at all. */
export const MANY_CLASSES = 50;
/** The target is guessed from about this many rows. */
const LOOKED_AT = 10_000;

/** Reads all rows of labelled data; `target` where a model knows it already. */
export async function readLesson(context: Labelled, names: readonly string[], known?: string): Promise<Lesson> {
  const source = await openRows(context as Reading, names);
  const { options, print } = context;
  for (const column of [options.target ?? known, options.text, options.weights, ...options.features]) {
    if (column !== undefined) requireColumn(context, column, source.columns, source.name);
  }
  const numbers = numberColumns(context, source);
  const all = await readAll(source);
  requireNumbers(all, numbers, source.name, context);
  const given = options.target ?? known;
  const guess = given === undefined ? guessTarget(context, source, all.rows) : undefined;
  const target = given ?? guess!.name;
  if (guess) print.talk(texts.fit.guessed(safe(target), guess.reason));
  const { rows, lines, unlabelled } = labelledRows(context, all, target, source.name);
  const labels = rows.map((row) => String(cellOf(row, target)));
  checkLabels(context, labels, lines, target);
  return { source, rows, lines, target, labels, unlabelled, guessed: guess?.reason };
}

/** The columns that `--kinds` says to hold numbers. */
function numberColumns(context: Labelled, source: RowSource): string[] {
  const given = context.options.kinds.map((word) => pairOf('--kinds', 'COLUMN=KIND', word));
  for (const [column] of given) requireColumn(context, column, source.columns, source.name);
  return given.filter(([, kind]) => kind === 'number').map(([column]) => column);
}

/** Refuses a word in a column that is said to hold numbers. */
function requireNumbers(
  { rows, lines }: { rows: readonly DataRow[]; lines: readonly number[] },
  columns: readonly string[],
  file: string,
  { options }: Labelled,
): void {
  for (const column of columns) {
    const cells = tallyCells(rows.map((row) => cellOf(row, column)));
    const { numbers } = formatFor('number', [...cells], { decimal: options.decimal });
    const isWord = (cell: unknown) => Number.isNaN(numberOf(cell, numbers)) && !isBlank(cell) && !isMarker(cell);
    const row = rows.findIndex((own) => isWord(cellOf(own, column)));
    if (row < 0) continue;
    const cell = cellOf(rows[row], column);
    const place = `${safe(file)}:${lines[row]}`;
    fail('E_TYPE', texts.data.noNumber(place, safe(String(cell), 40), safe(column, 40)), {
      details: { row, line: lines[row], feature: column },
    });
  }
}

function guessTarget(
  { words }: Labelled,
  source: RowSource,
  rows: readonly DataRow[],
): NonNullable<TableProfile['target']> {
  const { target, columns } = profileRows(sample(rows));
  if (target) return target;
  return fail('E_LABEL_MISSING', texts.fit.noTarget(source.name), {
    notes: [
      texts.problems.columns(
        columns.map(({ name }) => name),
        undefined,
      ),
    ],
    command: commandLine([...words, '--target', 'COLUMN']),
  });
}

/** A random sample of the rows, for guessing the target. Every k-th row would hide a label that alternates. */
export const sample = (rows: readonly DataRow[]): DataRow[] => {
  const random = new Random(1);
  const share = LOOKED_AT / rows.length;
  return rows.filter(() => random.uniform() < share);
};

function labelledRows(
  { options, words, print }: Labelled,
  { rows, lines }: { rows: readonly DataRow[]; lines: readonly number[] },
  target: string,
  file: string,
): { rows: readonly DataRow[]; lines: readonly number[]; unlabelled?: readonly DataRow[] } {
  const kept = [...rows.keys()].filter((i) => !isBlank(cellOf(rows[i], target)));
  const missing = rows.length - kept.length;
  if (missing === 0) return { rows, lines };
  const first = rows.findIndex((row) => isBlank(cellOf(row, target)));
  const treatment = options.skipUnlabeled ? 'skip' : (options.unlabeled ?? 'refuse');
  if (treatment === 'refuse' || kept.length === 0) {
    return fail(
      'E_LABEL_MISSING',
      texts.fit.unlabeled(
        count(missing),
        missing === 1,
        count(rows.length),
        safe(target),
        `${safe(file)}:${lines[first]}`,
      ),
      {
        notes: [texts.fit.skipThem()],
        details: { rows: missing, row: first, line: lines[first] },
        command: kept.length > 0 ? commandLine([...words, '--skip-unlabeled']) : undefined,
      },
    );
  }
  const labelled = { rows: kept.map((i) => rows[i]), lines: kept.map((i) => lines[i]) };
  if (treatment === 'use') return { ...labelled, unlabelled: rows.filter((row) => isBlank(cellOf(row, target))) };
  print.warn(texts.fit.skipped(count(missing), missing === 1));
  return labelled;
}

/** Refuses labels that are none: a column of numbers, or of identifiers. */
function checkLabels({ words }: Labelled, labels: readonly string[], lines: readonly number[], target: string): void {
  const distinct = new Set(labels);
  const details = { column: target, actual: distinct.size, rows: labels.length };
  if (distinct.size > MOST_CLASSES) {
    fail('E_LIMIT', texts.fit.tooManyLabels(safe(target), count(distinct.size), count(MOST_CLASSES)), { details });
  }
  if (distinct.size <= MANY_CLASSES) return;
  const numbers = [...distinct].every((label) => label.trim() !== '' && Number.isFinite(Number(label)));
  const fractions = numbers && [...distinct].some((label) => !Number.isInteger(Number(label)));
  if (fractions || (numbers && distinct.size > labels.length / 10)) {
    fail('E_LABEL_TYPE', texts.fit.numericTarget(safe(target), count(distinct.size)), {
      notes: [texts.fit.binThem()],
      details: { ...details, line: lines[0] },
      command: commandLine([
        ...words.filter((word) => word !== target && word !== '-t' && word !== '--target'),
        '--target',
        'COLUMN',
      ]),
    });
  }
  if (distinct.size > labels.length / 2) {
    fail('E_LABEL_TYPE', texts.fit.identifierTarget(safe(target), count(distinct.size), count(labels.length)), {
      details,
    });
  }
}
