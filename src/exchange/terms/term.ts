import type { Cells } from '../cells.ts';
import { constant, type Fields, type RecordOf, record, type Shape, vectorPlace } from '../shape.ts';

/** Adds what a vector contributes to the score of each class. */
export type Add<T> = (term: T, cells: Cells, score: Float64Array) => void;

/** A term: how it is written as JSON, and what it adds. */
export interface TermOperation<T> {
  readonly shape: Shape<T>;
  readonly run: Add<T>;
}

/** A term whose type follows from its shape. */
export const operation = <T>(own: TermOperation<T>): TermOperation<T> => own;

/** The shape of a term with these entries; `vector` is its place among the vectors of the plan. */
export const term = <const Op extends string, E extends Fields>(
  op: Op,
  entries: E,
  description: string,
): Shape<{ readonly op: Op; readonly vector: number } & RecordOf<E>> =>
  record({ op: constant(op), vector: vectorPlace, ...entries }, description) as Shape<never>;
