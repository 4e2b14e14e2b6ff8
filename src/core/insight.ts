import type { Batch, Rows, Shape } from '../data/batch.ts';
import type { Random } from '../math/random.ts';
import type { Linear } from './linear.ts';
import type { Model } from './model.ts';
import type { Telling } from './telling.ts';

/** The kind of a column's cells: counts, levels of a category, or measurements. */
export type CellKind = 'counts' | 'levels' | 'reals';

/** Columns of one kind. */
export interface CellBlock {
  readonly kind: CellKind;
  /** The value of a cell that is removed from a row: a word is absent, a measurement is missing. */
  readonly gone: 'absent' | 'missing';
  /** The part of the row that holds the columns, if rows have parts, and the columns' positions among all features. */
  readonly part?: string;
  readonly places?: Int32Array;
}

/** Rows of term counts, of levels, or of measurements. */
export const wordCells: readonly CellBlock[] = [{ kind: 'counts', gone: 'absent' }];
export const levelCells: readonly CellBlock[] = [{ kind: 'levels', gone: 'missing' }];
export const realCells: readonly CellBlock[] = [{ kind: 'reals', gone: 'missing' }];

/** Draws the scores of one row for all classes, under parameters drawn from their posterior distribution. */
export type DrawScore = (random: Random, out: Float64Array) => void;

/**
 * out[i,c] = the exact score of row i under the model without row i, computed without recounting. `stats` are the
 * counts of all rows of the batch.
 */
export type LeaveOneOut<S extends Shape, P extends Shape, O> = (
  stats: S,
  options: O,
  batch: Batch,
  out: Float64Array,
  model: Model<S, P, O>,
) => void;

/**
 * What a model offers beyond scores. It is separate from the model, so that a program that only learns and predicts
 * doesn't bundle it. Every part is optional: a function that needs a missing part throws E_CONFLICT.
 */
export interface Insight<S extends Shape, P extends Shape, O> {
  /** The columns by kind; only for models that can score a row with cells removed. */
  cells?(params: P): readonly CellBlock[];
  /**
   * How strongly each feature indicates each class: the Kullback–Leibler divergence of its distribution in the class
   * from the prior-weighted mixture of the other classes, signed where the absence of a feature may be typical.
   */
  telling?(params: P, stats: S, options: O): Telling;
  /** The level of feature j that indicates class c most; NaN for a feature without levels. */
  tellingLevel?(params: P, c: number, j: number): number;
  /** The mean of feature j in class c; NaN if the feature is not a measurement. */
  typicalValue?(params: P, c: number, j: number): number;
  /** Values of feature j worth a tick on its axis. */
  points?(params: P, j: number): Float64Array;
  /** out[c] = ln p(xⱼ = value | c), or an equivalent score: the contribution of the cell, independent of the others. */
  contribution?(params: P, j: number, value: number, out: Float64Array): void;
  /** The scores of row i under drawn parameters, whose means are the current parameters. */
  drawScores?(stats: S, options: O, rows: Rows): (i: number) => DrawScore;
  /**
   * ln p(θ) of the conjugate prior under which `estimate` gives the mode, up to a constant: part of the objective of
   * EM.
   */
  logParameterPrior?(params: P, options: O): number;
  readonly leaveOneOut?: LeaveOneOut<S, P, O>;
}

const TICKS = 13;

/** Equally spaced values on the axis of a measurement, from low to high. */
export function ticks(low: number, high: number): Float64Array {
  return Float64Array.from({ length: TICKS }, (_, k) => low + ((high - low) * k) / (TICKS - 1));
}

/** The insight of every score that is linear in the cells: a word contributes once per occurrence. */
export const linearInsight: Required<Pick<Insight<never, Linear, never>, 'cells' | 'points' | 'contribution'>> = {
  cells: () => wordCells,
  points: () => Float64Array.of(0, 1),
  contribution({ classes, weights }, j, value, out) {
    for (let c = 0; c < classes; c++) out[c] = value > 0 || value < 0 ? value * weights[j * classes + c] : 0;
  },
};
