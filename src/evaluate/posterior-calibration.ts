import { calibrations } from '../core/model-options.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse, show } from '../errors.ts';
import { argmax, countCodes } from '../math/arrays.ts';
import { logSoftmaxInto, logSumExp, softplus } from '../math/logs.ts';
import { type Calibration, fitCalibration } from './calibrate.ts';
import { foldRows } from './folds.ts';
import { predictIsotonic } from './isotonic.ts';
import { meanLogLoss, type Truth, takeTruth } from './log-proba.ts';
import { selectRows } from './rows.ts';
import { fitTemperatureTo } from './temperature.ts';

/** How log-posteriors are calibrated. */
export type CurveMethod = (typeof calibrations)[number];

/** A calibrator of log-posteriors: a temperature for all classes, or a curve over the log-odds of each. */
export type PosteriorCalibration = Extract<Calibration, { method: CurveMethod }>;

/** Log-posteriors of labelled rows that the model was not fitted to. */
export interface HeldOut extends Truth {
  readonly logProba: Matrix;
}

/**
 * Fewest rows per class. A curve of its own for every class needs this many rows of each; a temperature, one number that all
 * classes share and that cannot change a label, needs this many on average.
 */
export const MIN_ROWS = 30;
/** With fewer rows in all, the steps of an isotonic curve follow chance. */
const MIN_ROWS_ISOTONIC = 1000;
/** The prior penalty, in nats of log-loss, of a slope of 0 or 2 instead of 1. */
export const PRIOR = 2;
/** Log-odds beyond this, either way, are certain. */
const CERTAIN = 1e4;

const bounded = (value: number): number => Math.max(-CERTAIN, Math.min(CERTAIN, value));

/** The methods, from the one with the fewest parameters to the one with the most. */
export const curveMethods: readonly CurveMethod[] = calibrations;

/** Of the wanted method, or of all, those that the rows suffice for. */
export function methodsFor(
  { codes, weights }: Truth,
  classes: number,
  wanted: CurveMethod | true = true,
  minRows = MIN_ROWS,
): CurveMethod[] {
  const counts = new Int32Array(classes);
  codes.forEach((code, i) => {
    if (!weights || weights[i] > 0) counts[code]++;
  });
  const enough = {
    temperature: counts.reduce((total, count) => total + count, 0) >= minRows * classes,
    sigmoid: counts.every((count) => count >= minRows),
    isotonic: counts.every((count) => count >= minRows),
  };
  return curveMethods.filter((method) => enough[method] && (wanted === true || wanted === method));
}

/**
 * ln p / (1 − p) of every class. For the most probable class it is computed from the others, whose logarithms have all their
 * digits.
 */
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

/**
 * Fits a calibrator to held-out log-posteriors. It never reverses scores (slopes are ≥ 0), and its prior on slope and intercept
 * leaves posteriors as they are unless the rows say otherwise.
 */
export function fitPosterior(method: CurveMethod, { logProba, codes, weights }: HeldOut): PosteriorCalibration {
  const { rows, cols: classes } = logProba;
  if (classes < 2) refuse('E_CLASSES_TOO_FEW', 'one class alone cannot be calibrated', { actual: classes, limit: 2 });
  if (method === 'temperature') {
    const table = { rows, cols: classes, data: logProba.data.map(bounded), flat: false };
    return { method, classes, beta: fitTemperatureTo(table, codes, weights ?? new Float64Array(rows).fill(1), PRIOR) };
  }
  const calibration = fitCalibration(logOdds(logProba), Array.from(codes), {
    method,
    labels: Array.from({ length: classes }, (_, c) => c),
    sampleWeight: weights ?? null,
    increasing: true,
    prior: PRIOR,
  });
  return calibration as PosteriorCalibration;
}

/** The log-posterior of a class that a calibrator knows and the model does not have. */
const UNLIKELY = -1e4;

