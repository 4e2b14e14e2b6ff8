/** A row as it comes: cells by the names of their columns. */
export type DataRow = Readonly<Record<string, unknown>>;

/** Words by which files say that a number is not there. */
const markers: ReadonlySet<string> = new Set(['?', '-', '.', 'na', 'n/a', 'nan', 'null', 'none', 'nil', 'missing']);

const LONGEST_MARKER = Math.max(...Array.from(markers, (word) => word.length));

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A cell that says nothing: null, undefined, NaN, or nothing but blanks. */
export function isBlank(cell: unknown): boolean {
  if (cell === null || cell === undefined) return true;
  if (typeof cell === 'number') return Number.isNaN(cell);
  return typeof cell === 'string' && cell.trim() === '';
}

/** A word such as "?" or "NA", which is a missing cell where all others are numbers. */
export function isMarker(cell: unknown): boolean {
  if (typeof cell !== 'string') return false;
  const word = cell.trim();
  return word.length <= LONGEST_MARKER && markers.has(word.toLowerCase());
}

/** The number that a cell is or spells; NaN for everything else. */
export function numberOf(cell: unknown): number {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : Number.NaN;
  if (typeof cell === 'bigint') return Number(cell);
  if (typeof cell !== 'string') return Number.NaN;
  const text = cell.trim();
  if (!NUMBER.test(text)) return Number.NaN;
  const value = Number(text);
  return Number.isFinite(value) ? value : Number.NaN;
}

/** A cell as the word of a level. */
export function wordOf(cell: unknown): string {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString();
  return typeof cell === 'object' && cell !== null ? JSON.stringify(cell) : String(cell).trim();
}

/** The cell of a row under a name that the row itself has. */
export function cellOf(row: DataRow, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}
