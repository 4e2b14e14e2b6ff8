import type { ColumnBatch, QueryOptions, SqlEngine } from '../engine.ts';
import { quoteIdentifier } from './dialect.ts';
import type { Totals } from './totals.ts';

/**
 * Rows inside an engine, as seen by statistics: a label, an optional weight, and cells; all are SQL over a relation.
 */
export interface Frame {
  readonly engine: SqlEngine;
  /** The FROM clause. */
  readonly relation: string;
  /** The label as a text; NULL if there is none. */
  readonly label: string;
  /** The weight as a number, if rows have one. */
  readonly weight?: string | undefined;
  /** The prefix of our own names; no column of the relation has it. */
  readonly prefix?: string | undefined;
  /** Whether one scan that counts everything is cheaper than several, because the source is text. */
  readonly oneScan?: boolean | undefined;
  /** The weight of every class in all queries of a fit, which must agree; undefined outside of a fit. */
  readonly totals?: Totals | undefined;
  readonly options?: QueryOptions | undefined;
}

/** The same rows for part k of n of the work: the progress of its queries is that share of the whole. */
export function partOf(frame: Frame, k: number, n: number): Frame {
  const { onShare, ...options } = frame.options ?? {};
  if (!onShare) return frame;
  return { ...frame, options: { ...options, onShare: (share) => onShare((k + share) / n) } };
}

/** The same for an opened table. */
export const stepOf = <O extends { readonly frame: Frame }>(opened: O, k: number, n: number): O => ({
  ...opened,
  frame: partOf(opened.frame, k, n),
});

/** The same rows for a query that is not worth reporting. */
export const unreported = (frame: Frame): Frame => ({ ...frame, options: { ...frame.options, onShare: undefined } });

/** Runs a query and reports its end, which some engines do not. */
export async function* ask({ engine, options }: Frame, sql: string, streamed = false): AsyncGenerator<ColumnBatch> {
  yield* engine.query(sql, streamed ? { ...options, streamed } : options);
  options?.onShare?.(1);
}

const PREFIX = 'polya';

/**
 * A prefix that none of these names has. A column of our own must not have the name of a table column: ClickHouse
 * resolves a name to the alias in the same SELECT, and would count the wrong cells.
 */
export function freePrefix(names: readonly string[]): string {
  const taken = names.map((name) => name.toLowerCase());
  for (let k = 0; ; k++) {
    const prefix = `${PREFIX}${k === 0 ? '' : k}_`;
    if (!taken.some((name) => name.startsWith(prefix))) return prefix;
  }
}

/** A column of our own, such as `y`, `w`, `x0` of `rowsOf`. */
export const column = ({ engine, prefix = `${PREFIX}_` }: Frame, name: string): string =>
  quoteIdentifier(engine.dialect, prefix + name);

/** The rows as a query in brackets: the columns y, w if rows have weights, and x0, x1 … for the cells. */
export function rowsOf(frame: Frame, cells: readonly string[], limit?: number): string {
  const { relation, label, weight } = frame;
  const q = (name: string) => column(frame, name);
  const columns = [
    `${label} AS ${q('y')}`,
    ...(weight === undefined ? [] : [`${weight} AS ${q('w')}`]),
    ...cells.map((cell, j) => `${cell} AS ${q(`x${j}`)}`),
  ];
  const few = limit === undefined ? '' : ` LIMIT ${limit}`;
  const rows = `(SELECT ${columns.join(', ')} FROM ${relation}${few}) AS r`;
  if (weight === undefined) return rows;
  // rows of weight zero are left out; one with a NULL weight is kept, because it is an error
  return `(SELECT * FROM ${rows} WHERE ${q('w')} IS NULL OR ${q('w')} <> 0) AS v`;
}
