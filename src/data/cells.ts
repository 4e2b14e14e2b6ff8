import { type NumberStyle, parseNumber } from './cell-number.ts';

/** A raw row: cells by column name. */
export type DataRow = Readonly<Record<string, unknown>>;

/** The cell of a row under an own property. */
export function cellOf(row: DataRow, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}

/** Whether a cell is empty: null, undefined, NaN, or blank. */
export function isBlank(cell: unknown): boolean {
  if (cell === null || cell === undefined) return true;
  if (typeof cell === 'number') return Number.isNaN(cell);
  return typeof cell === 'string' && cell.trim() === '';
}

/**
 * Words for a missing cell in a column of numbers or dates, in lower case: no word is a number, so the list can be
 * long.
 */
const markers: ReadonlySet<string> = new Set([
  ...['?', '-', '--', '.', 'na', 'n/a', 'n.a.', '#n/a', '<na>', 'nan', 'null', 'none', 'nil', 'missing', 'unknown'],
]);
const LONGEST_MARKER = Math.max(...Array.from(markers, (word) => word.length));

/** Whether a cell is a word such as "?" or "NA" that means a missing number or date. */
export function isMarker(cell: unknown): boolean {
  if (typeof cell !== 'string') return false;
  const word = cell.trim();
  return word.length <= LONGEST_MARKER && markers.has(word.toLowerCase());
}

/**
 * Words for a missing cell in a category, exactly as spelled. Words that are often an answer ("none", "unknown") are
 * not included, and neither is "Na", which is sodium.
 */
export const missingWords: readonly string[] = [
  ...['?', '-', 'NA', 'na', 'N/A', 'n/a', 'n.a.', '#N/A', '<NA>', 'null', 'NULL', 'Null', 'NaN', 'nan'],
];

/** The numeric value of a cell; NaN if it is not a number. */
export function numberOf(cell: unknown, style: NumberStyle = 'plain'): number {
  if (typeof cell === 'string') return parseNumber(cell, style);
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : Number.NaN;
  return typeof cell === 'bigint' ? Number(cell) : Number.NaN;
}

/** A cell as the name of a level. */
export function wordOf(cell: unknown): string {
  if (typeof cell === 'string') return cell.trim();
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString();
  return typeof cell === 'object' && cell !== null ? JSON.stringify(cell) : String(cell).trim();
}
