import { guessTarget, type TargetGuess } from '../../auto/profile.ts';
import { tallyCells, tallyColumn } from '../../auto/schema-kinds.ts';
import { formatFor } from '../../data/cell-format.ts';
import { type DataRow, isBlank, isMarker, numberOf } from '../../data/cells.ts';
import type { BlockTable } from '../../data/column-table.ts';
import { Random } from '../../math/random.ts';
import type { Context } from '../context.ts';
import { openRows, type Reading, type RowSource } from '../data.ts';
import { columnsNote, pairOf, requireColumn } from '../data-problems.ts';
import type { Head } from '../head.ts';
import { count } from '../numbers.ts';
import { fail } from '../problem.ts';
import type { reading, roles } from '../shared-options.ts';
import { commandLine } from '../shell.ts';
import { safe } from '../terminal.ts';
import type { Unlabelled } from './table-rows.ts';

/** Labelled rows, ready to learn from. */
export interface Lesson {
  readonly source: RowSource;
  /** The rows with a label. */
  readonly table: BlockTable;
  /** The same as records, which are made anew whenever they are asked for. */
  readonly rows: readonly DataRow[];
  /** All rows, also those without a label. */
  readonly all: BlockTable;
  readonly target: string;
  /** Why the target is believed to be it, where it was not given. */
  readonly guessed: string | undefined;
  /** The labels as words. */
  readonly labels: readonly string[];
  /** Rows without a label that are to be learned from. */
  readonly unlabelled?: readonly DataRow[] | undefined;
}

/** A context of a command that reads labelled rows. */
export type Labelled = Context<typeof reading & typeof roles> & {
  readonly options: { readonly unlabeled?: 'refuse' | 'skip' | 'use' };
};

/** The context of a command that has no options for columns, because its model knows them. */
export function withoutRoles(
  context: Reading & { readonly options: Pick<Labelled['options'], 'target' | 'text'> & { skipUnlabeled?: boolean } },
): Labelled {
  const none = { skipUnlabeled: false, features: [], kinds: [], weights: undefined };
  return { ...context, options: { ...none, ...context.options } };
}

/** Labels beyond this are no classes. */
const MOST_CLASSES = 10_000;
/** From so many different labels on it is asked whether they are labels at all. */
export const MANY_CLASSES = 50;
/** The target is guessed from about this many rows. */
const LOOKED_AT = 10_000;

/** Opens labelled data; refuses columns that are not there. */
export async function openLabelled(context: Labelled, names: readonly string[], known?: string): Promise<RowSource> {
  const source = await openRows(context as Reading, names);
  const { options } = context;
  for (const column of [options.target ?? known, options.text, options.weights, ...options.features]) {
    if (column !== undefined) requireColumn(context, column, source.columns, source.name);
  }
  return source;
}

/** The target column: given, or guessed from a sample of the rows and reported. */
export function targetOf(
  context: Labelled,
  source: RowSource,
  { table, sample: some }: Pick<Head, 'table' | 'sample'>,
  known?: string,
): Pick<Lesson, 'target' | 'guessed'> {
  const { options, print } = context;
  requireNumbers(table, numberColumns(context, source), source.name, context);
  const given = options.target ?? known;
  if (given !== undefined) return { target: given, guessed: undefined };
  const { name, reason } = guessedTarget(context, source, some);
  print.talk(`target  ${safe(name)}  (guessed: ${reason}; --target names another)`);
  return { target: name, guessed: reason };
}

/** The columns that `--kinds` says to hold numbers. */
function numberColumns(context: Labelled, source: RowSource): string[] {
  const given = context.options.kinds.map((word) => pairOf('--kinds', 'COLUMN=KIND', word));
  for (const [column] of given) requireColumn(context, column, source.columns, source.name);
  return given.filter(([, kind]) => kind === 'number').map(([column]) => column);
}

/** Refuses a word in a column that is said to hold numbers. */
function requireNumbers(table: BlockTable, columns: readonly string[], file: string, { options }: Labelled): void {
  for (const column of columns) {
    const cells = table.column(column).cells();
    const { numbers } = formatFor('number', [...tallyCells(cells)], { decimal: options.decimal });
    const isWord = (cell: unknown) => Number.isNaN(numberOf(cell, numbers)) && !isBlank(cell) && !isMarker(cell);
    const row = cells.findIndex(isWord);
    if (row < 0) continue;
    const line = table.line(row);
    fail(
      'E_TYPE',
      `${safe(file)}:${line}  "${safe(String(cells[row]), 40)}" is no number, and --kinds says that column "${safe(column, 40)}" holds numbers.`,
      {
        details: { row, line, feature: column },
      },
    );
  }
}

