import type { QueryOptions, SqlEngine } from '../engine.ts';
import { quoteIdentifier } from './dialect.ts';

/** Rows inside an engine, as statistics see them: a label, perhaps a weight, and cells; all of them are SQL over a relation. */
export interface Frame {
  readonly engine: SqlEngine;
  /** What stands behind FROM. */
  readonly relation: string;
  /** The label as a text; NULL where there is none. */
  readonly label: string;
  /** The weight as a number, where rows have one. */
  readonly weight?: string | undefined;
  /** One scan that counts everything is cheaper than several: the source is text. */
  readonly oneScan?: boolean | undefined;
  readonly options?: QueryOptions | undefined;
}

/**
 * A column of our own, such as `y`, `w`, `x0` of `rowsOf`. No column of the table may have its name: ClickHouse takes a name for what
 * was called so in the same SELECT.
 */
export const column = (frame: Frame, name: string): string => quoteIdentifier(frame.engine.dialect, `polya_${name}`);

/** The rows as a query in brackets: the columns y, w where rows have weights, and x0, x1 … for the cells. */
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
  // a row that weighs nothing is as if it were not there; one whose weight is none stays, to be refused
  return `(SELECT * FROM ${rows} WHERE ${q('w')} IS NULL OR ${q('w')} <> 0) AS v`;
}
