import { choice, type GivenOptions, type OptionSpec, readOptions, weightOption } from '../core/options.ts';
import { requireLike } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import { fitIsotonicTo, type Isotonic, predictIsotonic } from './isotonic.ts';
import { columnOf, readLabelledScores, readScores, requireColumns, type Scores } from './scores.ts';
import { fitSigmoidTo, increasingOption, predictSigmoid, priorOption, type Sigmoid } from './sigmoid.ts';
import { labelsOption } from './targets.ts';
import { fitTemperatureTo, predictTemperature } from './temperature.ts';
import { against } from './thresholds.ts';

/** The calibration method. */
export type CalibrationMethod = 'sigmoid' | 'isotonic' | 'temperature';

/** A fitted calibration from scores to probabilities, as plain data. */
export type Calibration =
  | { readonly method: 'sigmoid'; readonly classes: number; readonly parts: readonly Sigmoid[] }
  | { readonly method: 'isotonic'; readonly classes: number; readonly parts: readonly Isotonic[] }
  | { readonly method: 'temperature'; readonly classes: number; readonly beta: number };

const methods = ['sigmoid', 'isotonic', 'temperature'] as const;
const spec = {
  /** The calibration method. Default: 'sigmoid'. */
  method: choice(methods, { default: 'sigmoid' }),
  ...labelsOption,
  ...weightOption,
  ...increasingOption,
  ...priorOption,
} satisfies OptionSpec;

/** Options of `fitCalibration`. */
export type FitCalibrationOptions = GivenOptions<typeof spec>;

/**
 * Fits a map from scores (one column per class) to probabilities. Two classes share one curve, over the second column; with more, each
 * class has its own against the rest, and rows are normalised afterwards; a temperature serves all classes at once. The scores must be of
 * rows that the scorer was not fitted to; otherwise its overconfidence is learned instead of corrected.
 *
 * The defaults give scikit-learn's numbers; a sigmoid then inverts scores that rank rows in reverse. With `increasing` no curve decreases.
 * `prior` draws sigmoids and temperatures to the identity: (1) of `fitSigmoid` and of `fitTemperature`.
 */
export function fitCalibration(scores: Scores, y: ArrayLike<Label>, options: FitCalibrationOptions = {}): Calibration {
  const read = readOptions('fitCalibration', spec, options);
  const labelled = readLabelledScores(y, scores, read.labels, read.sampleWeight, 'scores');
  const classes = labelled.classes.length;
  requireColumns(labelled.classes, labelled.table.cols, 'scores');
  if (classes < 2) refuse('E_CLASSES_TOO_FEW', 'one class alone cannot be calibrated', { actual: classes, limit: 2 });
  const { method, increasing, prior } = read;
  if (method === 'temperature') {
    return { method, classes, beta: fitTemperatureTo(labelled.table, labelled.codes, labelled.weights, prior) };
  }
  const columns = classes === 2 ? [1] : labelled.classes.map((_, c) => c);
  const marked = columns.map((c) => against(labelled, c));
  if (method === 'sigmoid') {
    return { method, classes, parts: marked.map((part) => fitSigmoidTo(part, { increasing, prior })) };
  }
  const parts = marked.map(({ score, positive, weights }) => fitIsotonicTo(score, positive, weights));
  return { method, classes, parts };
}

/** One column of a calibration. */
function predictPart(calibration: Exclude<Calibration, { method: 'temperature' }>, part: number, score: Float64Array) {
  if (calibration.method === 'sigmoid') return predictSigmoid(calibration.parts[part], score);
  return predictIsotonic(calibration.parts[part], score);
}

/** Calibrated probabilities. */
export function applyCalibration(calibration: Calibration, scores: Scores): Matrix {
  const table = readScores(scores, 'scores');
  const { classes } = requireLike(calibration, 'a calibration as fitCalibration returns it', { classes: 'number' });
  if (table.cols !== classes) {
    refuse('E_SHAPE', `scores have ${table.cols} columns, the calibration is of ${classes} classes`, {
      expected: classes,
      actual: table.cols,
    });
  }
  if (calibration.method === 'temperature') return predictTemperature(calibration.beta, scores);
  const result = new Matrix(table.rows, classes);
  calibration.parts.forEach((_, part) => {
    const c = classes === 2 ? 1 : part;
    const column = predictPart(calibration, part, columnOf(table, c));
    for (let i = 0; i < table.rows; i++) result.data[i * classes + c] = column[i];
  });
  if (classes > 2) return normaliseRows(result);
  for (let i = 0; i < table.rows; i++) result.data[2 * i] = 1 - result.data[2 * i + 1];
  return result;
}

/** Rows divided by their sums; a row of nothing but zeros becomes uniform. */
function normaliseRows(matrix: Matrix): Matrix {
  const result = new Matrix(matrix.rows, matrix.cols);
  for (let i = 0; i < matrix.rows; i++) {
    const row = matrix.row(i);
    const total = sum(row);
    result.data.set(total === 0 ? row.map(() => 1 / matrix.cols) : row.map((value) => value / total), i * matrix.cols);
  }
  return result;
}