/**
 * Calibrated log-posteriors; `rowsFitted` is the number of rows that the calibrator was fitted to. `place` says in which column each
 * of its classes is, −1 if in none; by default they are all columns in order. A column that the calibrator does not know keeps its
 * probability, and the calibrator divides the rest among the others.
 */
export function applyPosterior(
  calibration: PosteriorCalibration,
  logProba: Matrix,
  rowsFitted: number,
  place: ArrayLike<number> = Int32Array.from({ length: logProba.cols }, (_, c) => c),
): Matrix {
  const { rows, cols } = logProba;
  const width = place.length;
  if (width === cols && Array.from(place).every((at, c) => at === c))
    return applyToAll(calibration, logProba, rowsFitted);
  const known = new Matrix(rows, width);
  const mass = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    const row = known.row(i);
    for (let c = 0; c < width; c++) row[c] = place[c] < 0 ? UNLIKELY : logProba.at(i, place[c]);
    mass[i] = logSumExp(row);
    logSoftmaxInto(known.data, i * width, width, known.data);
  }
  const calibrated = applyToAll(calibration, known, rowsFitted);
  const out = new Matrix(rows, cols, logProba.data.slice());
  for (let i = 0; i < rows; i++) {
    const own = calibrated.row(i).map((log, c) => (place[c] < 0 ? -Infinity : log));
    const rest = logSumExp(own);
    for (let c = 0; c < width; c++) {
      if (place[c] >= 0) out.data[i * cols + place[c]] = rest === -Infinity ? -Infinity : mass[i] + own[c] - rest;
    }
  }
  return out;
}

/** The same for a calibrator of exactly these classes. */
function applyToAll(calibration: PosteriorCalibration, logProba: Matrix, rowsFitted: number): Matrix {
  const { rows, cols } = logProba;
  const out = new Matrix(rows, cols);
  if (calibration.method === 'temperature') {
    for (let k = 0; k < out.data.length; k++) out.data[k] = calibration.beta * bounded(logProba.data[k]);
  } else {
    const odds = logOdds(logProba);
    const shared = calibration.parts.length === 1; // one curve serves two classes
    calibration.parts.forEach((_, part) => {
      const c = shared ? 1 : part;
      const column = Float64Array.from({ length: rows }, (_, i) => odds.data[i * cols + c]);
      const [yes, no] = logSides(calibration, part, column, rowsFitted);
      for (let i = 0; i < rows; i++) {
        out.data[i * cols + c] = yes[i];
        if (shared) out.data[i * cols] = no[i];
      }
    });
  }
  for (let i = 0; i < rows; i++) logSoftmaxInto(out.data, i * cols, cols, out.data);
  return out;
}

