import { Matrix } from '../data/matrix.ts';
import { applyCalibration, type Calibration, fitCalibration } from '../evaluate/calibrate.ts';
import type { Isotonic } from '../evaluate/isotonic.ts';
import { meanLogLoss } from '../evaluate/log-proba.ts';
import { methodsFor } from '../evaluate/posterior-calibration.ts';
import { logSoftmaxInto } from '../math/logs.ts';
import { applyPool, type Pool } from './pool.ts';
import { takeRowsOf } from './pool-choose.ts';
import type { Judged } from './pool-folds.ts';
import { foldRows } from './records-lesson.ts';

/** Isotonic curves over the log-odds of the classes. */
export type Curves = Extract<Calibration, { method: 'isotonic' }>;

/** With fewer rows, steps follow chance. */
const LEAST_ROWS = 1000;
/** No class is ruled out by an empty step: the floor of a curve. */
const FLOOR = 1e-4;

/** Rows that nobody has seen weigh half a row, shared by all classes: nothing is less probable than its share of them. */
const UNSEEN = 0.5;

/** The least probability that a class can have after so many rows. */
export const floorOf = (rows: number, classes: number): number => UNSEEN / classes / (rows + UNSEEN);

/** Log-probabilities of which none is below the floor, before rows are normalised. The order of classes stays. */
export function lift({ rows, cols, data }: Matrix, floor: number): Matrix {
  const least = Math.log(floor);
  const out = new Matrix(
    rows,
    cols,
    data.map((log) => Math.max(least, log)),
  );
  for (let i = 0; i < rows; i++) logSoftmaxInto(out.data, i * cols, cols, out.data);
  return out;
}

/** ln p / (1 − p) of every class. */
function logOdds({ rows, cols, data }: Matrix): Matrix {
  const bounded = (value: number) => Math.max(-40, Math.min(40, value));
  return new Matrix(
    rows,
    cols,
    data.map((log) => bounded(log - Math.log(Math.max(-Math.expm1(log), 1e-18)))),
  );
}

/** Log-probabilities on the curves: p lies within [floor, 1 − floor] before rows are normalised. */
export function applyCurves(curves: Curves, logProba: Matrix): Matrix {
  const { rows, cols, data } = applyCalibration(curves, logOdds(logProba), { floor: FLOOR });
  const out = new Matrix(rows, cols);
  for (let i = 0; i < rows; i++) {
    let total = 0;
    for (let c = 0; c < cols; c++) total += Math.max(FLOOR, data[i * cols + c]);
    for (let c = 0; c < cols; c++) out.data[i * cols + c] = Math.log(Math.max(FLOOR, data[i * cols + c]) / total);
  }
  return out;
}

/**
 * Isotonic curves for a pool, if there are enough rows of every class and the curves lower the log-loss of rows they were not
 * fitted to by more than chance would: the gain over the folds must be twice its standard error.
 */
export function chooseCurves(logProba: Matrix, codes: Int32Array, folds: Int32Array): Curves | undefined {
  if (codes.length < LEAST_ROWS || methodsFor({ codes }, logProba.cols, 'isotonic').length === 0) return undefined;
  const gains: number[] = [];
  for (const fold of new Set(folds)) {
    const { learn, judge } = foldRows(folds, fold);
    const own = Int32Array.from(learn, (i) => codes[i]);
    if (new Set(own).size < logProba.cols) return undefined;
    const before = takeRowsOf(logProba, judge);
    const after = applyCurves(fitCurves(takeRowsOf(logProba, learn), own), before);
    const judged = Int32Array.from(judge, (i) => codes[i]);
    gains.push(meanLogLoss(before, { codes: judged }) - meanLogLoss(after, { codes: judged }));
  }
  const mean = gains.reduce((a, b) => a + b, 0) / gains.length;
  const variance = gains.reduce((a, b) => a + (b - mean) ** 2, 0) / (gains.length - 1);
  return mean > 2 * Math.sqrt(variance / gains.length) ? fitCurves(logProba, codes) : undefined;
}

function fitCurves(logProba: Matrix, codes: Int32Array): Curves {
  return fitCalibration(logOdds(logProba), Array.from(codes), { method: 'isotonic' }) as Curves;
}

/**
 * Log-probabilities of rows by the pool, and curves, that the other folds have taught: what the choice is worth on rows that
 * had no say in it.
 */
export function crossFit({ scores, codes, folds }: Judged, pools: ReadonlyMap<number, Pool>, curved: boolean): Matrix {
  const out = new Matrix(codes.length, scores[0].cols);
  for (const [fold, pool] of pools) {
    const { learn, judge } = foldRows(folds, fold);
    const answersTo = (rows: Int32Array) =>
      applyPool(
        pool,
        scores.map((part) => takeRowsOf(part, rows)),
      );
    const pooled = answersTo(judge);
    const own = Int32Array.from(learn, (i) => codes[i]);
    const answer = curved ? applyCurves(fitCurves(answersTo(learn), own), pooled) : pooled;
    judge.forEach((i, k) => {
      out.row(i).set(answer.row(k));
    });
  }
  return out;
}

/** Curves as JSON. */
export const curvesToJson = ({ classes, parts }: Curves) => ({
  classes,
  parts: parts.map(({ x, y }) => ({ x: Array.from(x), y: Array.from(y) })),
});

/** The inverse of `curvesToJson`. */
export function curvesFromJson({ classes, parts }: ReturnType<typeof curvesToJson>): Curves {
  const line = ({ x, y }: { x: number[]; y: number[] }): Isotonic => ({
    x: Float64Array.from(x),
    y: Float64Array.from(y),
  });
  return { method: 'isotonic', classes, parts: parts.map(line) };
}
