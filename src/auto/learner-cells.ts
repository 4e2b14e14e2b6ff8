import { partPlace, partWord } from '../data/cell-date.ts';
import { levelReader, momentOf, truthOf } from '../data/cell-format.ts';
import { refuse, show } from '../errors.ts';
import { cellOf, type DataRow, isBlank, isMarker, numberOf, wordOf } from './cells.ts';
import type { ReadColumn } from './learner-columns.ts';

/** Whether a cell is missing, in a column of numbers or dates. */
const isMissing = (cell: unknown): boolean => isBlank(cell) || isMarker(cell);

/** The moments of a column of dates; a word among them is refused when it is to be learned, and missing otherwise. */
function readMoments(
  rows: readonly DataRow[],
  { name, from = name, format }: ReadColumn,
  learning: boolean,
): Float64Array {
  const order = format?.dates ?? 'day-first';
  return Float64Array.from(rows, (row, i) => {
    const cell = cellOf(row, from);
    const moment = momentOf(cell, order);
    if (Number.isNaN(moment) && learning && !isMissing(cell)) refuseWord(cell, from, i, 'dates');
    return moment;
  });
}

/** The cells of a column of numbers; a word among them is refused when it is to be learned, and missing otherwise. */
export function readNumbers(rows: readonly DataRow[], column: ReadColumn, learning: boolean): Float64Array {
  const { name, reading, format, part, fill = Number.NaN } = column;
  if (part) {
    const filled = (moment: number) => (Number.isNaN(moment) ? fill : partPlace(moment, part));
    return readMoments(rows, column, learning).map(filled);
  }
  return Float64Array.from(rows, (row, i) => {
    const cell = cellOf(row, name);
    const value = reading === 'flag' ? flagOf(cell) : numberOf(cell, format?.numbers);
    if (Number.isNaN(value)) {
      if (learning && !isMissing(cell)) refuseWord(cell, name, i, 'numbers');
      return fill;
    }
    if (reading === 'count' && value < 0) {
      refuse('E_NEGATIVE', `row ${i}: column ${show(name)} holds ${value}, and counts are not negative`, {
        row: i,
        feature: name,
        actual: value,
      });
    }
    return value;
  });
}

/** 1 for true and 0 for false. */
function flagOf(cell: unknown): number {
  const truth = truthOf(wordOf(cell));
  return truth === undefined ? numberOf(cell) : Number(truth);
}

function refuseWord(cell: unknown, name: string, row: number, what: string): never {
  return refuse('E_TYPE', `row ${row}: column ${show(name)} holds ${what}, and here ${show(cell)}`, {
    row,
    feature: name,
    actual: typeof cell,
  });
}

/** The number of the bin of a value: how many cuts are at or below it. */
export function binOf(value: number, cuts: readonly number[]): number {
  let [low, high] = [0, cuts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (cuts[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The cells of a column of levels, as words or numbers of bins; null where they are missing. */
export function readLevels(
  rows: readonly DataRow[],
  column: ReadColumn,
  learning: boolean,
): (string | number | null)[] {
  const { name, cuts, part, format } = column;
  if (column.reading === 'bin') {
    return Array.from(readNumbers(rows, column, learning), (value) =>
      Number.isNaN(value) ? null : binOf(value, cuts ?? []),
    );
  }
  if (part && part !== 'days') {
    return Array.from(readMoments(rows, column, learning), (moment) => partWord(moment, part) ?? null);
  }
  const read = levelReader(format);
  return rows.map((row) => read(cellOf(row, name)) ?? null);
}
