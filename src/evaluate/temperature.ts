import { type GivenOptions, type OptionSpec, readOptions, weightOption } from '../core/options.ts';
import { requireNumber } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import { logSoftmaxInto } from '../math/logs.ts';
import { isNear } from './numpy.ts';
import { readLabelledScores, readScores, requireColumns, type Scores, type ScoreTable } from './scores.ts';
import { priorOption } from './sigmoid.ts';
import { labelsOption } from './targets.ts';

const columnSpec = { ...labelsOption, ...weightOption } satisfies OptionSpec;
const spec = { ...columnSpec, ...priorOption } satisfies OptionSpec;

/** The class of each column, and the weight of each row. */
export type ColumnOptions = GivenOptions<typeof columnSpec>;

/** Options of `fitTemperature`. A temperature is increasing by construction. */
export type TemperatureOptions = GivenOptions<typeof spec>;

const LOG_BOUND = 10;

/** Rows of probabilities become ln(p + 1e-12); anything else is taken for logits already. */
function toLogits(table: ScoreTable): ScoreTable {
  const { rows, cols, data } = table;
  if (cols < 2) refuse('E_SHAPE', `a temperature needs a column per class, got ${cols}`, { actual: cols, limit: 2 });
  let probabilities = data.every((value) => value >= 0 && value <= 1);
  for (let i = 0; i < rows && probabilities; i++) probabilities = isNear(sum(data, i * cols, cols), 1);
  return probabilities ? { ...table, data: data.map((p) => Math.log(p + 1e-12)) } : table;
}

/** The slope of the loss in β, Σ w (E_p[L] − L_y), and its own slope, Σ w Var_p[L], at p = softmax(β L). */
function slopes(
  { cols, data }: ScoreTable,
  codes: Int32Array,
  weights: Float64Array,
  beta: number,
): [slope: number, bend: number] {
  const row = new Float64Array(cols);
  let [slope, bend] = [0, 0];
  for (let i = 0; i < codes.length; i++) {
    for (let c = 0; c < cols; c++) row[c] = beta * data[i * cols + c];
    logSoftmaxInto(row, 0, cols, row);
    const own = data[i * cols + codes[i]];
    let [mean, square] = [0, 0];
    for (let c = 0; c < cols; c++) {
      const [p, above] = [Math.exp(row[c]), data[i * cols + c] - own];
      mean += p * above;
      square += p * above * above;
    }
    slope += weights[i] * mean;
    bend += weights[i] * (square - mean * mean);
  }
  return [slope, bend];
}

/**
 * Temperature scaling: the β = exp(t), t in [−10, 10], that minimises
 *
 *   −Σ w ln softmax(β L)[y] + prior · (β − 1)²                                                                 (1)
 *
 * where L are logits or, for rows of probabilities, ln(p + 1e-12). β < 1 softens over-confident probabilities, and no β changes
 * which class is most probable. Without a prior the fit is scikit-learn's. (1) is convex in β, so its slope has one root, which
 * Newton's steps in t find within a shrinking bracket. Without a prior, logits that are equal in every row give β = 1.
 * Guo, Pleiss, Sun & Weinberger, On Calibration of Modern Neural Networks (2017), §4.2.
 */
export function fitTemperature(scores: Scores, y: ArrayLike<Label>, options: TemperatureOptions = {}): number {
  const read = readOptions('fitTemperature', spec, options);
  const { codes, table, weights, classes } = readLabelledScores(y, scores, read.labels, read.sampleWeight, 'scores');
  requireColumns(classes, table.cols, 'scores');
  return fitTemperatureTo(table, codes, weights, read.prior);
}

/** Temperature scaling of checked rows. */
export function fitTemperatureTo(table: ScoreTable, codes: Int32Array, weights: Float64Array, prior = 0): number {
  const logits = toLogits(table);
  const at = (t: number): [slope: number, bend: number] => {
    const beta = Math.exp(t);
    const [slope, bend] = slopes(logits, codes, weights, beta);
    return [slope + 2 * prior * (beta - 1), bend + 2 * prior];
  };
  let [low, high] = [-LOG_BOUND, LOG_BOUND];
  const [lowest, highest] = [at(low)[0], at(high)[0]];
  if (lowest === 0 && highest === 0) return 1;
  if (lowest >= 0) return Math.exp(low);
  if (highest < 0) return Math.exp(high);
  let t = 0;
  for (let round = 0; round < 200 && high - low > 1e-15; round++) {
    const [slope, bend] = at(t);
    if (slope < 0) low = t;
    else high = t;
    const newton = t - slope / (bend * Math.exp(t));
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - t) <= 1e-16 * Math.max(1, Math.abs(t))) return Math.exp(next);
    t = next;
  }
  return Math.exp(t);
}

/** Rows of probabilities softmax(β L), L as in `fitTemperature`. */
export function predictTemperature(beta: number, scores: Scores): Matrix {
  requireNumber('beta', beta, 'an inverse temperature', Number.isFinite);
  const { rows, cols, data } = toLogits(readScores(scores, 'scores'));
  const scaled = data.map((value) => beta * value);
  for (let i = 0; i < rows; i++) logSoftmaxInto(scaled, i * cols, cols, scaled);
  return new Matrix(rows, cols, scaled.map(Math.exp));
}
