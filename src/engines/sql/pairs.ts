import { numberLiteral } from './dialect.ts';
import { column, type Frame, rowsOf } from './frame.ts';
import { weightOf } from './grouped.ts';

/** How often two levels of two columns occurred together in a class. */
export interface PairCount {
  readonly j: number;
  readonly k: number;
  readonly label: string;
  readonly first: string;
  readonly second: string;
  readonly weight: number;
}

/** The number of pairs of columns in one query. */
const PAIRS_AT_ONCE = 16;

/** Groups of every two columns j < k by class; rows in which either is missing are skipped. `cells` are texts. */
export async function countPairs(
  frame: Frame,
  cells: readonly string[],
  take: (pair: PairCount) => void,
): Promise<void> {
  const all = cells.flatMap((_, k) => Array.from({ length: k }, (_none, j) => [j, k] as const));
  for (let from = 0; from < all.length; from += PAIRS_AT_ONCE) {
    const some = all.slice(from, from + PAIRS_AT_ONCE);
    const sql = some.map(([j, k], place) => groups(frame, [cells[j], cells[k]], place)).join(' UNION ALL ');
    for await (const { rows, columns } of frame.engine.query(sql, frame.options)) {
      const [place, label, first, second, weight] = columns as [
        Float64Array,
        string[],
        string[],
        string[],
        Float64Array,
      ];
      for (let i = 0; i < rows; i++) {
        const [j, k] = some[place[i]];
        take({ j, k, label: label[i], first: first[i], second: second[i], weight: weight[i] });
      }
    }
  }
}

function groups(frame: Frame, cells: readonly string[], place: number): string {
  const q = (name: string) => column(frame, name);
  const [y, a, b] = ['y', 'x0', 'x1'].map(q);
  const values = [numberLiteral(frame.engine.dialect, place), y, a, b, weightOf(frame)];
  const named = values.map((value, at) => `${value} AS ${q(`a${at}`)}`).join(', ');
  return `SELECT ${named} FROM ${rowsOf(frame, cells)} WHERE ${a} IS NOT NULL AND ${b} IS NOT NULL GROUP BY ${y}, ${a}, ${b}`;
}
