import { show } from '../../errors.ts';
import { numberLiteral } from './dialect.ts';
import { column, type Frame, rowsOf } from './frame.ts';
import { refuseChange, refuseLabel, weightOf } from './grouped.ts';

/** How often a level of a column occurred in a class; a null level is a missing cell. */
export interface LevelCount {
  readonly label: string;
  readonly level: string | null;
  readonly weight: number;
}

/** The number of columns counted by one query; engines limit the length of a query. */
const COLUMNS_AT_ONCE = 16;

/**
 * The histogram of every column by class. `cells` are texts over the relation; the result has one list per cell.
 * Several columns are one query, a union of groups: columnar sources read only the columns of each group.
 */
export async function countLevels(frame: Frame, cells: readonly string[]): Promise<LevelCount[][]> {
  const counts: LevelCount[][] = cells.map(() => []);
  for (let from = 0; from < cells.length; from += COLUMNS_AT_ONCE) {
    const some = cells.slice(from, from + COLUMNS_AT_ONCE);
    for await (const { rows, columns } of frame.engine.query(unionOfGroups(frame, some), frame.options)) {
      const [place, label, level, weight] = columns as [Float64Array, string[], (string | null)[], Float64Array];
      for (let i = 0; i < rows; i++) {
        if (typeof label[i] !== 'string') refuseLabel(weight[i]);
        counts[from + place[i]].push({ label: label[i], level: level[i], weight: weight[i] });
      }
    }
  }
  return counts;
}

function unionOfGroups(frame: Frame, cells: readonly string[]): string {
  const { dialect } = frame.engine;
  const [y, x] = ['y', 'x0'].map((name) => column(frame, name));
  return cells
    .map((cell, k) => {
      const names = ['place', 'label', 'level', 'weight'].map((name) => column(frame, name));
      const values = [numberLiteral(dialect, k), y, x, weightOf(frame)];
      const listed = values.map((value, at) => `${value} AS ${names[at]}`).join(', ');
      return `SELECT ${listed} FROM ${rowsOf(frame, [cell])} GROUP BY ${y}, ${x}`;
    })
    .join(' UNION ALL ');
}

/** Throws if rows changed between two queries: every column must have as many rows as the classes. */
export function requireTotals(counts: readonly LevelCount[], total: ReadonlyMap<string, number>, name: string): void {
  const sums = new Map<string, number>();
  for (const { label, weight } of counts) sums.set(label, (sums.get(label) ?? 0) + weight);
  for (const label of new Set([...sums.keys(), ...total.keys()])) {
    const [seen, expected] = [sums.get(label) ?? 0, total.get(label) ?? 0];
    if (Math.abs(seen - expected) <= 1e-9 * Math.max(seen, expected)) continue;
    const what = `column ${show(name)} has ${seen} rows of a class with ${expected}`;
    refuseChange(what, { column: name, expected, actual: seen });
  }
}
