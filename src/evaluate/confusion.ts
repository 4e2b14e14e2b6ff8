import { count } from '../core/model.ts';
import { choice, type GivenOptions, type OptionSpec, optional, readOptions, weightOption } from '../core/options.ts';
import { requireLike } from '../data/arguments.ts';
import { label } from '../data/batch.ts';
import { type Label, moves } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse, show } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import { histogram } from '../stats/histogram.ts';
import { labelsOption, type Pair, readClassList, readPair, requireClassType } from './targets.ts';

/**
 * A confusion table: m[t,p] = Σᵢ wᵢ [yᵢ = t, ŷᵢ = p], with the labels that name its rows and columns.
 * It is the histogram of the predicted class by true class, and like every statistic it merges by addition.
 */
export interface Confusion {
  readonly labels: readonly Label[];
  readonly matrix: Matrix;
}

const countSpec = { ...labelsOption, ...weightOption } satisfies OptionSpec;

/** Options of `countConfusion`. */
export type CountConfusionOptions = GivenOptions<typeof countSpec>;

const matrixSpec = {
  ...countSpec,
  /** Shares instead of counts: of each true class ('true'), of each predicted class ('pred'), or of all rows ('all'). Default: null, counts. */
  normalize: optional(choice(['true', 'pred', 'all'], { default: 'true' })),
} satisfies OptionSpec;

/** Options of `confusionMatrix`. */
export type ConfusionMatrixOptions = GivenOptions<typeof matrixSpec>;

/** The table of a checked pair over all its classes. */
export function tableOf({ classes, truth, guess, weights }: Pair): Confusion {
  const size = classes.length;
  const rows = { rows: truth.length, features: 1, x: Float64Array.from(guess) };
  const shape = { classes: size, features: 1, levels: Int32Array.of(size) };
  const { h } = count(histogram, label(rows, shape, truth, weights));
  return { labels: classes, matrix: new Matrix(size, size, h) };
}

/** The cells of a table under other labels: new ones are empty, those left out are dropped. */
function relabel(table: Confusion, wanted: readonly Label[]): Confusion {
  const size = table.labels.length;
  const matrix = new Matrix(wanted.length, wanted.length);
  const place = moves(table.labels, wanted);
  for (let cell = 0; cell < size * size; cell++) {
    const [t, p] = [place[Math.floor(cell / size)], place[cell % size]];
    if (t >= 0 && p >= 0) matrix.data[t * wanted.length + p] = table.matrix.data[cell];
  }
  return { labels: wanted, matrix };
}

/** Counts true against predicted labels; with `labels`, rows of other classes are left out. */
export function countConfusion(
  yTrue: ArrayLike<Label>,
  yPred: ArrayLike<Label>,
  options: CountConfusionOptions = {},
): Confusion {
  const { labels: given, sampleWeight: weights } = readOptions('countConfusion', countSpec, options);
  const pair = readPair(yTrue, yPred, weights);
  const table = tableOf(pair);
  if (given === null) return table;
  const wanted = readClassList(given);
  requireClassType(wanted[0], table.labels, 'labels');
  const seen = new Set(Array.from(pair.truth, (code) => pair.classes[code]));
  if (!wanted.some((value) => seen.has(value))) {
    refuse('E_PARAM', `none of the labels, such as ${show(wanted[0])}, occurs in yTrue`, { name: 'labels' });
  }
  return relabel(table, wanted);
}

/** Row sums: the weight of each true class. */
export function trueTotals({ matrix }: Confusion): Float64Array {
  return Float64Array.from({ length: matrix.rows }, (_, t) => sum(matrix.row(t)));
}

/** Column sums: the weight predicted as each class. */
export function predictedTotals({ matrix }: Confusion): Float64Array {
  const totals = new Float64Array(matrix.cols);
  for (let cell = 0; cell < matrix.data.length; cell++) totals[cell % matrix.cols] += matrix.data[cell];
  return totals;
}

/** The diagonal: the weight predicted correctly, by class. */
export function hits(table: Confusion): Float64Array {
  const { matrix } = requireLike(table, 'a table as countConfusion returns it', { labels: 'list', matrix: 'matrix' });
  return Float64Array.from({ length: matrix.rows }, (_, c) => matrix.at(c, c));
}

/**
 * The confusion matrix: cell (t, p) is the weight of rows of true class t that were predicted as p.
 * Rows and columns follow `labels`, or else the sorted classes found in either list. With `normalize` the cells are shares
 * of their true class ('true'), of their predicted class ('pred') or of all; a share of nothing is 0.
 */
export function confusionMatrix(
  yTrue: ArrayLike<Label>,
  yPred: ArrayLike<Label>,
  options: ConfusionMatrixOptions = {},
): Matrix {
  const { normalize, ...rest } = readOptions('confusionMatrix', matrixSpec, options);
  const table = countConfusion(yTrue, yPred, rest);
  if (normalize === null) return table.matrix;
  const [byTrue, byPred, all] = [trueTotals(table), predictedTotals(table), sum(table.matrix.data)];
  const size = table.labels.length;
  const shares = table.matrix.data.map((cell, k) => {
    const whole = normalize === 'true' ? byTrue[Math.floor(k / size)] : normalize === 'pred' ? byPred[k % size] : all;
    return whole === 0 ? 0 : cell / whole;
  });
  return new Matrix(size, size, shares);
}
