import { requireItems, requireKind } from './arguments.ts';
import { checkDelimiter } from './csv-options.ts';

/**
 * A table as CSV text (RFC 4180), with LF or the given line end. Reading it with the same delimiter gives the same
 * cells: ambiguous cells are quoted, and a row of one empty cell is `""` because a blank line would be skipped.
 */
export function formatCsv(
  rows: Iterable<readonly string[]>,
  delimiter = ',',
  lineEnd: '\n' | '\r\n' | '\r' = '\n',
): string {
  requireKind(rows, 'rows of cells', 'iterable');
  checkDelimiter(delimiter);
  requireKind(lineEnd, 'a line end', 'string');
  let text = '';
  for (const row of rows) {
    const line = requireItems(row, 'a list of cells as every row')
      .map((cell) => quoted(String(cell), delimiter))
      .join(delimiter);
    text += (line === '' ? '""' : line) + lineEnd;
  }
  return text;
}

function quoted(cell: string, delimiter: string): string {
  const plain = !cell.includes(delimiter) && !/["\r\n\ufeff]/.test(cell);
  return plain ? cell : `"${cell.replaceAll('"', '""')}"`;
}

/** A cell that a spreadsheet would take for a formula gets a quote before it; numbers stay what they are. */
export function harmless(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) && !Number.isFinite(Number(cell)) ? `'${cell}` : cell;
}
