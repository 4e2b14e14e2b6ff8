import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { show } from '../errors.ts';
import { applyPosterior, type CurveMethod, type PosteriorCalibration } from '../evaluate/posterior-calibration.ts';
import { logSoftmaxInto, logSumExp } from '../math/logs.ts';

/** A calibrator with what is known about how it was fitted. */
export interface Curve {
  readonly calibration: PosteriorCalibration;
  /** The classes when it was fitted. */
  readonly classes: readonly Label[];
  /** How many rows it was fitted to. */
  readonly rows: number;
  readonly on: 'held-out rows' | 'out-of-fold scores';
  /** The weight of the rows that the classifier had learned by then; null if it keeps no counts. */
  readonly learned: number | null;
  /** How many columns a row ordinarily had that it was fitted to; files of version 0.1 do not tell. */
  readonly ordinary?: number | undefined;
}

/** The log-posterior of a class that the classifier no longer has. */
const UNLIKELY = -1e4;

/**
 * Calibrated log-posteriors. A class that was added after the calibration keeps its probability, and the calibrator divides the
 * rest among the others; a class that is gone gets nothing.
 */
export function applyCurve(curve: Curve, logProba: Matrix, classes: readonly Label[]): Matrix {
  const { calibration, rows: fitted } = curve;
  const place = curve.classes.map((label) => classes.indexOf(label));
  if (place.length === classes.length && place.every((at, c) => at === c)) {
    return applyPosterior(calibration, logProba, fitted);
  }
  const [rows, cols] = [logProba.rows, classes.length];
  const known = new Matrix(rows, place.length);
  for (let i = 0; i < rows; i++) {
    place.forEach((at, c) => {
      known.data[i * place.length + c] = at < 0 ? UNLIKELY : logProba.data[i * cols + at];
    });
  }
  const mass = Float64Array.from({ length: rows }, (_, i) => logSumExp(known.row(i)));
  for (let i = 0; i < rows; i++) logSoftmaxInto(known.data, i * place.length, place.length, known.data);
  const calibrated = applyPosterior(calibration, known, fitted);
  const out = new Matrix(rows, cols, logProba.data.slice());
  for (let i = 0; i < rows; i++) {
    const own = calibrated.row(i).map((log, c) => (place[c] < 0 ? -Infinity : log));
    const rest = logSumExp(own);
    place.forEach((at, c) => {
      if (at >= 0) out.data[i * cols + at] = rest === -Infinity ? -Infinity : mass[i] + own[c] - rest;
    });
  }
  return out;
}

/** Why rows do not suffice for the wanted method: a class that is too small, or too few rows in all. */
export function tooFewRows(
  wanted: CurveMethod | true,
  codes: Int32Array,
  classes: readonly Label[],
  minRows: number,
): { sentence: string; class?: Label; actual: number; limit: number } {
  if (wanted === true || wanted === 'temperature') {
    const sentence = `too few rows to calibrate: ${codes.length} rows of ${classes.length} classes, and it takes ${minRows} per class`;
    return { sentence, actual: codes.length, limit: minRows * classes.length };
  }
  const counts = classes.map((_, c) => codes.filter((code) => code === c).length);
  const least = counts.indexOf(Math.min(...counts));
  const actual = counts[least];
  const sentence = `too few rows to calibrate: ${actual} of class ${show(classes[least])}, and ${wanted} takes ${minRows} of every class`;
  return { sentence, class: classes[least], actual, limit: minRows };
}
