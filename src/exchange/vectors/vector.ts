import type { Cells } from '../cells.ts';
import type { Plan } from '../plan.ts';
import { constant, type Fields, place, type RecordOf, record, type Shape } from '../shape.ts';

/** What all vectors have. */
export interface VectorOf<Op extends string> {
  readonly op: Op;
  /** How many numbers the vector has. */
  readonly width: number;
}

/** What a vector is made of for one row: the row itself, and the vectors before it. */
export interface VectorContext {
  readonly plan: Plan;
  readonly row: unknown;
  readonly done: readonly Cells[];
}

/** A vector: how it is written as JSON, and how its numbers are computed. */
export interface VectorOperation<T> {
  readonly shape: Shape<T>;
  readonly run: (vector: T, context: VectorContext) => Cells;
}

/** The shape of a vector with these entries. */
export function vector<const Op extends string, E extends Fields>(
  op: Op,
  entries: E,
  description: string,
): Shape<VectorOf<Op> & RecordOf<E>> {
  return record({ op: constant(op), ...entries, width: place }, description) as Shape<never>;
}
