import { type GivenOptions, type OptionSpec, readOptions, weightOption } from '../core/options.ts';
import { requireNumber } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import { logSoftmaxInto } from '../math/logs.ts';
import { isNear } from './numpy.ts';
import { bendAt, fitPool } from './pool.ts';
import { readLabelledScores, readScores, requireColumns, type Scores, type ScoreTable } from './scores.ts';
import { priorOption } from './sigmoid.ts';
import { labelsOption } from './targets.ts';

const columnSpec = { ...labelsOption, ...weightOption } satisfies OptionSpec;
const spec = { ...columnSpec, ...priorOption } satisfies OptionSpec;

/** The class of each column, and the weight of each row. */
export type ColumnOptions = GivenOptions<typeof columnSpec>;

/** Options of `fitTemperature`. A temperature is increasing by construction. */
export type TemperatureOptions = GivenOptions<typeof spec>;

/** β is sought between the first and the last; the slopes at all of them tell where Newton's steps may begin. */
const BETAS = Array.from({ length: 21 }, (_, k) => Math.exp(k - 10));

/** Rows of probabilities become ln(p + 1e-12); anything else is taken for logits already. */
function toLogits(table: ScoreTable): ScoreTable {
  const { rows, cols, data } = table;
  if (cols < 2) refuse('E_SHAPE', `a temperature needs a column per class, got ${cols}`, { actual: cols, limit: 2 });
  let probabilities = data.every((value) => value >= 0 && value <= 1);
  for (let i = 0; i < rows && probabilities; i++) probabilities = isNear(sum(data, i * cols, cols), 1);
  return probabilities ? { ...table, data: data.map((p) => Math.log(p + 1e-12)) } : table;
}

/**
 * Temperature scaling: the β in [e⁻¹⁰, e¹⁰] that minimises
 *
 *   −Σ w ln softmax(β L)[y] + prior · (β − 1)²                                                                 (1)
 *
 * where L are logits or, for rows of probabilities, ln(p + 1e-12). β < 1 softens over-confident probabilities, and no β changes
 * which class is most probable. Without a prior the fit is scikit-learn's. It is a pool of one member without biases, see `fitPool`.
 * Without a prior, logits that are equal in every row give β = 1.
 * Guo, Pleiss, Sun & Weinberger, On Calibration of Modern Neural Networks (2017), §4.2.
 */
export function fitTemperature(scores: Scores, y: ArrayLike<Label>, options: TemperatureOptions = {}): number {
  const read = readOptions('fitTemperature', spec, options);
  const { codes, table, weights, classes } = readLabelledScores(y, scores, read.labels, read.sampleWeight, 'scores');
  requireColumns(classes, table.cols, 'scores');
  return fitTemperatureTo(table, codes, weights, read.prior);
}

/** Temperature scaling of checked rows. */
export function fitTemperatureTo(table: ScoreTable, codes: Int32Array, weights: Float64Array, strength = 0): number {
  const { rows, cols: classes, data } = toLogits(table);
  const problem = { scores: [data], y: codes, classes, rows: codes.map((_, i) => i), weights };
  const belief = { centre: Float64Array.of(1), stiffness: Float64Array.of(strength / rows) };
  const slopes = BETAS.map((beta) => bendAt(problem, Float64Array.of(1), belief, Float64Array.of(beta)).slope[0]);
  if (slopes.every((slope) => slope === 0)) return 1;
  const above = slopes.findIndex((slope) => slope >= 0);
  if (above <= 0) return BETAS.at(above)!; // the loss rises or falls all the way
  const start = { weights: Float64Array.of(BETAS[above]), bias: new Float64Array(0) };
  return fitPool(problem, { prior: { strength, centre: 1, unit: 'one' }, tolerance: 0, start }).weights[0];
}

/** Rows of probabilities softmax(β L), L as in `fitTemperature`. */
export function predictTemperature(beta: number, scores: Scores): Matrix {
  requireNumber('beta', beta, 'an inverse temperature', Number.isFinite);
  const { rows, cols, data } = toLogits(readScores(scores, 'scores'));
  const scaled = data.map((value) => beta * value);
  for (let i = 0; i < rows; i++) logSoftmaxInto(scaled, i * cols, cols, scaled);
  return new Matrix(rows, cols, scaled.map(Math.exp));
}
