import { pad, width } from './terminal.ts';

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const LEVELS = '▁▂▃▄▅▆▇█';

/** A bar of a share of `columns` columns, in eighths; nothing for zero, the thinnest bar for next to nothing. */
export function bar(share: number, columns: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * columns * 8);
  const full = Math.floor(eighths / 8);
  const rest = EIGHTHS[eighths % 8];
  return share > 0 && eighths === 0 ? '▏' : `${'█'.repeat(full)}${rest}`;
}

/** Values as a line of blocks, the highest one full. */
export function sparkline(values: ArrayLike<number>): string {
  const most = Array.from(values).reduce((a, b) => Math.max(a, b), 0);
  return Array.from(values, (value) => {
    const level = most > 0 ? Math.ceil((value / most) * LEVELS.length) - 1 : 0;
    return LEVELS[Math.max(0, Math.min(LEVELS.length - 1, level))];
  }).join('');
}

/** How many of the values fall into each of `bins` cells of equal width; values that are no numbers fall out. */
export function histogram(values: ArrayLike<number>, bins: number): number[] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) continue;
    least = Math.min(least, values[i]);
    most = Math.max(most, values[i]);
  }
  const counts = new Array<number>(bins).fill(0);
  if (!(most > least)) return counts;
  for (let i = 0; i < values.length; i++) {
    if (Number.isFinite(values[i]))
      counts[Math.min(bins - 1, Math.floor(((values[i] - least) / (most - least)) * bins))]++;
  }
  return counts;
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
