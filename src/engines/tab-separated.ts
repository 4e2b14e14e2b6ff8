import type { LoadedRow } from './engine.ts';

/** The number of characters in one piece. */
const CHARACTERS = 2 ** 22;

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function cellText(cell: number | string | null): string {
  if (cell === null) return '\\N';
  if (typeof cell === 'string') return cell.replace(/[\\\t\n\r]/g, (own) => escapes[own]);
  return Math.abs(cell) === Infinity ? (cell > 0 ? 'inf' : '-inf') : String(cell);
}

/** Rows as lines of cells between tabs, in pieces: the format that PostgreSQL and ClickHouse load. */
export function* tabSeparated(rows: Iterable<LoadedRow>): Generator<string> {
  let lines = '';
  for (const row of rows) {
    lines += `${row.map(cellText).join('\t')}\n`;
    if (lines.length < CHARACTERS) continue;
    yield lines;
    lines = '';
  }
  if (lines !== '') yield lines;
}
