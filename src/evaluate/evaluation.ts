import { Matrix } from '../data/matrix.ts';
import { compareCodePoints } from '../data/order.ts';
import { argmax } from '../math/arrays.ts';
import { confusionMatrix } from './confusion.ts';
import { type DecisionRule, decideRow } from './decision-rule.ts';
import { type Interval, wilsonInterval } from './intervals.ts';
import { brierScoreLoss, logLoss } from './probability-metrics.ts';
import { expectedCalibrationError } from './reliability.ts';
import { classificationReport, type ReportDict, type ReportLine } from './report.ts';

/** Rows with their labels and the log-probabilities of a model; labels are strings. */
export interface ScoredRows {
  readonly classes: readonly string[];
  readonly truth: readonly string[];
  readonly logProba: Matrix;
  /** The decision rule; the most probable label by default. */
  readonly rule?: DecisionRule | undefined;
}

/** A number and its 95 % confidence interval. */
export interface Bounded {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** All scores of an evaluation. */
export interface Evaluation {
  /** The evaluated rows: held-out rows, folds, or a file. */
  readonly on: string;
  readonly rows: number;
  readonly accuracy: Bounded;
  /** scikit-learn's report as data. */
  readonly report: ReportDict;
  /** Intervals of precision and recall by class. */
  readonly intervals: Readonly<Record<string, { readonly precision: Bounded; readonly recall: Bounded }>>;
  /** Of the rows whose label the model knows; null if there are none, or only one class. */
  readonly logLoss: number | null;
  readonly brier: number | null;
  readonly calibrationError: number | null;
  readonly confusion: { readonly labels: readonly string[]; readonly matrix: readonly (readonly number[])[] };
  /** Rows whose label the model does not know. */
  readonly unknown: number;
}

const bounded = ({ value, low, high }: Interval): Bounded => ({ value: Number.isNaN(value) ? 0 : value, low, high });

/** A share of rows with its interval by Wilson. */
export const shareOf = (right: number, rows: number): Bounded => bounded(wilsonInterval(right, rows));

/** The labels that a model gives. */
export function guessesOf({ classes, logProba, rule }: ScoredRows): string[] {
  const placeOf = (row: Float64Array) => (rule ? decideRow(rule, row.map(Math.exp)).place : argmax(row));
  return Array.from({ length: logProba.rows }, (_, i) => classes[placeOf(logProba.row(i))]);
}

/** The `most` most confident errors: row number, predicted label and its probability, the most confident first. */
export function confidentErrors(scored: ScoredRows, most?: number): { i: number; guess: string; sure: number }[] {
  const { classes, truth, logProba } = scored;
  const wrong = guessesOf(scored).flatMap((guess, i) =>
    guess === truth[i] ? [] : [{ i, guess, sure: Math.exp(logProba.at(i, classes.indexOf(guess))) }],
  );
  return wrong.sort((a, b) => b.sure - a.sure).slice(0, most);
}

/** Evaluates predictions of labelled rows. */
export function evaluateRows(scoredRows: ScoredRows, on: string): Evaluation {
  const { classes, truth } = scoredRows;
  const guesses = guessesOf(scoredRows);
  const labels = [...new Set([...truth, ...guesses])].sort(compareCodePoints);
  const right = truth.filter((label, i) => label === guesses[i]).length;
  const matrix = confusionMatrix(truth, guesses, { labels });
  const known = new Set(classes);
  return {
    on,
    rows: truth.length,
    accuracy: shareOf(right, truth.length),
    report: classificationReport(truth, guesses, { outputDict: true }),
    intervals: intervalsOf(labels, matrix),
    ...lossesOf(scoredRows, known),
    confusion: { labels, matrix: matrix.toArray() },
    unknown: truth.filter((label) => !known.has(label)).length,
  };
}

function intervalsOf(labels: readonly string[], matrix: Matrix): Evaluation['intervals'] {
  const found: Record<string, { precision: Bounded; recall: Bounded }> = Object.create(null);
  for (const [c, label] of labels.entries()) {
    const right = matrix.at(c, c);
    const actual = matrix.row(c).reduce((sum, count) => sum + count, 0);
    let predicted = 0;
    for (let r = 0; r < matrix.rows; r++) predicted += matrix.at(r, c);
    found[label] = {
      precision: shareOf(right, predicted),
      recall: shareOf(right, actual),
    };
  }
  return found;
}

/** Losses of probabilities, over the rows whose label the model knows. */
function lossesOf({ classes, truth, logProba }: ScoredRows, known: ReadonlySet<string>) {
  const places = [...truth.keys()].filter((i) => known.has(truth[i]));
  if (places.length === 0 || classes.length < 2) return { logLoss: null, brier: null, calibrationError: null };
  const labels = [...classes].sort(compareCodePoints);
  const columns = labels.map((label) => classes.indexOf(label));
  const data = new Float64Array(places.length * labels.length);
  for (let i = 0; i < places.length; i++) {
    const from = places[i] * classes.length;
    for (let c = 0; c < columns.length; c++) data[i * labels.length + c] = Math.exp(logProba.data[from + columns[c]]);
  }
  const proba = new Matrix(places.length, labels.length, data);
  const own = places.map((i) => truth[i]);
  return {
    logLoss: logLoss(own, proba, { labels }),
    brier: brierScoreLoss(own, proba, { labels }),
    calibrationError: expectedCalibrationError(own, proba, { labels }),
  };
}

/** One score of an evaluation by the name that gates use: `accuracy`, `f1`, `spam.recall`, `log-loss` … */
export function scoreNamed(evaluation: Evaluation, name: string): Bounded | undefined {
  const alone = (value: number | null) => (value === null ? undefined : { value, low: value, high: value });
  if (name === 'accuracy') return evaluation.accuracy;
  if (name === 'log-loss') return alone(evaluation.logLoss);
  if (name === 'brier') return alone(evaluation.brier);
  if (name === 'calibration-error') return alone(evaluation.calibrationError);
  const dot = name.lastIndexOf('.');
  const line = dot < 0 ? 'macro avg' : (aliases.get(name.slice(0, dot)) ?? name.slice(0, dot));
  const metric = metrics.get(name.slice(dot + 1));
  const entry = evaluation.report[line];
  if (metric === undefined || typeof entry !== 'object') return undefined;
  const interval = metric === 'f1-score' || metric === 'support' ? undefined : evaluation.intervals[line]?.[metric];
  return interval ?? alone(entry[metric]);
}

const aliases = new Map([
  ['macro', 'macro avg'],
  ['weighted', 'weighted avg'],
]);
const metrics = new Map<string, keyof ReportLine>([
  ['f1', 'f1-score'],
  ['f1-score', 'f1-score'],
  ['precision', 'precision'],
  ['recall', 'recall'],
  ['support', 'support'],
]);

/** The names that gates may use. */
export function scoreNames({ intervals }: Evaluation): string[] {
  const byClass = Object.keys(intervals).flatMap((label) =>
    ['precision', 'recall', 'f1'].map((metric) => `${label}.${metric}`),
  );
  return [
    'accuracy',
    'f1',
    'precision',
    'recall',
    'macro.f1',
    'weighted.f1',
    'log-loss',
    'brier',
    'calibration-error',
    ...byClass,
  ];
}
