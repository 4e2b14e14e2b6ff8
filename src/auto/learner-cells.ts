import { partPlace, partWord } from '../data/cell-date.ts';
import { momentOf, readWords, truthOf } from '../data/cell-format.ts';
import { type ColumnNumbers, type ColumnTable, numbersIn, type TableColumn } from '../data/column-table.ts';
import type { CodedColumn } from '../data/packed-columns.ts';
import { refuse, show } from '../errors.ts';
import { isBlank, isMarker, numberOf, wordOf } from './cells.ts';
import type { ReadColumn } from './learner-columns.ts';

/** Whether a cell is missing, in a column of numbers or dates. */
const isMissing = (cell: unknown): boolean => isBlank(cell) || isMarker(cell);

/** The moments of a column of dates. A cell that is no date is missing; when learning, one that is not blank either is refused. */
function readMoments(table: ColumnTable, { name, from = name, format }: ReadColumn, learning: boolean): Float64Array {
  const order = format?.dates ?? 'day-first';
  return Float64Array.from(table.column(from).cells(), (cell, i) => {
    const moment = momentOf(cell, order);
    if (Number.isNaN(moment) && learning && !isMissing(cell)) refuseWord(cell, from, i, 'dates');
    return moment;
  });
}

/**
 * The cells of a column of numbers. A cell that is no number is missing; when learning, one that is not blank either is refused. The
 * result is read-only: it may be the column itself.
 */
export function readNumbers(table: ColumnTable, column: ReadColumn, learning: boolean): Float64Array {
  const { name, reading, format, part, fill } = column;
  if (part) {
    const moments = readMoments(table, column, learning);
    return moments.map((moment) => (Number.isNaN(moment) ? (fill ?? Number.NaN) : partPlace(moment, part)));
  }
  const cells = table.column(name);
  const { values, odd } = reading === 'flag' ? readFlags(cells) : numbersIn(cells, format?.numbers);
  const word = learning ? Array.from(odd).find((i) => !isMissing(cells.cell(i))) : undefined;
  if (reading === 'count') requireCounts(values, name, word ?? values.length);
  if (word !== undefined) refuseWord(cells.cell(word), name, word, 'numbers');
  return fill === undefined ? values : values.map((value) => (Number.isNaN(value) ? fill : value));
}

/** 1 for true, 0 for false; `odd` are the rows with neither. */
function readFlags(column: TableColumn): ColumnNumbers {
  const odd: number[] = [];
  const values = Float64Array.from(column.cells(), (cell, i) => {
    const truth = truthOf(wordOf(cell));
    const value = truth === undefined ? numberOf(cell) : Number(truth);
    if (Number.isNaN(value)) odd.push(i);
    return value;
  });
  return { values, odd };
}

/** Refuses a negative number in the rows before `end`. */
function requireCounts(values: Float64Array, name: string, end: number): void {
  for (let i = 0; i < end; i++) {
    if (!(values[i] < 0)) continue;
    refuse('E_NEGATIVE', `row ${i}: column ${show(name)} holds ${values[i]}, and counts are not negative`, {
      row: i,
      feature: name,
      actual: values[i],
    });
  }
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

/** The cells of a column of levels: words, null where they are missing, or numbers of bins, NaN where they are missing. */
export function readLevels(
  table: ColumnTable,
  column: ReadColumn,
  learning: boolean,
): readonly (string | null)[] | Float64Array | CodedColumn<string | null> {
  const { name, cuts = [], part, format } = column;
  if (column.reading === 'bin') {
    return readNumbers(table, column, learning).map((value) => (Number.isNaN(value) ? value : binOf(value, cuts)));
  }
  if (part && part !== 'days') {
    return Array.from(readMoments(table, column, learning), (moment) => partWord(moment, part) ?? null);
  }
  return readWords(table.column(name).codes(), format);
}
