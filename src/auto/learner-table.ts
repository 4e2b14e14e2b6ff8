import { partPlace, partWord } from '../data/cell-date.ts';
import { momentOf, readWords, truthOf } from '../data/cell-format.ts';
import { isBlank, isMarker, numberOf, wordOf } from '../data/cells.ts';
import {
  type ColumnNumbers,
  type ColumnTable,
  numberColumns,
  numbersIn,
  type TableColumn,
  textOfCell,
} from '../data/column-table.ts';
import { CodedColumn, type PackedColumn } from '../data/packed-columns.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { refuse, show } from '../errors.ts';
import { binBetween } from '../features/bins.ts';
import { stackColumns } from '../features/columns.ts';
import type { ReadColumn } from './learner-columns.ts';
import { type FamilyName, familyOf } from './learner-families.ts';

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

/** The cells of a column of levels: words, null where they are missing, or numbers of bins, NaN where they are missing. */
export function readLevels(
  table: ColumnTable,
  column: ReadColumn,
  learning: boolean,
): readonly (string | null)[] | Float64Array | CodedColumn<string | null> {
  const { name, cuts = [], part, format } = column;
  if (column.reading === 'bin') {
    return readNumbers(table, column, learning).map((value) => (Number.isNaN(value) ? value : binBetween(cuts, value)));
  }
  if (part && part !== 'days') {
    return Array.from(readMoments(table, column, learning), (moment) => partWord(moment, part) ?? null);
  }
  return readWords(table.column(name).codes(), format);
}

/** Rows as an estimator takes them: counts of words side by side, or columns by name, blocks of words among them. */
export type EstimatorInput = SparseMatrix | Readonly<Record<string, InputColumn>>;

type InputColumn = ArrayLike<unknown> | PackedColumn | SparseMatrix;

/** The documents of a column as strings; an empty one where a cell is missing. */
export const textsOf = (table: ColumnTable, name: string): string[] => table.column(name).cells().map(textOfCell);

/** The columns of text. */
export const textColumns = (columns: readonly ReadColumn[]): ReadColumn[] =>
  columns.filter(({ reading }) => reading === 'text');

/** Reads a table into what the estimator of a family takes; `blocks` are the counted texts, in order. */
export function readTable(
  model: FamilyName,
  columns: readonly ReadColumn[],
  table: ColumnTable,
  blocks: readonly SparseMatrix[],
  learning: boolean,
): EstimatorInput {
  const { takes, blank } = familyOf(model);
  if (takes === 'counts' && blocks.length > 0) return besideEachOther(blocks);
  let next = 0;
  const plain = blank === 'zero' ? [] : columns.filter(isPlain).map(({ name }) => name);
  const packed = new Map(numberColumns(table, plain).map((own, j) => [plain[j], own]));
  const named = columns.map((column): [string, InputColumn] => {
    if (column.reading === 'text') return [column.name, blocks[next++]];
    if (column.reading === 'level' || column.reading === 'bin')
      return [column.name, readLevels(table, column, learning)];
    const own = packed.get(column.name);
    if (own && own.odd.length === 0) return [column.name, own.values];
    const numbers = readNumbers(table, column, learning);
    return [column.name, blank === 'zero' ? numbers.map((value) => (Number.isNaN(value) ? 0 : value)) : numbers];
  });
  return Object.fromEntries(named);
}

/** Whether the numbers of a column are taken as they stand in the table. */
const isPlain = ({ reading, format, part, fill }: ReadColumn): boolean =>
  reading === 'number' && part === undefined && fill === undefined && !format?.numbers;

/** Blocks of counted words as one table. */
export function besideEachOther(blocks: readonly SparseMatrix[]): SparseMatrix {
  return blocks.length === 1 ? blocks[0] : (stackColumns(blocks, blocks[0].rows, true) as SparseMatrix);
}

/** In which rows a number or a level is missing. */
function blankCells(table: ColumnTable, column: ReadColumn): readonly boolean[] {
  const { fill: _, ...plain } = column;
  const levels = column.reading === 'level' || column.reading === 'bin';
  const cells = levels ? readLevels(table, column, false) : readNumbers(table, plain, false);
  const isGap = (cell: unknown) => cell === null || Number.isNaN(cell);
  return cells instanceof CodedColumn ? cells.map(isGap).toArray() : Array.from<unknown, boolean>(cells, isGap);
}

/** How many columns of each row are present: a number or a level that could be read, a text with a known word. */
export function countPresent(
  table: ColumnTable,
  columns: readonly ReadColumn[],
  blocks: readonly SparseMatrix[],
): Float64Array {
  const counts = new Float64Array(table.length);
  let next = 0;
  for (const column of columns) {
    if (column.reading === 'text') {
      const { indptr } = blocks[next++];
      for (let i = 0; i < counts.length; i++) if (indptr[i + 1] > indptr[i]) counts[i]++;
    } else {
      blankCells(table, column).forEach((blank, i) => {
        if (!blank) counts[i]++;
      });
    }
  }
  return counts;
}
