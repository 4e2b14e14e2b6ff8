import type { Cells } from '../cells.ts';
import { constant, type Entries, place, record, type Shape } from '../shape.ts';

/** What all terms have. */
export interface TermOf<Op extends string> {
  readonly op: Op;
  /** The place of the vector among the vectors of the plan. */
  readonly vector: number;
}

/** Adds what a term says of a vector to the scores of the classes. */
export type Add<T> = (term: T, cells: Cells, score: Float64Array) => void;

/** The shape of a term with these entries. */
export function term<T extends TermOf<string>, Derived extends keyof T = never>(
  op: T['op'],
  entries: Entries<T, Derived | 'op' | 'vector'>,
  description: string,
  derive?: (made: Omit<T, Derived>, json: Readonly<Record<string, unknown>>) => Pick<T, Derived>,
): Shape<T> {
  const all = { op: constant(op), vector: place, ...entries } as Entries<T, Derived>;
  return record<T, Derived>(all, description, derive);
}

/** A term: how it is written as JSON, and what it adds. */
export interface TermOperation<T> {
  readonly shape: Shape<T>;
  readonly run: Add<T>;
}