/** ln p and ln (1 − p) of one class. An empty step of an isotonic curve does not rule a class out: 1 / (rows + 2) remains. */
function logSides(
  calibration: Exclude<PosteriorCalibration, { method: 'temperature' }>,
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

/** Log-posteriors of the rows of some folds, or of all, by calibrators that were fitted to the other folds. */
export function crossFitPosterior(
  method: CurveMethod,
  heldOut: HeldOut,
  folds: Int32Array,
  wanted: ReadonlySet<number> = new Set(folds),
): Matrix {
  const { logProba } = heldOut;
  const out = new Matrix(logProba.rows, logProba.cols, logProba.data.slice());
  for (const fold of wanted) {
    const { held: inside, learn: outside } = foldRows(folds, fold);
    if (outside.length === 0) continue;
    const fit = fitPosterior(method, { logProba: selectRows(logProba, outside), ...takeTruth(heldOut, outside) });
    const calibrated = applyPosterior(fit, selectRows(logProba, inside), outside.length);
    inside.forEach((i, k) => {
      out.row(i).set(calibrated.row(k));
    });
  }
  return out;
}

/** With more rows, one fold is enough to compare methods. */
const ROWS_FOR_ONE_FOLD = 10_000;

/** A method, and the log-posteriors of all rows by calibrators that were not fitted to them. */
interface ChosenPosterior {
  readonly method: CurveMethod;
  readonly logProba: () => Matrix;
}

/**
 * Of the given methods, the one with the least log-loss on folds that it was not fitted to, together with the log-posteriors of
 * all rows by calibrators that were not fitted to them, computed on request. Returns undefined if there are no methods to choose from.
 * Before each method it yields the finished share.
 */
export function* choosePosterior(
  methods: readonly CurveMethod[],
  heldOut: HeldOut,
  folds: Int32Array,
): Generator<{ share: number; what: string }, ChosenPosterior | undefined> {
  const rows = heldOut.codes.length;
  const known = methods.filter((method) => method !== 'isotonic' || methods.length === 1 || rows >= MIN_ROWS_ISOTONIC);
  if (known.length === 0) return undefined;
  if (known.length === 1) return { method: known[0], logProba: () => crossFitPosterior(known[0], heldOut, folds) };
  const used = rows > ROWS_FOR_ONE_FOLD ? new Set([folds[0]]) : new Set(folds);
  const compared = Int32Array.from(folds.keys()).filter((i) => used.has(folds[i]));
  const truth = takeTruth(heldOut, compared);
  const tried = [];
  for (const [k, method] of known.entries()) {
    yield { share: k / known.length, what: method };
    const logProba = crossFitPosterior(method, heldOut, folds, used);
    tried.push({ method, logProba, loss: meanLogLoss(selectRows(logProba, compared), truth) });
  }
  const { method, logProba } = tried.reduce((best, own) => (own.loss < best.loss ? own : best));
  const isComplete = used.size === new Set(folds).size;
  return { method, logProba: () => (isComplete ? logProba : crossFitPosterior(method, heldOut, folds)) };
}

/** A calibrator as plain data. */
export function calibrationToJson(calibration: PosteriorCalibration): { [name: string]: JsonValue } {
  const plain = JSON.stringify(calibration, (_, value) => (value instanceof Float64Array ? Array.from(value) : value));
  return JSON.parse(plain) as { [name: string]: JsonValue };
}

/** The inverse of `calibrationToJson` for this many classes; undefined for anything else. */
export function calibrationFromJson(value: JsonValue, classes: number): PosteriorCalibration | undefined {
  const { method, beta, parts } = Object(value) as Partial<Record<string, JsonValue>>;
  const fits = (...numbers: unknown[]) => numbers.every(Number.isFinite);
  if (method === 'temperature') return fits(beta) ? { method, classes, beta: beta as number } : undefined;
  if (!Array.isArray(parts) || parts.length !== (classes === 2 ? 1 : classes)) return undefined;
  const own = parts.map((part) => Object(part) as Record<string, unknown>);
  if (method === 'sigmoid') {
    const curves = own.map(({ a, b }) => ({ a: a as number, b: b as number }));
    return own.every(({ a, b }) => fits(a, b)) ? { method, classes, parts: curves } : undefined;
  }
  const rises = ({ x, y }: Record<string, unknown>) =>
    Array.isArray(x) &&
    Array.isArray(y) &&
    x.length > 0 &&
    x.length === y.length &&
    fits(...x, ...y) &&
    x.every((at, k) => k === 0 || (at > x[k - 1] && y[k] >= y[k - 1]));
  if (method !== 'isotonic' || !own.every(rises)) return undefined;
  const lines = own.map(({ x, y }) => ({ x: Float64Array.from(x as number[]), y: Float64Array.from(y as number[]) }));
  return { method, classes, parts: lines };
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
  const counts = countCodes(codes, classes.length);
  const least = counts.indexOf(Math.min(...counts));
  const actual = counts[least];
  const sentence = `too few rows to calibrate: ${actual} of class ${show(classes[least])}, and ${wanted} takes ${minRows} of every class`;
  return { sentence, class: classes[least], actual, limit: minRows };
}
