import { detectDates } from '../data/cell-date.ts';
import { detectNumbers } from '../data/cell-number.ts';
import { isBlank, isMarker } from '../data/cells.ts';
import { csvReader } from '../data/csv.ts';
import { LF } from '../data/line-ends.ts';
import { rowsOf } from '../data/table.ts';
import { PolyaError } from '../errors.ts';

const MOST_ROWS = 200;
/** The share of numbers among the cells below that makes a numeric column. */
const NUMERIC = 0.9;

/**
 * Whether the first row of a table has the column names. It has, unless its cells look like those below: a number above
 * numbers, or a word that recurs in its column. A word above numbers is a name, whatever the other cells are.
 */
export function sniffHeader(head: Uint8Array, whole: boolean, delimiter: string | undefined): boolean {
  const [first, ...later] = sampleRows(whole ? head : head.subarray(0, head.lastIndexOf(LF) + 1), delimiter);
  if (first === undefined || later.length < 2) return true;
  let looksLikeData = false;
  for (const [j, cell] of first.entries()) {
    const below = later.map((row) => row[j]!).filter((other) => !isBlank(other) && !isMarker(other));
    if (isBlank(cell) || below.length === 0) continue;
    const numeric = below.filter(isNumber).length >= NUMERIC * below.length;
    if (numeric && !isNumber(cell) && !isMarker(cell)) return true;
    if (numeric || below.includes(cell)) looksLikeData = true;
  }
  return !looksLikeData;
}

/** Whether a cell is a number or a date, in any notation. */
const isNumber = (cell: string) => detectNumbers([cell]) !== undefined || detectDates([cell]) !== undefined;

/** The first rows that are as long as the very first; none if it is invalid, so that reading it gives the error. */
function sampleRows(sample: Uint8Array, delimiter: string | undefined): string[][] {
  const options = { header: false, maxBadRows: Number.POSITIVE_INFINITY, ...(delimiter && { delimiter }) };
  const reader = csvReader({ ...options, chunkRows: MOST_ROWS });
  try {
    const table = reader.push(sample).next().value ?? reader.end().next().value;
    return table?.lines[0] === 1 ? rowsOf(table) : [];
  } catch (error) {
    if (error instanceof PolyaError) return [];
    throw error;
  }
}
