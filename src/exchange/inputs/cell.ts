import type { DataRow } from '../../data/cells.ts';
import { nestedCell } from '../../data/flatten.ts';
import { refuse, show } from '../../errors.ts';
import type { Plan } from '../plan.ts';
import { choices, described, either, number, place, record, type Shape, text, type ValueOf } from '../shape.ts';

/** How an absent or unknown cell is read: an error, a missing number (NaN), or this number. */
export type Fallback = 'refuse' | 'missing' | number;

/** A column by its name and its place. */
export interface Column {
  /** The name of the column: its own, or x0, x1 … by its place. */
  readonly name: string;
  /** The place of the column in rows that are lists. */
  readonly column: number;
}

export const columnEntries: { readonly name: Shape<string>; readonly column: Shape<number> } = {
  name: text,
  column: place,
};

const rules = choices('refuse', 'missing');
export const fallbackShape: Shape<Fallback> = described(
  either(rules, number, (value) => value === 'refuse' || value === 'missing'),
  'What becomes of the cell: a refusal, a missing number (NaN), or this number.',
);

export const dateShape = record(
  { order: choices('day-first', 'month-first'), part: choices('days', 'weekday', 'month', 'hour') },
  'A part of a date as written: days since 1970, Sun … Sat, 1 … 12, or 0 … 23. `order` is that of day and month.',
);

/** A part of a date. */
export type PlanDate = ValueOf<typeof dateShape>;

/** An input: how it is written as JSON, and which numbers a row has for it. */
export interface InputOperation<T> {
  readonly shape: Shape<T>;
  readonly run: (input: T, row: unknown, plan: Plan) => number[];
}

export const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

export const isAbsent = (cell: unknown): boolean => cell === null || cell === undefined || Number.isNaN(cell);

/** The cell of a column in a row: by index in a list, by own property in an object. */
export function cellAt({ name, column }: Column, row: unknown, plan: Plan): unknown {
  if (plan.row === 'value') return row;
  if (isList(row)) return row[column];
  if (plan.row === 'list' || typeof row !== 'object' || row === null) {
    return refuse('E_SHAPE', `a row is a ${plan.row} of cells, got ${show(row)}`);
  }
  return nestedCell(row as DataRow, name);
}

/** The replacement of an absent or unknown cell. */
export function fallback(rule: Fallback, { name }: Column, what: string): number {
  if (rule === 'refuse') return refuse('E_VALUE_RANGE', `column ${show(name)}: ${what}`, { feature: name });
  return rule === 'missing' ? Number.NaN : rule;
}
