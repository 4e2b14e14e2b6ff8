import type { DataRow } from '../auto/cells.ts';

/** A number as much of the world writes it: a comma before the fraction, points between thousands if anything. */
const NUMBER = /^\s*[+-]?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?(e[+-]?\d+)?\s*$/i;

const isWritten = (cell: unknown): cell is string => typeof cell === 'string' && /[,.]/.test(cell) && NUMBER.test(cell);

/** Whether a cell is a number with a comma before its fraction. */
export const hasDecimalComma = (cell: unknown): boolean => isWritten(cell) && cell.includes(',');

/** A row whose numbers with decimal commas are written with points; all other cells are as they were. */
export function withPoints(row: DataRow): DataRow {
  if (!Object.values(row).some(isWritten)) return row;
  const changed: Record<string, unknown> = Object.create(null);
  for (const [name, cell] of Object.entries(row))
    changed[name] = isWritten(cell) ? cell.replaceAll('.', '').replace(',', '.') : cell;
  return changed;
}
