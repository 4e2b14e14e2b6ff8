import { cellOf, type DataRow } from '../data/cells.ts';
import type { Matrix } from '../data/matrix.ts';
import { refuse, show } from '../errors.ts';
import { wilsonInterval } from '../evaluate/intervals.ts';
import { meanAccuracy, meanLogLoss, type Truth } from '../evaluate/log-proba.ts';
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
