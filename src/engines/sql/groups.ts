import { numberLiteral } from './dialect.ts';
import { ask, column, type Frame, partOf, rowsOf } from './frame.ts';
import { refuseLabel, weightOf } from './grouped.ts';

/** How often a level of a column occurred in a class; a null level is a missing cell. */
export interface LevelCount {
  readonly label: string;
  readonly level: string | null;
  readonly weight: number;
}

/** Receives a group: the number of its set, its class, the level of each cell, and its weight. */
export type TakeGroup = (set: number, label: string, levels: readonly (string | null)[], weight: number) => void;

/** The number of sets in one query; engines limit the length of a query. */
const SETS_AT_ONCE = 16;

/**
 * Groups the rows by class and by each set of cells, which are texts over the relation; all sets have the same number of cells. Of each set
 * the last `present` cells must not be missing. Several sets are one query, a union of groups: columnar sources read only the columns of
 * each.
 */
export async function countGroups(
  frame: Frame,
  sets: readonly (readonly string[])[],
  present: number,
  take: TakeGroup,
): Promise<void> {
  if (present > 0) frame.totals?.skip(); // rows without some cell are not among the groups
  for (let from = 0; from < sets.length; from += SETS_AT_ONCE) {
    const queries = sets
      .slice(from, from + SETS_AT_ONCE)
      .map((cells, place) => groupQuery(frame, cells, present, place));
    const own = partOf(frame, from / SETS_AT_ONCE, Math.ceil(sets.length / SETS_AT_ONCE));
    for await (const { rows, columns } of ask(own, queries.join(' UNION ALL '))) {
      const [place, label, weight, ...levels] = columns as [
        Float64Array,
        string[],
        Float64Array,
        ...(string | null)[][],
      ];
      for (let i = 0; i < rows; i++) {
        if (typeof label[i] !== 'string') refuseLabel(weight[i]);
        take(from + place[i], label[i], levels.map((level) => level[i]), weight[i]); // biome-ignore format: short
      }
    }
  }
}

function groupQuery(frame: Frame, cells: readonly string[], present: number, place: number): string {
  const groups = [column(frame, 'y'), ...cells.map((_, k) => column(frame, `x${k}`))];
  const [label, ...levels] = groups;
  const values = [numberLiteral(frame.engine.dialect, place), label, weightOf(frame), ...levels];
  const named = values.map((value, at) => `${value} AS ${column(frame, `a${at}`)}`).join(', ');
  const known = levels.slice(levels.length - present).map((level) => `${level} IS NOT NULL`);
  const where = known.length > 0 ? ` WHERE ${known.join(' AND ')}` : '';
  return `SELECT ${named} FROM ${rowsOf(frame, cells)}${where} GROUP BY ${groups.join(', ')}`;
}

/** The histogram of every column by class: one list per cell. */
export async function countLevels(frame: Frame, cells: readonly string[]): Promise<LevelCount[][]> {
  const counts: LevelCount[][] = cells.map(() => []);
  const sets = cells.map((cell) => [cell]);
  await countGroups(frame, sets, 0, (k, label, [level], weight) => void counts[k].push({ label, level, weight }));
  return counts;
}

/** Throws if rows changed between two queries: every column must have as many rows as the classes. */
export function compareTotals({ totals }: Frame, counts: readonly LevelCount[]): void {
  const sums = new Map<string, number>();
  for (const { label, weight } of counts) sums.set(label, (sums.get(label) ?? 0) + weight);
  totals?.compare(sums);
}
