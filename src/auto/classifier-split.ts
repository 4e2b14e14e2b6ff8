import { cellOf, type DataRow } from '../data/cells.ts';
import { type ColumnTable, RecordTable } from '../data/column-table.ts';
import { flattenRows } from '../data/flatten.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse, show } from '../errors.ts';
import { wilsonInterval } from '../evaluate/intervals.ts';
import { meanAccuracy, meanLogLoss, type Truth } from '../evaluate/log-proba.ts';
import type { ClassifierParts } from './classifier-fit.ts';
import { scoreTable } from './classifier-learning.ts';
import type { ClassifierOptions } from './classifier-options.ts';
import { classesOf } from './classifier-report.ts';
import { readTarget } from './records.ts';
import { splitOf } from './schema-kinds.ts';

/** How good a classifier is on rows that it had not learned. */
export interface Evaluation {
  readonly on: string;
  readonly rows: number;
  readonly accuracy: number;
  readonly interval: readonly [low: number, high: number];
  readonly logLoss: number;
}

/** Evaluates log-posteriors of labelled rows; the interval is Wilson's, for as many rows as there are. */
export function evaluate(logProba: Matrix, truth: Truth, on: string): Evaluation {
  const rows = truth.codes.length;
  const accuracy = meanAccuracy(logProba, truth);
  const { low, high } = wilsonInterval(Math.round(accuracy * rows), rows);
  return { on, rows, accuracy, interval: [low, high], logLoss: meanLogLoss(logProba, truth) };
}

/** The sentence that tells how rows were evaluated. */
export const byFolds = (chosen: boolean): string =>
  `five folds of the training rows, each evaluated by what the others taught${
    chosen ? '; models were chosen by the same folds' : ''
  }`;

/** Numbers of the rows to learn from and of those to evaluate on. */
export interface SplitRows {
  readonly train: readonly number[];
  readonly test: readonly number[];
  /** What the held-out rows are: 'test', or 'validation' where there are no test rows. */
  readonly held: 'test' | 'validation';
}

/** Divides rows by the words of their split column; where there are test rows, validation rows are left aside. */
export function splitRows(rows: readonly DataRow[], column: string): SplitRows {
  const parts: Record<'train' | 'test' | 'validation', number[]> = { train: [], test: [], validation: [] };
  rows.forEach((row, i) => {
    const cell = cellOf(row, column);
    const part = splitOf(cell);
    if (part) parts[part].push(i);
    else {
      refuse(
        'E_PARAM',
        `row ${i}: the split column ${show(column)} holds train, test, val or dev, and here ${show(cell)}`,
        {
          name: 'splitColumn',
          row: i,
        },
      );
    }
  });
  const held = parts.test.length > 0 ? 'test' : 'validation';
  const empty = parts.train.length === 0 ? 'training' : parts[held].length === 0 ? 'test' : undefined;
  if (empty) refuse('E_EMPTY_INPUT', `the split column ${show(column)} has no ${empty} rows`, { feature: column });
  return { train: parts.train, test: parts[held], held };
}

/** Learns from the training rows of a split, and evaluates on the held-out rows unless told otherwise. */
export function fitSplit(
  given: readonly DataRow[],
  { splitColumn = '', evaluate: evaluating = true, target }: ClassifierOptions,
  learn: (rows: readonly DataRow[]) => ClassifierParts,
): ClassifierParts {
  const rows = flattenRows(given);
  const { train, test, held } = splitRows(rows, splitColumn);
  const parts = learn(train.map((i) => rows[i]));
  if (!evaluating) return parts;
  const own = new RecordTable(test.map((i) => rows[i]));
  const on = `${test.length} ${held} rows by column "${splitColumn}", not among the ${train.length} training rows`;
  return { ...parts, report: { ...parts.report, evaluation: evaluateOn(parts, own, target, on) } };
}

/** How good a classifier is on held-out rows; a class that was never learned has probability 0. */
function evaluateOn(parts: ClassifierParts, table: ColumnTable, target: string, on: string): Evaluation {
  const learned = classesOf(parts);
  const { logProba } = scoreTable(parts, table);
  const { classes, codes } = readTarget(table, target);
  const all = [...learned, ...classes.filter((label) => !learned.includes(label))];
  const scores = new Matrix(table.length, all.length);
  scores.data.fill(Number.NEGATIVE_INFINITY);
  for (let i = 0; i < table.length; i++) scores.row(i).set(logProba.row(i));
  return evaluate(scores, { codes: codes.map((c) => all.indexOf(classes[c])) }, on);
}
