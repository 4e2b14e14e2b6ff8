import { logSoftmaxInto } from '../../math/logs.ts';
import { type Cells, dense, sparse } from '../cells.ts';
import { flag, list, number, orNull, place, type RecordOf, record, type Shape, type ValueOf } from '../shape.ts';
import type { PlanScore } from './index.ts';

/** What a score is computed with: the scores inside it, and the vectors of the row. */
export interface ScoreContext {
  readonly vectors: readonly Cells[];
  /** The scores of the row inside this one. */
  run(score: PlanScore): Float64Array;
}

/** A score: how it is written as JSON, given the shape of the scores inside it, and how it is computed. */
export interface ScoreOperation<T> {
  readonly shape: (inner: Shape<PlanScore>) => Shape<T>;
  readonly run: (score: T, context: ScoreContext) => Float64Array;
}

/** The score that a shape describes, given that of the scores inside it. */
export type ScoreOf<S extends (inner: never) => Shape<object>> = ValueOf<ReturnType<S>>;

const group = record(
  { vectors: list(place), text: flag },
  'Cells: the numbers of vectors, each of which may be missing; or one text, which is missing where all its numbers are 0.',
);

/** The cells of a row: numbers of vectors that may be missing, or one text, which counts as missing if it has no known term. */
export type CellGroup = ValueOf<typeof group>;

/** The entries of a share. */
export const shareEntries = { cells: list(group), ordinary: number };

/**
 * The share r of its cells that a row has: how many are present, divided by `ordinary`, at most 1, and 0 where none is. Layers on top of
 * models are mixed by it: where r < 1, r times the result plus 1 − r times the input.
 */
export type Share = RecordOf<typeof shareEntries>;

export const shareShape: Shape<Share | null> = orNull(record(shareEntries));

/** How many cells of a row are present. */
export function presentIn(all: readonly CellGroup[], vectors: readonly Cells[]): number {
  let count = 0;
  for (const { vectors: own, text } of all) {
    if (text) count += Number(own.some((k) => sparse(vectors[k]).indices.length > 0));
    else for (const k of own) for (const value of dense(vectors[k])) if (!Number.isNaN(value)) count++;
  }
  return count;
}

/** The share of its cells that a row has; 1 where there is no share. */
export function shareOf(share: Share | null, vectors: readonly Cells[]): number {
  if (!share) return 1;
  const count = presentIn(share.cells, vectors);
  return count === 0 ? 0 : Math.min(1, count / share.ordinary);
}

/** Interpolates between the fitted score and its input by a share. */
export const between = (share: number, fitted: number, before: number): number =>
  share >= 1 ? fitted : share * fitted + (1 - share) * before;

/** S − ln Σ exp S. */
export function softmax(score: Float64Array): Float64Array {
  const out = new Float64Array(score.length);
  logSoftmaxInto(score, 0, score.length, out);
  return out;
}
