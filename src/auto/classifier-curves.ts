import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { type Calibration, fitCalibration } from '../evaluate/calibrate.ts';
import { predictIsotonic } from '../evaluate/isotonic.ts';
import { argmax } from '../math/arrays.ts';
import { logSoftmaxInto, logSumExp, softplus } from '../math/logs.ts';
import { meanLogLoss, type Truth, takeTruth } from './classifier-evaluation.ts';
import { likelyTemperature } from './classifier-temperature.ts';
import { takeRowsOf } from './pool-choose.ts';
import { foldRows } from './records-lesson.ts';

/** How probabilities are made honest. */
export type CurveMethod = 'sigmoid' | 'isotonic' | 'temperature';

/** A curve over the log-odds of classes, or a temperature for all of them. */
export interface Curve {
  readonly calibration: Exclude<Calibration, { method: 'binning' }>;
  /** The classes when it was fitted. */
  readonly classes: readonly Label[];
  /** How many rows it was fitted to. */
  readonly rows: number;
  readonly on: 'held-out rows' | 'out-of-fold scores';
  /** What the classifier had learned by then, as the weight of its rows; null where it does not tell. */
  readonly learned: number | null;
  /** How many columns a row ordinarily had that it was fitted to; files of version 0.1 do not tell. */
  readonly ordinary?: number | undefined;
}

/** Answers to labelled rows that taught nothing. */
export interface Answers extends Truth {
  readonly logProba: Matrix;
}

/** Log-odds beyond this, either way, are certain. */
const CERTAIN = 1e4;
/** With fewer rows, the steps of an isotonic curve follow chance. */
const ROWS_FOR_STEPS = 1000;

const bounded = (value: number): number => Math.max(-CERTAIN, Math.min(CERTAIN, value));

/** ln p / (1 − p) of every class. That of the most probable one comes from the others, whose logarithms have all their digits. */
export function logOdds({ rows, cols, data }: Matrix): Matrix {
  const out = new Matrix(rows, cols);
  const others = new Float64Array(cols);
  for (let i = 0; i < rows; i++) {
    const best = argmax(data, i * cols, cols);
    for (let c = 0; c < cols; c++) {
      const log = data[i * cols + c];
      others[c] = c === best ? -Infinity : log;
      out.data[i * cols + c] = bounded(log - Math.log1p(-Math.exp(log)));
    }
    out.data[i * cols + best] = bounded(data[i * cols + best] - logSumExp(others));
  }
  return out;
}

/** Fits a curve of a method to answers. */
export function fitCurve(
  method: CurveMethod,
  { logProba, codes, weights }: Answers,
  classes: number,
): Curve['calibration'] {
  if (classes < 2) refuse('E_CLASSES_TOO_FEW', 'one class alone cannot be calibrated', { actual: classes, limit: 2 });
  if (method === 'temperature') {
    const scores = new Matrix(logProba.rows, classes, logProba.data.map(bounded));
    return { method, classes, beta: likelyTemperature(scores, codes, weights) };
  }
  const labels = Array.from({ length: classes }, (_, c) => c);
  const sampleWeight = weights ?? null;
  const calibration = fitCalibration(logOdds(logProba), Array.from(codes), { method, labels, sampleWeight });
  return calibration as Curve['calibration'];
}

/** Log-probabilities on the curve, of the classes that it was fitted to. */
export function onCurve(calibration: Curve['calibration'], logProba: Matrix, rowsFitted: number): Matrix {
  const { rows, cols } = logProba;
  const out = new Matrix(rows, cols);
  if (calibration.method === 'temperature') {
    for (let k = 0; k < out.data.length; k++) out.data[k] = calibration.beta * bounded(logProba.data[k]);
  } else {
    const odds = logOdds(logProba);
    const columns = calibration.parts.map((_, part) => (cols === 2 ? 1 : part));
    columns.forEach((c, part) => {
      const column = Float64Array.from({ length: rows }, (_, i) => odds.data[i * cols + c]);
      const [yes, no] = logSides(calibration, part, column, rowsFitted);
      for (let i = 0; i < rows; i++) {
        out.data[i * cols + c] = yes[i];
        if (cols === 2) out.data[i * cols] = no[i];
      }
    });
  }
  for (let i = 0; i < rows; i++) logSoftmaxInto(out.data, i * cols, cols, out.data);
  return out;
}

