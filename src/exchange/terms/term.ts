import type { Cells } from '../cells.ts';
import { constant, type Fields, place, type RecordOf, record, type Shape } from '../shape.ts';

/** The common entries of all terms. */
export interface TermOf<Op extends string> {
  readonly op: Op;
  /** The place of the vector among the vectors of the plan. */
  readonly vector: number;
}

/** Adds the term of a vector to the scores of the classes. */
export type Add<T> = (term: T, cells: Cells, score: Float64Array) => void;

/** The shape of a term with these entries, and with what `derive` adds to those of the JSON. */
export function term<const Op extends string, E extends Fields, D extends object = object>(
  op: Op,
  entries: E,
  description: string,
  derive?: (made: RecordOf<E>, json: Readonly<Record<string, unknown>>) => D,
): Shape<TermOf<Op> & RecordOf<E> & D> {
  const all = { op: constant(op), vector: place, ...entries };
  return record(all, description, derive as never) as Shape<never>;
}

/** A term: how it is written as JSON, and what it adds. */
export interface TermOperation<T> {
  readonly shape: Shape<T>;
  readonly run: Add<T>;
}
