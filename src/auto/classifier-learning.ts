import type { ColumnTable } from '../data/column-table.ts';
import { type Label, moves } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import { groupedFolds } from '../evaluate/folds.ts';
import { weighClasses } from '../evaluate/log-proba.ts';
import {
  applyPool,
  curveBetween,
  observedShares,
  ordinaryCount,
  type Pool,
  poolBetween,
  withPrior,
} from '../evaluate/pool.ts';
import {
  applyPosterior,
  type CurveMethod,
  choosePosterior,
  curveMethods,
  fitPosterior,
  MIN_ROWS,
  methodsFor,
  type PosteriorCalibration,
  tooFewRows,
} from '../evaluate/posterior-calibration.ts';
import { selectRows } from '../evaluate/rows.ts';
import { addInto, argmax, concat } from '../math/arrays.ts';
import { normaliseLogs } from '../math/logs.ts';
import type { ClassifierParts } from './classifier-fit.ts';
import { classFactorsOf, requireClasses } from './classifier-options.ts';
import { classesOf, countingOf, learnedWeight } from './classifier-report.ts';
import type { LabelledRows, Predictor, Scores, Term } from './predictor.ts';
import type { RecordOptions } from './record-check.ts';
import { readTarget } from './records.ts';
import { weightsOf } from './schema.ts';
import { finish, type Steps, within } from './steps.ts';

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
  /** How many columns a training row had on average; absent in files of version 0.1. */
  readonly ordinary?: number | undefined;
}

/** Calibrated log-posteriors, also of classes that came or went after the calibration. */
export function applyCurve({ calibration, classes: fitted, rows }: Curve, logProba: Matrix, classes: readonly Label[]) {
  return applyPosterior(calibration, logProba, rows, moves(fitted, classes));
}

