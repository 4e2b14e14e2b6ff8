import { type ColumnTable, numberColumns, textOfCell } from '../data/column-table.ts';
import { CodedColumn, type PackedColumn } from '../data/packed-columns.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { stackColumns } from '../features/columns.ts';
import { isBlank } from './cells.ts';
import { readLevels, readNumbers } from './learner-cells.ts';
import type { ReadColumn } from './learner-columns.ts';
import { type FamilyName, familyOf } from './learner-families.ts';

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

/** In which rows there is a cell that a model reads: a number, a level, or a text that is not blank. */
export function saysSomething(table: ColumnTable, columns: readonly ReadColumn[]): boolean[] {
  const says = new Array<boolean>(table.length).fill(false);
  for (const column of columns) {
    const blank =
      column.reading === 'text' ? table.column(column.name).cells().map(isBlank) : blankCells(table, column);
    blank.forEach((isIt, i) => void (says[i] ||= !isIt));
  }
  return says;
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
