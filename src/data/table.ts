import { refuse, show } from '../errors.ts';
import { requireItems, requireLike } from './arguments.ts';
import { didYouMean } from './suggest.ts';

/** Some rows of a text table. The cell of row i and column j is `cells[i * columns.length + j]`. */
export interface Table {
  /** The names of the columns, the same frozen array in every chunk. */
  readonly columns: readonly string[];
  /** The number of rows. */
  readonly rows: number;
  /** All cells, row by row, as written: nothing is trimmed or converted. */
  readonly cells: readonly string[];
  /** For each row, the line of the text on which it begins, counted from 1. */
  readonly lines: Float64Array;
  /** The delimiter, given or detected. */
  readonly delimiter: string;
}

function requireTable(table: Table): Table {
  return requireLike(table, 'a table as parseCsv returns it', { columns: 'list', rows: 'number', cells: 'list' });
}

/** The rows of a table as arrays. */
export function rowsOf(table: Table): string[][] {
  const { columns, rows, cells } = requireTable(table);
  const width = columns.length;
  return Array.from({ length: rows }, (_, i) => cells.slice(i * width, (i + 1) * width));
}

/** An empty record without a prototype, so that `__proto__` is an ordinary column. */
export function emptyRecord<T>(): Record<string, T> {
  return Object.create(null);
}

/** The rows of a table as objects without a prototype, with the cells of all columns or of the named ones. */
export function recordsOf(table: Table, wanted?: readonly string[]): Record<string, string>[] {
  const { columns, rows, cells } = requireTable(table);
  const names = requireItems(wanted ?? columns, 'a list of column names');
  const known = new Map(columns.map((name, j) => [name, j]));
  const places = names.map((name) => {
    const place = known.get(name);
    if (place !== undefined) return place;
    return refuse('E_FEATURE_MISSING', `there is no column ${show(name)}${didYouMean(String(name), columns)}`, {
      feature: String(name),
    });
  });
  return Array.from({ length: rows }, (_, i) => {
    const record = emptyRecord<string>();
    for (const [k, name] of names.entries()) record[name] = cells[i * columns.length + places[k]];
    return record;
  });
}