/** ln p and ln (1 − p) of one class. An empty step of an isotonic curve rules nothing out: so many rows had none of it. */
function logSides(
  calibration: Exclude<Curve['calibration'], { method: 'temperature' }>,
  part: number,
  scores: Float64Array,
  rowsFitted: number,
): [yes: Float64Array, no: Float64Array] {
  if (calibration.method === 'sigmoid') {
    const { a, b } = calibration.parts[part];
    return [scores.map((score) => -softplus(a * score + b)), scores.map((score) => -softplus(-(a * score + b)))];
  }
  const floor = 1 / (rowsFitted + 2);
  const shares = predictIsotonic(calibration.parts[part], scores).map((p) => Math.min(1 - floor, Math.max(floor, p)));
  return [shares.map(Math.log), shares.map((p) => Math.log1p(-p))];
}

/**
 * Calibrated log-probabilities. A class that came after the curve keeps its own probability, and the others share the rest
 * of it by the curve; a class that is gone takes no part.
 */
export function applyCurve(curve: Curve, logProba: Matrix, classes: readonly Label[]): Matrix {
  const { calibration, rows: fitted } = curve;
  const place = curve.classes.map((label) => classes.indexOf(label));
  if (place.length === classes.length && place.every((at, c) => at === c)) {
    return onCurve(calibration, logProba, fitted);
  }
  const [rows, cols] = [logProba.rows, classes.length];
  const known = new Matrix(rows, place.length);
  for (let i = 0; i < rows; i++) {
    place.forEach((at, c) => {
      known.data[i * place.length + c] = at < 0 ? -CERTAIN : logProba.data[i * cols + at];
    });
  }
  const mass = Float64Array.from({ length: rows }, (_, i) => logSumExp(known.row(i)));
  for (let i = 0; i < rows; i++) logSoftmaxInto(known.data, i * place.length, place.length, known.data);
  const told = onCurve(calibration, known, fitted);
  const out = new Matrix(rows, cols, logProba.data.slice());
  for (let i = 0; i < rows; i++) {
    const own = told.row(i).map((log, c) => (place[c] < 0 ? -Infinity : log));
    const rest = logSumExp(own);
    place.forEach((at, c) => {
      if (at >= 0) out.data[i * cols + at] = rest === -Infinity ? -Infinity : mass[i] + own[c] - rest;
    });
  }
  return out;
}

/** The log-probabilities of rows on curves that the other folds were fitted to, for some folds or all. */
export function crossFitCurve(
  method: CurveMethod,
  answers: Answers,
  folds: Int32Array,
  wanted: ReadonlySet<number> = new Set(folds),
): Matrix {
  const { logProba } = answers;
  const out = new Matrix(logProba.rows, logProba.cols, logProba.data.slice());
  for (const fold of wanted) {
    const { learn, judge } = foldRows(folds, fold);
    if (learn.length === 0) continue;
    const part = { logProba: takeRowsOf(logProba, learn), ...takeTruth(answers, learn) };
    const told = onCurve(fitCurve(method, part, logProba.cols), takeRowsOf(logProba, judge), learn.length);
    judge.forEach((i, k) => {
      out.row(i).set(told.row(k));
    });
  }
  return out;
}

/** With more rows, one fold tells methods apart. */
const ROWS_FOR_ONE_FOLD = 10_000;

/** The method of least log-loss on folds that it was not fitted to, with the answers of all rows on it. */
export function chooseCurve(
  wanted: CurveMethod | true,
  answers: Answers,
  folds: Int32Array,
): { method: CurveMethod; logProba: Matrix } {
  const rows = answers.codes.length;
  if (wanted !== true) return { method: wanted, logProba: crossFitCurve(wanted, answers, folds) };
  const methods: readonly CurveMethod[] = [
    'temperature',
    'sigmoid',
    ...(rows < ROWS_FOR_STEPS ? [] : ['isotonic' as const]),
  ];
  const used = rows > ROWS_FOR_ONE_FOLD ? new Set([folds[0]]) : new Set(folds);
  const judged = Int32Array.from(folds.keys()).filter((i) => used.has(folds[i]));
  const truth = takeTruth(answers, judged);
  const losses = methods.map((method) => {
    const told = crossFitCurve(method, answers, folds, used);
    return meanLogLoss(takeRowsOf(told, judged), truth);
  });
  const method = methods[losses.indexOf(Math.min(...losses))];
  return { method, logProba: crossFitCurve(method, answers, folds) };
}
