import { Matrix } from '../data/matrix.ts';
import { refuse, show } from '../errors.ts';
import type { Table } from './table.ts';

/** Which columns: one by name or number, a list of them, or a flag for each. A single one is passed on as a plain list of cells. */
export type ColumnChoice = string | number | readonly (string | number)[] | readonly boolean[];

/** The numbers of the chosen columns; a negative number counts from the end. */
export function chooseColumns(choice: ColumnChoice, features: number, names: readonly string[] | undefined): number[] {
  if (isFlags(choice)) {
    if (choice.length !== features) {
      refuse('E_SHAPE', `there are ${choice.length} flags for ${features} columns`, {
        expected: features,
        actual: choice.length,
      });
    }
    return choice.flatMap((chosen, j) => (chosen ? [j] : []));
  }
  const places = new Map(names?.map((name, j) => [name, j]));
  return listOf(choice).map((column) => {
    if (typeof column === 'string') {
      return (
        places.get(column) ?? refuse('E_FEATURE_MISSING', `there is no column ${show(column)}`, { feature: column })
      );
    }
    const j = column < 0 ? column + features : column;
    if (Number.isSafeInteger(j) && j >= 0 && j < features) return j;
    return refuse('E_FEATURE_MISSING', `there is no column ${column} among ${features}`, { column, features });
  });
}

function isFlags(choice: ColumnChoice): choice is readonly boolean[] {
  return Array.isArray(choice) && choice.length > 0 && typeof choice[0] === 'boolean';
}

const listOf = (choice: Exclude<ColumnChoice, readonly boolean[]>) =>
  typeof choice === 'string' || typeof choice === 'number' ? [choice] : choice;

/** Whether a value is a choice of columns. */
export function isColumnChoice(value: unknown): value is ColumnChoice {
  if (typeof value === 'string' || Number.isSafeInteger(value)) return true;
  if (!Array.isArray(value)) return false;
  return (
    value.every((item) => typeof item === 'boolean') ||
    value.every((item) => typeof item === 'string' || Number.isSafeInteger(item))
  );
}

/** Some columns of a table as a transformer takes them: by name where there are names, else as rows of cells. */
export function partOf(table: Table, columns: readonly number[]): unknown {
  const { names, rows } = table;
  if (!names) return Array.from({ length: rows }, (_, i) => columns.map((j) => table.columns[j][i]));
  const part: Record<string, ArrayLike<unknown>> = Object.create(null); // so that a column may be called __proto__
  for (const j of columns) part[names[j]] = table.columns[j];
  return part;
}

/** Some columns of a table as numbers; missing cells are NaN. */
export function numbersOf(table: Table, columns: readonly number[]): Matrix {
  const out = new Matrix(table.rows, columns.length);
  columns.forEach((j, at) => {
    for (let i = 0; i < table.rows; i++) {
      const cell = table.columns[j][i] ?? Number.NaN;
      if (typeof cell !== 'number') {
        refuse('E_TYPE', `row ${i}, column ${j}: a column that is passed through holds numbers, got ${show(cell)}`, {
          row: i,
          column: j,
          actual: typeof cell,
        });
      }
      out.data[i * columns.length + at] = cell;
    }
  });
  return out;
}
