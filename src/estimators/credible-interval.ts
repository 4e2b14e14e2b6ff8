import { type GivenOptions, integer, readOptions, real } from '../core/options.ts';
import { posterior } from '../core/posterior.ts';
import type { Rows } from '../data/batch.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { quantiles } from '../evaluate/numpy.ts';
import { Random } from '../math/random.ts';
import { insightOf } from '../models/insights.ts';
import { type Fitted, type Inside, namingClasses, type RowsOf, requireFitted, requirePart } from './inside.ts';

/** Intervals of p(c | x): equal-tailed intervals and means, one row per row and one column per class. */
export interface CredibleIntervals {
  readonly level: number;
  readonly low: Matrix;
  readonly high: Matrix;
  /** p(c | x) averaged over the posterior of the parameters. */
  readonly mean: Matrix;
}

const spec = {
  /** The probability of an interval. Default: 0.95. */
  level: real({ default: 0.95, min: 0, max: 1 }),
  /** The number of draws. Default: 1000. */
  draws: integer({ default: 1000, min: 1 }),
  /** The random seed of the draws. Default: 0. */
  seed: integer({ default: 0 }),
} as const;

/** Options of `credibleInterval`. */
export type CredibleIntervalOptions = GivenOptions<typeof spec>;

/**
 * Intervals of p(c | x) under the posterior distribution of the parameters, by drawing them. Every row uses the same seed, so its interval
 * does not depend on the other rows.
 */
export function credibleInterval<F extends Fitted>(
  fitted: F,
  X: RowsOf<F>,
  options: CredibleIntervalOptions = {},
): CredibleIntervals {
  const { level, draws, seed } = readOptions('credibleInterval', spec, options);
  if (level === 0 || level === 1) {
    refuse('E_PARAM', `the level of an interval must be between 0 and 1, got ${level}`, { name: 'level' });
  }
  const inside = requireFitted(fitted).inside();
  const { length } = inside.classes;
  const prior = inside.model.logPrior(inside.params);
  const rows = inside.rows(X);
  const drawRow = drawsOf(inside, rows);
  const [low, high, mean] = [0, 1, 2].map(() => new Matrix(rows.rows, length));
  const shares = Float64Array.of((1 - level) / 2, (1 + level) / 2);
  const scores = new Float64Array(length);
  const drawn = Array.from({ length }, () => new Float64Array(draws));
  for (let i = 0; i < rows.rows; i++) {
    const random = new Random(seed);
    const draw = drawRow(i);
    for (let d = 0; d < draws; d++) {
      draw(random, scores);
      const { logProba } = posterior(scores, prior);
      for (let c = 0; c < length; c++) drawn[c][d] = Math.exp(logProba[c]);
    }
    drawn.forEach((values, c) => {
      values.sort();
      [low.row(i)[c], high.row(i)[c]] = quantiles(values, shares);
      mean.row(i)[c] = values.reduce((sum, value) => sum + value, 0) / draws;
    });
  }
  return { level, low, high, mean };
}

/** The draws of every row. */
function drawsOf({ kind, model, classes, counted }: Inside, rows: Rows) {
  const reason = 'the posterior distribution of its parameters is not known';
  const drawScores = requirePart(kind, insightOf(model).drawScores, 'credibleInterval', reason);
  const { stats, options } = counted();
  return namingClasses(classes, () => drawScores(stats, options, rows));
}
