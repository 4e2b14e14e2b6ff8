import type { SparseMatrix } from '../data/sparse.ts';
import { stackColumns } from '../features/columns.ts';
import { cellOf, type DataRow, isBlank, wordOf } from './cells.ts';
import { readLevels, readNumbers } from './learner-cells.ts';
import type { ReadColumn } from './learner-columns.ts';
import { type FamilyName, familyOf } from './learner-families.ts';

/** Rows as an estimator takes them: counts of words side by side, or columns by name, blocks of words among them. */
export type Table = SparseMatrix | Readonly<Record<string, ArrayLike<unknown> | SparseMatrix>>;

/** The documents of a column; an empty one for what is missing. */
export function textOf(rows: readonly DataRow[], name: string): string[] {
  return rows.map((row) => {
    const cell = cellOf(row, name);
    return cell === null || cell === undefined ? '' : wordOf(cell);
  });
}

/** The columns of text. */
export const textColumns = (columns: readonly ReadColumn[]): ReadColumn[] =>
  columns.filter(({ reading }) => reading === 'text');

/** Reads rows into what the estimator of a family takes; `blocks` are the counted texts, in order. */
export function readTable(
  model: FamilyName,
  columns: readonly ReadColumn[],
  rows: readonly DataRow[],
  blocks: readonly SparseMatrix[],
  learning: boolean,
): Table {
  const { takes, blank } = familyOf(model);
  if (takes === 'counts' && blocks.length > 0) return besideEachOther(blocks);
  let next = 0;
  const named = columns.map((column): [string, ArrayLike<unknown> | SparseMatrix] => {
    if (column.reading === 'text') return [column.name, blocks[next++]];
    if (column.reading === 'level' || column.reading === 'bin')
      return [column.name, readLevels(rows, column, learning)];
    const numbers = readNumbers(rows, column, learning);
    return [column.name, blank === 'zero' ? numbers.map((value) => (Number.isNaN(value) ? 0 : value)) : numbers];
  });
  return Object.fromEntries(named);
}

/** Blocks of counted words as one table. */
export function besideEachOther(blocks: readonly SparseMatrix[]): SparseMatrix {
  return blocks.length === 1 ? blocks[0] : (stackColumns(blocks, blocks[0].rows, true) as SparseMatrix);
}

/** Whether a row has a cell that a model reads. */
export function saysSomething(row: DataRow, columns: readonly ReadColumn[]): boolean {
  return columns.some((column) => {
    if (column.reading === 'text') return !isBlank(cellOf(row, column.name));
    if (column.reading === 'level' || column.reading === 'bin') return readLevels([row], column, false)[0] !== null;
    return !Number.isNaN(readNumbers([row], { ...column, fill: Number.NaN }, false)[0]);
  });
}

/** How many columns of each row are present: a number or a level that could be read, a text with a known word. */
export function countPresent(
  rows: readonly DataRow[],
  columns: readonly ReadColumn[],
  blocks: readonly SparseMatrix[],
): Float64Array {
  const counts = new Float64Array(rows.length);
  let next = 0;
  for (const column of columns) {
    if (column.reading === 'text') {
      const { indptr } = blocks[next++];
      for (let i = 0; i < rows.length; i++) if (indptr[i + 1] > indptr[i]) counts[i]++;
    } else if (column.reading === 'level' || column.reading === 'bin') {
      readLevels(rows, column, false).forEach((level, i) => {
        if (level !== null) counts[i]++;
      });
    } else {
      const { fill: _, ...plain } = column;
      readNumbers(rows, plain, false).forEach((value, i) => {
        if (!Number.isNaN(value)) counts[i]++;
      });
    }
  }
  return counts;
}
