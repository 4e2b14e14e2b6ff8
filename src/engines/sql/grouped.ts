import { refuse } from '../../errors.ts';
import { numberLiteral } from './dialect.ts';
import { ask, column, type Frame, rowsOf, unreported } from './frame.ts';
import { Totals } from './totals.ts';
import { wordsOf } from './words.ts';

/** Aggregates by class: the labels in order of arrival, and for each aggregate one number per label. */
export interface ByClass {
  readonly labels: readonly string[];
  readonly values: readonly Float64Array[];
}

/** A sum as a number: 0 if there is nothing to add. */
export function sumOf(frame: Frame, value: string): string {
  const { dialect } = frame.engine;
  return `COALESCE(${wordsOf(dialect).double(`sum(${value})`)}, ${numberLiteral(dialect, 0)})`;
}

/** The weight of the rows of a group: their number if rows have no weights. */
export function weightOf(frame: Frame): string {
  const { double } = wordsOf(frame.engine.dialect);
  return frame.weight === undefined ? double('count(*)') : sumOf(frame, column(frame, 'w'));
}

/** The weight of the rows of a group whose cell is present. */
export function presentOf(frame: Frame, cell: string): string {
  const { double } = wordsOf(frame.engine.dialect);
  if (frame.weight === undefined) return double(`count(${cell})`);
  return sumOf(frame, `CASE WHEN ${cell} IS NOT NULL THEN ${column(frame, 'w')} END`);
}

/** The weighted sum of a value over the rows of a group. */
export function weighedSum(frame: Frame, value: string): string {
  if (frame.weight === undefined) return sumOf(frame, value);
  return sumOf(frame, wordsOf(frame.engine.dialect).product(column(frame, 'w'), `(${value})`));
}

/** The number of rows of a group with an invalid weight: missing, negative, not finite. */
export function badWeights(frame: Frame): string[] {
  if (frame.weight === undefined) return [];
  const { dialect } = frame.engine;
  const w = column(frame, 'w');
  const limit = numberLiteral(dialect, Number.MAX_VALUE);
  const good = `${w} >= ${numberLiteral(dialect, 0)} AND ${w} <= ${limit} AND NOT ${wordsOf(dialect).isNaN(w)}`;
  return [sumOf(frame, `CASE WHEN ${good} THEN 0 ELSE 1 END`)];
}

/**
 * Runs aggregates by class over rows of these cells (x0, x1 …); throws for rows without a label or with an invalid
 * weight.
 */
export async function byClass(
  frame: Frame,
  cells: readonly string[],
  aggregates: readonly string[],
  limit?: number,
): Promise<ByClass> {
  const all = [weightOf(frame), ...badWeights(frame), ...aggregates];
  const y = column(frame, 'y');
  const named = all.map((aggregate, k) => `${aggregate} AS ${column(frame, `a${k}`)}`);
  const sql = `SELECT ${y} AS ${column(frame, 'label')}, ${named.join(', ')} FROM ${rowsOf(frame, cells, limit)} GROUP BY ${y}`;
  const labels: string[] = [];
  const values = all.map((): number[] => []);
  for await (const { rows, columns } of ask(frame, sql)) {
    for (let i = 0; i < rows; i++) {
      const label = columns[0][i];
      if (typeof label !== 'string') refuseLabel((columns[1] as Float64Array)[i]);
      labels.push(label);
      for (let k = 0; k < all.length; k++) values[k].push((columns[k + 1] as Float64Array)[i]);
    }
  }
  const bad = badWeights(frame).length > 0 ? values.splice(1, 1)[0] : [];
  for (const rows of bad) if (rows > 0) refuseWeights(rows);
  if (limit === undefined) frame.totals?.compare(new Map(labels.map((label, c) => [label, values[0][c]])));
  return { labels, values: values.map((list) => Float64Array.from(list)) };
}

/**
 * Counts from one state of the table: in a snapshot if the engine has them. Otherwise the weights of every class in all
 * queries are compared, and queried once more at the end if one of them has none.
 */
export async function countUnchanged<O extends { readonly frame: Frame }, T>(
  opened: O,
  count: (opened: O) => Promise<T>,
): Promise<T> {
  const frame = { ...opened.frame, totals: new Totals() };
  const { engine, totals } = frame;
  const own = { ...opened, frame };
  const result = await (engine.inSnapshot ? engine.inSnapshot(() => count(own)) : count(own));
  if (totals.unchecked && !engine.inSnapshot) await byClass(unreported(frame), [], []);
  frame.options?.onShare?.(1); // also if the last part needed no query
  return result;
}

/** Throws for rows without a label. */
export function refuseLabel(rows: number): never {
  return refuse('E_LABEL_MISSING', `${rows} rows have no label; leave them out of the table, or give them one`, {
    rows,
  });
}

/** Throws for invalid weights. */
export function refuseWeights(rows: number): never {
  return refuse('E_WEIGHT_INVALID', `${rows} rows have a weight that is absent, negative or not finite`, { rows });
}
