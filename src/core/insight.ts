import type { Rows, Shape } from '../data/batch.ts';
import type { Random } from '../math/random.ts';

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
 * What a model can tell of itself beyond scores. All of it is optional: an estimator whose model lacks a part refuses what
 * needs it with E_CONFLICT.
 */
export interface Insight<S extends Shape, P extends Shape, O> {
  /** The columns by kind; only for models that can score a row without some of its cells. */
  cells?(params: P): readonly CellBlock[];
  /**
   * Class-major: how much feature j speaks for class c, in nats, the Kullback–Leibler divergence of its distribution in c
   * from the mixture of the other classes by prior, signed where a feature may be typical by its absence.
   */
  telling?(params: P, stats: S, options: O): Float64Array;
  /** The level by which feature j speaks most for class c; NaN for a feature without levels. */
  tellingLevel?(params: P, c: number, j: number): number;
  /** Values of feature j that are worth a mark on its axis. */
  points?(params: P, j: number): Float64Array;
  /** out[c] = ln p(xⱼ = value | c), or a score that stands for it: what the cell adds, whatever the others are. */
  contribution?(params: P, j: number, value: number, out: Float64Array): void;
  /** The scores of row i under drawn parameters, whose means are the parameters in use. */
  drawScores?(stats: S, options: O, rows: Rows): (i: number) => DrawScore;
}
