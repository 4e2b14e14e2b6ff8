import { pad, width } from './terminal.ts';

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of a share of `columns` columns, in eighths; nothing for zero, the thinnest bar for next to nothing. */
export function bar(share: number, columns: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * columns * 8);
  const full = Math.floor(eighths / 8);
  const rest = EIGHTHS[eighths % 8];
  return share > 0 && eighths === 0 ? '▏' : `${'█'.repeat(full)}${rest}`;
}

/** Rows of `name  number  bar`, both signs about one axis where there are negative values. */
export function barChart(
  rows: readonly { readonly name: string; readonly value: number; readonly shown: string }[],
  columns: number,
): string[] {
  if (rows.length === 0) return [];
  const most = Math.max(...rows.map(({ value }) => Math.abs(value)), Number.MIN_VALUE);
  const names = Math.max(...rows.map(({ name }) => width(name)));
  const numbers = Math.max(...rows.map(({ shown }) => width(shown)));
  const room = Math.max(4, columns - names - numbers - 6);
  return rows.map(({ name, value, shown }) => {
    const drawn = bar(Math.abs(value) / most, Math.min(room, 24));
    return `  ${pad(name, names)}  ${pad(shown, numbers, 'right')}  ${drawn}`.trimEnd();
  });
}
