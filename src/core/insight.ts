import type { Batch, Rows, Shape } from '../data/batch.ts';
import type { Random } from '../math/random.ts';
import type { Linear } from './linear.ts';
import type { Model } from './model.ts';
import type { Telling } from './telling.ts';

/** What the cells of a column are: how often something is there, one of a few levels, or measurements. */
export type CellKind = 'counts' | 'levels' | 'reals';

/** Columns of one kind. */
export interface CellBlock {
  readonly kind: CellKind;
  /** What a cell becomes when it is taken out of a row: a word is absent, a measurement is missing. */
  readonly gone: 'absent' | 'missing';
  /** The part of the rows that holds the columns, where rows have parts, and their places among all features. */
  readonly part?: string;
  readonly places?: Int32Array;
}

/** Rows of words and their counts, rows of levels, rows of measurements. */
export const wordCells: readonly CellBlock[] = [{ kind: 'counts', gone: 'absent' }];
export const levelCells: readonly CellBlock[] = [{ kind: 'levels', gone: 'missing' }];
export const realCells: readonly CellBlock[] = [{ kind: 'reals', gone: 'missing' }];

/** Draws the score of one row, all classes, under parameters drawn from their posterior distribution. */
export type DrawScore = (random: Random, out: Float64Array) => void;

/**
 * out[i,c] = the score of row i under the model that was counted without row i, exactly and without counting again.
 * `stats` are the counts of all rows of the batch.
 */
export type LeaveOneOut<S extends Shape, P extends Shape, O> = (
  stats: S,
  options: O,
  batch: Batch,
  out: Float64Array,
  model: Model<S, P, O>,
) => void;

/**
 * What is known of a model beyond scores. It stands beside the model, not in it, so that a program which only learns and
 * predicts does not carry it. All of it is optional: what needs a part that is absent refuses with E_CONFLICT.
 */
export interface Insight<S extends Shape, P extends Shape, O> {
  /** The columns by kind; only for models that can score a row without some of its cells. */
  cells?(params: P): readonly CellBlock[];
  /**
   * How much each feature speaks for each class: the Kullback–Leibler divergence of its distribution in the class from the mixture of
   * the other classes by prior, signed where a feature may be typical by its absence.
   */
  telling?(params: P, stats: S, options: O): Telling;
  /** The level by which feature j speaks most for class c; NaN for a feature without levels. */
  tellingLevel?(params: P, c: number, j: number): number;
  /** The mean of feature j in class c; NaN for a feature that is no measurement. */
  typicalValue?(params: P, c: number, j: number): number;
  /** Values of feature j that are worth a mark on its axis. */
  points?(params: P, j: number): Float64Array;
  /** out[c] = ln p(xⱼ = value | c), or a score that stands for it: what the cell adds, whatever the others are. */
  contribution?(params: P, j: number, value: number, out: Float64Array): void;
  /** The scores of row i under drawn parameters, whose means are the parameters in use. */
  drawScores?(stats: S, options: O, rows: Rows): (i: number) => DrawScore;
  /** ln p(θ) of the conjugate prior under which `estimate` gives the mode, up to a constant: what EM climbs on. */
  logParameterPrior?(params: P, options: O): number;
  readonly leaveOneOut?: LeaveOneOut<S, P, O>;
}

const TICKS = 13;

/** Equally spaced values on the axis of a measurement, from low to high. */
export function ticks(low: number, high: number): Float64Array {
  return Float64Array.from({ length: TICKS }, (_, k) => low + ((high - low) * k) / (TICKS - 1));
}

/** What every score that is linear in the cells tells of itself: a word adds as often as it is there. */
export const linearInsight: Required<Pick<Insight<never, Linear, never>, 'cells' | 'points' | 'contribution'>> = {
  cells: () => wordCells,
  points: () => Float64Array.of(0, 1),
  contribution({ classes, weights }, j, value, out) {
    for (let c = 0; c < classes; c++) out[c] = value > 0 || value < 0 ? value * weights[j * classes + c] : 0;
  },
};
