import { refuse, show } from '../errors.ts';
import { cellOf, type DataRow, isBlank, isMarker, numberOf, wordOf } from './cells.ts';
import type { ReadColumn } from './learner-columns.ts';

/** A cell that says nothing, among numbers. */
const saysNothing = (cell: unknown): boolean => isBlank(cell) || isMarker(cell);

/** The cells of a column of numbers; to be learned, a word among them is refused, to be judged it says nothing. */
export function readNumbers(rows: readonly DataRow[], column: ReadColumn, learning: boolean): Float64Array {
  const { name, reading, fill = Number.NaN } = column;
  return Float64Array.from(rows, (row, i) => {
    const cell = cellOf(row, name);
    const value = reading === 'flag' ? flagOf(cell) : numberOf(cell);
    if (Number.isNaN(value)) {
      if (learning && !saysNothing(cell)) refuseWord(cell, name, i);
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

function flagOf(cell: unknown): number {
  const word = wordOf(cell).toLowerCase();
  if (word === 'true') return 1;
  return word === 'false' ? 0 : numberOf(cell);
}

function refuseWord(cell: unknown, name: string, row: number): never {
  return refuse('E_TYPE', `row ${row}: column ${show(name)} holds numbers, and here ${show(cell)}`, {
    row,
    feature: name,
    actual: typeof cell,
  });
}

/** The number of the bin of a value: how many cuts are at or below it. */
export function binOf(value: number, cuts: readonly number[]): number {
  let bin = 0;
  while (bin < cuts.length && cuts[bin] <= value) bin++;
  return bin;
}

/** The cells of a column of levels, as words or numbers of bins; null where there is none. */
export function readLevels(
  rows: readonly DataRow[],
  column: ReadColumn,
  learning: boolean,
): (string | number | null)[] {
  const { name, cuts } = column;
  if (column.reading === 'bin') {
    return Array.from(readNumbers(rows, column, learning), (value) =>
      Number.isNaN(value) ? null : binOf(value, cuts ?? []),
    );
  }
  return rows.map((row) => {
    const cell = cellOf(row, name);
    return isBlank(cell) ? null : wordOf(cell);
  });
}
