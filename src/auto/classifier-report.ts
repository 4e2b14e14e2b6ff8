import { integer, type OptionSpec } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import type { Level } from '../data/levels.ts';
import type { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { placeOfClass } from '../estimators/inside.ts';
import { nomogram } from '../estimators/nomogram.ts';
import { wilsonInterval } from '../evaluate/intervals.ts';
import { meanAccuracy, meanLogLoss, type Truth } from '../evaluate/log-proba.ts';
import type { CurveMethod } from '../evaluate/posterior-calibration.ts';
import { countCodes, sum } from '../math/arrays.ts';
import { insightOf } from '../models/insights.ts';
import type { ClassifierParts, FitReport } from './classifier-fit.ts';
import { type ClassifierOptions, classWeightOf, type Dataset } from './classifier-options.ts';
import {
  bestOfEach,
  type ClassifierInformative,
  featureMeaning,
  hasTelling,
  informativeOfLearner,
} from './informative.ts';
import { RecordLearner } from './learner.ts';
import { familyOf, priorShift } from './learner-families.ts';
import type { Schema } from './schema.ts';
import { findWarnings, isOfCounts, smallClasses } from './warnings.ts';

/** How good a classifier is on rows that it had not learned. */
export interface Evaluation {
  readonly on: string;
  readonly rows: number;
  readonly accuracy: number;
  readonly interval: readonly [low: number, high: number];
  readonly logLoss: number;
}

/** Evaluates log-posteriors of labelled rows; the interval is Wilson's, for as many rows as there are. */
export function evaluate(logProba: Matrix, truth: Truth, on: string): Evaluation {
  const rows = truth.codes.length;
  const accuracy = meanAccuracy(logProba, truth);
  const { low, high } = wilsonInterval(Math.round(accuracy * rows), rows);
  return { on, rows, accuracy, interval: [low, high], logLoss: meanLogLoss(logProba, truth) };
}

/** What is known of a fit beside its rows; nothing of one that was not evaluated. */
export interface FitFindings extends Partial<Pick<FitReport, 'tried' | 'columns' | 'informative'>> {
  readonly model: string;
  /** Log-posteriors of held-out rows. */
  readonly answers?: (Truth & { readonly logProba: Matrix }) | undefined;
  /** Rows that are alike have one number. */
  readonly groups?: Int32Array | undefined;
  /** The rows of each class, where the dataset is a sample of them. */
  readonly counts?: Float64Array | undefined;
  readonly classFactors?: Float64Array | undefined;
  /** Why there is no calibrator although one was wanted. */
  readonly uncalibrated?: string | undefined;
}

/** The report of a fit; what was tried was chosen by the same folds that evaluate. */
export function describeFit(
  { schema, classes, codes }: Pick<Dataset, 'schema' | 'classes' | 'codes'>,
  options: Pick<ClassifierOptions, 'target' | 'seed' | 'classWeight'>,
  { model, tried = [], columns = [], answers, informative, uncalibrated, ...found }: FitFindings,
): FitReport {
  const { groups = codes.map((_, i) => i), counts = countCodes(codes, classes.length), classFactors } = found;
  const warnings = findWarnings({ schema, classes, codes, groups, counts, alone: columns, answers, classFactors });
  const chosen = tried.length > 0 ? '; models were chosen by the same folds' : '';
  const on = `five folds of the training rows, each evaluated by what the others taught${chosen}`;
  return {
    ...{ target: options.target, model, seed: options.seed ?? 0, schema, tried, columns },
    evaluation: answers ? evaluate(answers.logProba, answers, on) : null,
    warnings: [
      ...warnings.filter(({ kind }) => !isOfCounts(kind)),
      ...(uncalibrated ? [{ kind: 'uncalibrated' as const, sentence: uncalibrated }] : []),
    ],
    ...(informative && { informative }),
    ...classWeightOf(options),
  };
}

/** What is known of a classifier now: how it was fitted, and what it has learned since. */
export interface ClassifierReport extends FitReport {
  readonly classes: readonly Label[];
  /** The model in a few words. */
  readonly summary: string;
  /** The columns that are neither features nor the target, each with the reason. */
  readonly ignored: readonly { readonly name: string; readonly reason: string }[];
  /** What the counts hold now; null where none are kept. */
  readonly learned: {
    readonly weight: number;
    readonly classes: readonly { readonly label: Label; readonly weight: number }[];
  } | null;
  /** How probabilities are calibrated; null if they are not, or by the pool alone. */
  readonly calibration: {
    readonly method: CurveMethod;
    readonly on: string;
    readonly rows: number;
    /** Rows were learned or unlearned since; the curve stays until it is calibrated again. */
    readonly stale: boolean;
  } | null;
}

/** The family behind a classifier, where it is one that counts. */
export function countingOf({ predictors: [first] }: Pick<ClassifierParts, 'predictors'>): RecordLearner | undefined {
  return first instanceof RecordLearner ? first : undefined;
}

/** The classes as they are now. */
export function classesOf({ predictors: [first], classes }: ClassifierParts): readonly Label[] {
  return first.classes ?? classes;
}

/** The weight of all that was learned; null where it is not kept. */
export function learnedWeight({ predictors: [first] }: ClassifierParts): number | null {
  const { classCount } = first;
  return classCount ? sum(classCount) : null;
}

/** Which informative features are asked for. */
export interface ClassifierInformativeOptions<L extends Label = Label> {
  /** The class whose evidence is listed. Default: all classes, one after the other. */
  readonly class?: L | undefined;
  /** The number of features per class; an ensemble has at most 30. Default: 10. */
  readonly k?: number | undefined;
}

/** What speaks most for each class, by the counts of a family or as it was found when a pool was fitted. */
export function informativeOf(parts: ClassifierParts, options: ClassifierInformativeOptions): ClassifierInformative[] {
  const { class: only, k = 10 } = options;
  const classes = classesOf(parts);
  if (only !== undefined) placeOfClass(classes, only);
  const counting = countingOf(parts);
  if (counting && hasTelling(counting)) return informativeOfLearner(counting, only, k);
  const { informative } = parts.report;
  if (!informative) {
    const what = 'mostInformative';
    return refuse('E_CONFLICT', 'this model does not store the evidence for its classes; explain a row instead', {
      method: what,
    });
  }
  return bestOfEach(informative, only === undefined ? classes : [only], k);
}

/** The report of a classifier as it is now. */
export function reportOf(parts: ClassifierParts): ClassifierReport {
  const { report, curve } = parts;
  const classes = classesOf(parts);
  const counting = countingOf(parts);
  const weight = learnedWeight(parts);
  const counts = parts.predictors[0].classCount ?? new Float64Array(classes.length);
  return {
    ...structuredClone(report),
    warnings: [...report.warnings, ...(weight ? smallClasses(classes, counts, report.classWeight !== undefined) : [])],
    classes,
    ignored: ignoredIn(report.schema),
    summary: counting ? describe(counting) : describePool(report),
    learned: weight === null ? null : { weight, classes: classes.map((label, c) => ({ label, weight: counts[c] })) },
    calibration: curve
      ? {
          method: curve.calibration.method,
          on: curve.on,
          rows: curve.rows,
          stale: curve.learned !== weight || curve.classes.length !== classes.length,
        }
      : null,
  };
}

function ignoredIn({ columns }: Schema): ClassifierReport['ignored'] {
  return columns.filter(({ role }) => role === 'ignored').map(({ name, reason }) => ({ name, reason }));
}

const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** 'multinomial naive Bayes, α = 0.3, 1–2-grams, 8,713 words, 2 classes'. */
function describe({ plan, texts, alpha, classes }: RecordLearner): string {
  const words = texts.map(({ step, width }) => {
    const {
      ngramRange: [low, high],
      analyzer,
      binary,
    } = step.getParams();
    const grams = high === 1 ? '' : `${low === high ? low : `${low}–${high}`}-grams, `;
    const characters = typeof analyzer === 'string' && analyzer.startsWith('char') ? 'of characters, ' : '';
    const kind = step instanceof CountVectorizer ? 'words' : 'hashed columns';
    return `${binary ? 'set of words, ' : ''}${grams}${characters}${grouped(width)} ${kind}`;
  });
  const others = plan.columns.length - texts.length;
  return [
    familyOf(plan.model).title,
    ...(typeof alpha === 'number' ? [`α = ${alpha}`] : []),
    ...words,
    ...(others > 0 ? [`${others} ${others === 1 ? 'column' : 'columns'}`] : []),
    `${classes.length} ${classes.length === 1 ? 'class' : 'classes'}`,
  ].join(', ');
}

/** 'ensemble of 2 models; best single: characters 3–5: multinomial; log-loss 0.046, the best alone 0.048'. */
function describePool({ tried, model }: FitReport): string {
  const members = tried.filter(({ weight }) => weight !== undefined);
  const names = members.filter(({ chosen }) => chosen).map(({ name }) => name);
  if (names.length < 2) return names[0] ?? model; // a file of format 1 does not list the only model
  const together = tried.filter(({ weight, chosen }) => chosen && weight === undefined);
  const alone = Math.min(...members.map(({ logLoss }) => logLoss));
  const better = together.length === 1 && together[0].logLoss < alone; // members alone are not cross-fitted
  const why = better ? `; log-loss ${together[0].logLoss.toFixed(3)}, the best alone ${alone.toFixed(3)}` : '';
  const [best] = members.filter(({ chosen }) => chosen).sort((a, b) => a.logLoss - b.logLoss);
  return `ensemble of ${names.length} models; best single: ${best.name}${why}`;
}

/** Which axes a nomogram has. */
export interface ClassifierNomogramOptions {
  /** The number of axes. Default: 10. */
  readonly k?: number | undefined;
}

export const nomogramSpec = { k: integer({ default: 10, min: 1 }) } satisfies OptionSpec;

/** The axis of a column, or of a word of a text. */
export interface ClassifierNomogramAxis {
  /** The column. */
  readonly feature: string;
  /** The word, where the column is a text. */
  readonly word?: string;
  /** What each value adds to the score of each class, in nats. */
  readonly points: readonly { readonly value: Level | null; readonly byClass: Float64Array }[];
}

/**
 * A classifier of one family as a nomogram: `prior`, `rest` and a point of every axis add up to the scores of a row in which all other
 * columns are missing and no other word occurs. Their softmax is the posterior before calibration.
 */
export interface ClassifierNomogram<L extends Label = Label> {
  readonly classes: readonly L[];
  readonly prior: Float64Array;
  /** What the absence of all words without an axis adds. */
  readonly rest: Float64Array;
  readonly axes: readonly ClassifierNomogramAxis[];
  /** How many features there are, with an axis or without. */
  readonly features: number;
}

/** The most axes of columns, if there are words too. */
const MOST_COLUMNS = 8;

/** The nomogram of the family behind a classifier; refuses an ensemble, and a family whose score is no sum over features. */
export function nomogramOf(parts: ClassifierParts, k: number): ClassifierNomogram {
  const counting = countingOf(parts);
  if (!counting) {
    return refuse(
      'E_CONFLICT',
      'an ensemble has no nomogram: its score is no sum over features; fit one family by its name',
      {
        method: 'nomogram',
      },
    );
  }
  const { estimator, plan } = counting;
  const { model, params, features, name } = estimator.inside();
  const meaning = featureMeaning(counting, name);
  const places = Array.from({ length: features }, (_, j) => j);
  const names = places.map(String); // an axis is then named by its place
  const columns = places.filter((j) => meaning(j).word === undefined);
  const own = columns.length < features ? nomogram(estimator, { names, features: columns }).axes : [];
  const first = [...own].sort((a, b) => widthOf(b.points) - widthOf(a.points)).slice(0, Math.min(k, MOST_COLUMNS));
  const more = nomogram(estimator, { names, k }).axes;
  const known = new Set(first.map(({ feature }) => feature));
  const axes = [...first, ...more.filter(({ feature }) => !known.has(feature))].slice(0, k);
  const prior = model.logPrior(params as never).slice();
  const shift = priorShift(estimator, plan.priors);
  return {
    classes: classesOf(parts),
    prior: shift ? prior.map((log, c) => log + shift[c]) : prior,
    rest: absenceOf(
      places.filter((j) => meaning(j).word !== undefined && !axes.some(({ feature }) => Number(feature) === j)),
      prior.length,
      (j, out) => insightOf(model).contribution?.(params as never, j, 0, out),
    ),
    axes: axes.map(({ feature, points }) => {
      const { column, word } = meaning(Number(feature));
      const marks = points.map(({ value, byClass }) => ({ value, byClass }));
      return { feature: column, ...(word !== undefined && { word }), points: marks };
    }),
    features,
  };
}

/** By how much the points of an axis set the classes apart. */
function widthOf(points: readonly { readonly byClass: Float64Array }[]): number {
  const gaps = points.map(({ byClass }) => Math.max(...byClass) - Math.min(...byClass));
  return Math.max(0, ...gaps);
}

function absenceOf(
  words: readonly number[],
  classes: number,
  add: (j: number, out: Float64Array) => void,
): Float64Array {
  const [sum, out] = [new Float64Array(classes), new Float64Array(classes)];
  for (const j of words) {
    out.fill(0);
    add(j, out);
    for (let c = 0; c < classes; c++) sum[c] += out[c];
  }
  return sum;
}
