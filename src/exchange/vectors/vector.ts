import type { Cells } from '../cells.ts';
import type { Plan } from '../plan.ts';
import { constant, type Entries, place, record, type Shape } from '../shape.ts';

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
export function vector<T extends VectorOf<string>>(
  op: T['op'],
  entries: Entries<T, 'op' | 'width'>,
  description: string,
): Shape<T> {
  return record<T>({ op: constant(op), ...entries, width: place } as Entries<T>, description);
}