/** How rows are learned or unlearned. */
export interface RowOptions extends RecordOptions {
  /** One weight per row, instead of the column of weights. Default: that column, else 1 for every row. */
  readonly sampleWeight?: Weights | undefined;
  /** Aborts the work with E_CANCELLED. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** How a classifier is calibrated by rows that it has not learned; without a method, by the best. */
export interface CalibrateOptions extends RowOptions {
  /** The calibration method. Default: the one with the least log-loss on held-out rows. */
  readonly method?: CurveMethod | undefined;
  /**
   * Fewest rows per class, 30 by default: of every class for a sigmoid or an isotonic curve, on average for a temperature.
   * With fewer, a calibrator follows chance.
   */
  readonly minRows?: number | undefined;
}

/**
 * The scores of rows by all predictors together, calibrated; `evidence` asks for ln p(x) as well. Weights and calibrators count by how
 * much of a row is present, and a row in which nothing is gets the class prior (see `observedShares`).
 */
export function scoreTable(parts: ClassifierParts, table: ColumnTable, evidence = false): Scores {
  const plain = plainScores(parts, table, evidence);
  return parts.curve ? { ...plain, logProba: calibrated(parts, parts.curve, plain) } : plain;
}

/** The scores without the calibrator. */
export function plainScores(parts: ClassifierParts, table: ColumnTable, evidence = false): Scores {
  const { predictors, classBias } = parts;
  const classes = classesOf(parts);
  if (table.length === 0)
    return { logProba: new Matrix(0, classes.length), logEvidence: undefined, present: () => new Float64Array(0) };
  if (classes.length === 0) refuse('E_NOT_FITTED', 'this classifier has learned nothing yet');
  const scored = predictors.map((predictor) => predictor.scores(table, evidence));
  const present = () => summed(scored.map((own) => own.present()));
  const scores = scored.map(({ logProba }) => logProba);
  // one predictor stands for itself, unless there are class weights
  const alone = predictors.length === 1 && !classBias;
  const logProba = alone ? scores[0] : pooledScores(parts, scores, present);
  const logEvidence = scored.find((own) => own.logEvidence)?.logEvidence;
  return { logProba, logEvidence, present };
}

/** Plain scores on the calibrator. */
function calibrated(parts: ClassifierParts, curve: Curve, { logProba: plain, present }: PlainScores): Matrix {
  const shares = observedShares(plain.rows, present, curve.ordinary);
  const logProba = curveBetween(shares, applyCurve(curve, plain, classesOf(parts)), plain);
  return withPrior(logProba, shares, priorOf(parts));
}

type PlainScores = Pick<Scores, 'logProba' | 'present'>;

/** Numbers of several predictors, added up by row. */
export function summed(counts: readonly Float64Array[]): Float64Array {
  const sums = counts[0].slice();
  for (const own of counts.slice(1)) addInto(sums, own);
  return sums;
}

/** ln p(c) without class weights, if one of the predictors has it. */
const plainPrior = ({ predictors }: ClassifierParts) => predictors.find((predictor) => predictor.logPrior)?.logPrior;

/** Numbers by the classes of the fit as numbers by the classes that there are now; 0 for a new one. */
function byClass(parts: ClassifierParts, values: Float64Array): Float64Array {
  const now = classesOf(parts);
  if (values.length === 0) return values;
  return Float64Array.from(now, (label) => values[parts.classes.indexOf(label)] ?? 0);
}

/** ln p(c) under the class weights, if one of the predictors has it. */
function priorOf(parts: ClassifierParts): Float64Array | undefined {
  const [logPrior, classBias] = [plainPrior(parts), parts.classBias && byClass(parts, parts.classBias)];
  return logPrior && classBias ? normaliseLogs(logPrior.map((log, c) => log + classBias[c])) : logPrior;
}

/** The pool of predictors for each of some rows: as fitted, and the less of a row is present, the more as if predictors were independent. */
function poolsOf(
  parts: ClassifierParts,
  rows: number,
  present: () => Float64Array,
): { shares: Float64Array; pools: Pool[] } {
  const { predictors, ordinary } = parts;
  const pool = { weights: parts.pool.weights, bias: byClass(parts, parts.pool.bias) };
  const classBias = parts.classBias && byClass(parts, parts.classBias);
  const logPrior = plainPrior(parts) ?? new Float64Array(pool.bias.length);
  const shares = observedShares(rows, present, predictors.length > 1 ? ordinary : undefined);
  // ln p(c) + Σ (ln pₖ(c | x) − ln p(c)), for predictors of different columns that are independent given the class
  const independent = {
    weights: pool.weights.map(() => 1),
    bias: logPrior.map((log, c) => (1 - predictors.length) * log + (classBias?.[c] ?? 0)),
  };
  return { shares, pools: Array.from(shares, (share) => poolBetween(share, pool, independent)) };
}

function pooledScores(parts: ClassifierParts, scores: readonly Matrix[], present: () => Float64Array): Matrix {
  const { shares, pools } = poolsOf(parts, scores[0].rows, present);
  return withPrior(
    applyPool((i) => pools[i], scores),
    shares,
    priorOf(parts),
  );
}

/** Whether all parts of a classifier keep their counts. */
export const keepsCounts = ({ predictors }: ClassifierParts): boolean =>
  predictors.every(({ classCount }) => classCount !== undefined);

/** The parts of a classifier that keep counts; refuses a classifier without them. */
export function countedParts(parts: ClassifierParts, method: string): readonly Predictor[] {
  if (keepsCounts(parts)) return parts.predictors;
  const why = 'it was saved without counts; load the full file instead, or fit it again';
  return refuse('E_CONFLICT', `this classifier has no ${method}: ${why}`, { method });
}

/** Learns or unlearns rows, all or none. */
export function changeBy(
  parts: ClassifierParts,
  method: 'partialFit' | 'unlearn',
  table: ColumnTable,
  options: RowOptions,
): void {
  const predictors = countedParts(parts, method);
  const rows = readRows(parts, table, options);
  for (const commit of predictors.map((predictor) => predictor.change(method, rows))) commit();
}

/** Adds what another classifier has learned; refuses one that was not fitted like it. */
export function mergeParts(mine: ClassifierParts, theirs: ClassifierParts): void {
  const [own, other] = [countedParts(mine, 'merge'), countedParts(theirs, 'merge')];
  requireSameTarget(mine.report.target, theirs.report.target);
  const plan = ({ pool, classes }: ClassifierParts) => JSON.stringify([pool.weights, pool.bias, classes]);
  if (own.length !== other.length || (!countingOf(mine) && plan(mine) !== plan(theirs))) {
    refuse('E_MERGE_MISMATCH', 'the two classifiers have different ensembles; fit one like the other to merge them');
  }
  for (const commit of own.map((predictor, k) => predictor.mergeLater(other[k]))) commit();
}

/** Labelled rows as the classifier reads them. */
export function readRows(
  { report, weight }: ClassifierParts,
  table: ColumnTable,
  { sampleWeight, signal }: RowOptions,
): LabelledRows {
  if (table.length === 0) refuse('E_EMPTY_INPUT', 'there are no rows to learn from', { rows: 0 });
  const { classes, codes } = readTarget(table, report.target); // refuses labels of several types
  const weights = weightsOf(table, weight, sampleWeight);
  return { table, labels: Array.from(codes, (c) => classes[c]), weights, signal };
}

/** Refuses to merge classifiers of different labels. */
function requireSameTarget(mine: string, theirs: string): void {
  if (mine === theirs) return;
  refuse('E_MERGE_MISMATCH', `one classifier predicts ${show(mine)}, the other ${show(theirs)}`, {
    expected: mine,
    actual: theirs,
  });
}

/** The parts with counts of their own. */
export function copyParts(parts: ClassifierParts): ClassifierParts {
  return keepsCounts(parts) ? { ...parts, predictors: parts.predictors.map((predictor) => predictor.copy()) } : parts;
}

/** A calibrator for the classifier as it is now, fitted to rows that it has not learned. */
export function* fitCurve(
  parts: ClassifierParts,
  table: ColumnTable,
  options: CalibrateOptions,
  plain: PlainScores = plainScores(parts, table),
): Steps<Curve> {
  const { method, minRows = MIN_ROWS } = options;
  if (method !== undefined && !curveMethods.includes(method)) {
    refuse('E_PARAM', `method is 'sigmoid', 'isotonic' or 'temperature', got ${show(method)}`, { name: 'method' });
  }
  if (!(minRows >= 0)) refuse('E_PARAM', `minRows is a number of rows, got ${show(minRows)}`, { name: 'minRows' });
  const training = readRows(parts, table, options);
  const classes = classesOf(parts);
  const codes = codesIn(classes, training.labels);
  const { weights } = training;
  requireClasses(classes);
  const methods = methodsFor({ codes, weights }, classes.length, method ?? true, minRows);
  if (methods.length === 0) {
    const { sentence, ...details } = tooFewRows(method ?? true, codes, classes, minRows);
    refuse('E_CLASS_TOO_SMALL', sentence, details);
  }
  const factors = classFactorsOf({ classes, codes, weights }, parts.report);
  const answers = { logProba: plain.logProba, ...weighClasses({ codes, weights }, factors) };
  const folds = groupedFolds(codes, Int32Array.from(codes.keys()), 0).map((fold) => Math.max(0, fold));
  const { method: best } = (yield* within(choosePosterior(methods, answers, folds), 0, 0.7))!; // there is a method to choose
  yield { share: 0.7, what: best };
  return {
    calibration: fitPosterior(best, answers),
    classes,
    rows: table.length,
    on: 'held-out rows',
    learned: learnedWeight(parts),
    ordinary: ordinaryCount(plain.present()),
  };
}

/** A calibrator, and the log-posteriors of its rows before, and after by calibrators that were fitted to the other folds. */
export interface FoldedCurve {
  readonly curve: Curve;
  readonly before: Matrix;
  readonly after: Matrix;
}

/** How many rows are scored in a step. */
const SCORED_AT_ONCE = 1024;

/** Fits a calibrator and evaluates it by folds. Every row is scored once. */
export function* curveSteps(
  parts: ClassifierParts,
  table: ColumnTable,
  folds: readonly { readonly train: readonly number[]; readonly test: readonly number[] }[],
  options: CalibrateOptions,
): Steps<FoldedCurve> {
  const scored: Scores[] = [];
  for (let at = 0; at < table.length; at += SCORED_AT_ONCE) {
    yield { share: (0.6 * at) / table.length, what: 'scoring' };
    const length = Math.min(SCORED_AT_ONCE, table.length - at);
    scored.push(plainScores(parts, table.take(Int32Array.from({ length }, (_, i) => at + i))));
  }
  const present = concat(scored.map((own) => own.present()));
  const data = concat(scored.map(({ logProba }) => logProba.data));
  const logProba = new Matrix(table.length, data.length / table.length, data);
  const plain = { logProba, present: () => present };
  const curve = yield* within(fitCurve(parts, table, options, plain), 0.6, 0.85);
  const before = parts.curve ? calibrated(parts, parts.curve, plain) : logProba;
  const after = new Matrix(before.rows, before.cols);
  const own = { ...options, method: curve.calibration.method, minRows: 0 }; // they were checked for all rows together
  const someOf = (rows: readonly number[]): PlainScores => ({
    logProba: selectRows(logProba, rows),
    present: () => Float64Array.from(rows, (row) => present[row]),
  });
  for (const [k, { train, test }] of folds.entries()) {
    yield { share: 0.85 + (0.15 * k) / folds.length, what: `fold ${k + 1} of ${folds.length}` };
    const fitted = finish(fitCurve(parts, table.take(train), own, someOf(train)));
    const found = calibrated(parts, fitted, someOf(test));
    for (const [i, row] of test.entries()) after.row(row).set(found.row(i));
  }
  return { curve, before, after };
}

function codesIn(classes: readonly Label[], labels: readonly Label[]): Int32Array {
  const codes = moves(labels, classes);
  const unknown = codes.indexOf(-1);
  if (unknown >= 0) {
    const label = labels[unknown];
    refuse('E_CLASS_UNKNOWN', `row ${unknown}: the class ${show(label)} was never learned`, {
      row: unknown,
      class: label,
    });
  }
  return codes;
}

/** What a classifier says of a row. */
export interface Classification<L extends Label = Label> {
  /** The most probable class, also of a row on which it abstains. */
  readonly label: L;
  readonly probability: number;
  /** In the order of `classes`. */
  readonly probabilities: readonly { readonly label: L; readonly probability: number }[];
  /** ln p(x): how ordinary the row is; null where no model gives one. */
  readonly logEvidence: number | null;
  /** The answer is less probable than asked for, or the row says nothing. */
  readonly abstained: boolean;
}

/** Why a row got its label: rest + terms = score, class by class, in nats. */
export interface ClassifierExplanation<L extends Label = Label> {
  readonly label: L;
  readonly classes: readonly L[];
  /** What each cell, or each word of a text, adds; the most decisive first. */
  readonly terms: readonly Term[];
  /** What belongs to no feature: priors, biases, and what makes shares of probabilities. */
  readonly rest: Float64Array;
  /** The pooled score; its softmax is the posterior before curves. */
  readonly score: Float64Array;
}

/** The class of each row, with probabilities. */
export function classifyRows<L extends Label>(parts: ClassifierParts, table: ColumnTable): Classification<L>[] {
  const { reject } = parts;
  const classes = classesOf(parts) as readonly L[];
  const { logProba, logEvidence, present: count } = scoreTable(parts, table, true);
  const present = count();
  return Array.from({ length: table.length }, (_, i) => {
    const logs = logProba.row(i);
    const probabilities = classes.map((label, c) => ({ label, probability: Math.exp(logs[c]) }));
    const { label, probability } = probabilities[argmax(logs)];
    return {
      label,
      probability,
      probabilities,
      logEvidence: logEvidence?.[i] ?? null,
      abstained: present[i] === 0 || probability < reject,
    };
  });
}

/** Why the first row gets its label: what each predictor says, as much as it counts. */
export function explainRow<L extends Label>(parts: ClassifierParts, table: ColumnTable): ClassifierExplanation<L> {
  const { predictors } = parts;
  const classes = classesOf(parts) as readonly L[];
  const [pool] = poolsOf(parts, table.length, plainScores(parts, table).present).pools;
  const rest = Float64Array.from(classes, (_, c) => pool.bias[c] ?? 0);
  const terms = predictors.flatMap((predictor, k) => {
    const weigh = (values: Float64Array) => values.map((value) => value * pool.weights[k]);
    const own = predictor.terms(table);
    weigh(own.rest).forEach((value, c) => {
      rest[c] += value;
    });
    return own.terms.map((term) => ({ ...term, byClass: weigh(term.byClass) }));
  });
  const score = rest.map((start, c) => terms.reduce((sum, { byClass }) => sum + byClass[c], start));
  const [{ label }] = classifyRows<L>(parts, table);
  const spreads = new Map(terms.map((term) => [term, spreadOf(term)]));
  terms.sort((a, b) => spreads.get(b)! - spreads.get(a)!);
  return { label, classes: [...classes], terms, rest, score };
}

/** By how much a term sets the classes apart. */
function spreadOf({ byClass }: Term): number {
  let [least, most] = [byClass[0], byClass[0]];
  for (const value of byClass) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return most - least;
}