function guessedTarget({ words }: Labelled, source: RowSource, table: BlockTable): TargetGuess {
  const some = sample(table);
  const found = guessTarget(new Map(some.names.map((name) => [name, tallyColumn(some.column(name))])));
  if (found) return found;
  return fail('E_LABEL_MISSING', `No column of ${source.name} looks like a label; name it with --target.`, {
    notes: [columnsNote(table.names)],
    command: commandLine([...words, '--target', 'COLUMN']),
  });
}

/** A random sample of the rows, for guessing the target. Every k-th row would hide a label that alternates. */
export function sample(table: BlockTable): BlockTable {
  const random = new Random(1);
  const share = LOOKED_AT / table.length;
  return table.take(Int32Array.from({ length: table.length }, (_, i) => i).filter(() => random.uniform() < share));
}

/** What was found of the labels of data. */
interface FoundLabels extends Unlabelled {
  readonly labels: ReadonlySet<string>;
  /** How many rows have one. */
  readonly rows: number;
  /** The line of the first of them, where it is known. */
  readonly line?: number | undefined;
  readonly target: string;
  readonly file: string;
}

/** Refuses missing labels and those that are none; returns what is to be done with rows without a label. */
export function checkLabelled(context: Labelled, found: FoundLabels): 'skip' | 'use' {
  const treatment = found.unlabelled > 0 ? treatUnlabelled(context, found) : 'skip';
  checkLabels(context, found);
  return treatment;
}

/** Refuses rows without a label, or reports that they are left out. */
function treatUnlabelled({ options, words, print }: Labelled, found: FoundLabels): 'skip' | 'use' {
  const { unlabelled: missing, firstUnlabelled: line, target, file } = found;
  const rows = found.rows + missing;
  const one = missing === 1;
  const treatment = options.skipUnlabeled ? 'skip' : (options.unlabeled ?? 'refuse');
  if (treatment === 'refuse' || missing === rows) {
    const place = `${safe(file)}:${line}`;
    fail(
      'E_LABEL_MISSING',
      `${count(missing)} of ${count(rows)} rows ${one ? 'has' : 'have'} no label in "${safe(target)}", ${one ? '' : 'the first '}at ${place}.`,
      {
        notes: ['Label them, leave them out, or let fit learn from them too (--unlabeled use):'],
        details: { rows: missing, ...(line !== undefined && { line }) },
        command: missing < rows ? commandLine([...words, '--skip-unlabeled']) : undefined,
      },
    );
  }
  if (treatment === 'skip')
    print.warn(one ? 'one row without a label is left out' : `${count(missing)} rows without a label are left out`);
  return treatment;
}

/** Refuses labels that are none: a column of numbers, or of identifiers. */
function checkLabels({ words }: Labelled, { labels: distinct, rows, line, target }: FoundLabels): void {
  const details = { column: target, actual: distinct.size, rows };
  if (distinct.size > MOST_CLASSES) {
    fail(
      'E_LIMIT',
      `Column "${safe(target)}" has ${count(distinct.size)} different labels; more than ${count(MOST_CLASSES)} are no classes.`,
      { details },
    );
  }
  if (distinct.size <= MANY_CLASSES) return;
  const numbers = [...distinct].every((label) => label.trim() !== '' && Number.isFinite(Number(label)));
  const fractions = numbers && [...distinct].some((label) => !Number.isInteger(Number(label)));
  if (fractions || (numbers && distinct.size > rows / 10)) {
    fail(
      'E_LABEL_TYPE',
      `Column "${safe(target)}" holds numbers, ${count(distinct.size)} different ones; a classifier needs classes.`,
      {
        notes: ['Cut the numbers into a few named ranges first, or name another column:'],
        details: { ...details, ...(line !== undefined && { line }) },
        command: commandLine([
          ...words.filter((word) => word !== target && word !== '-t' && word !== '--target'),
          '--target',
          'COLUMN',
        ]),
      },
    );
  }
  if (distinct.size > rows / 2) {
    fail(
      'E_LABEL_TYPE',
      `Column "${safe(target)}" has ${count(distinct.size)} different labels in ${count(rows)} rows; that looks like an identifier, not a label.`,
      {
        details,
      },
    );
  }
}
