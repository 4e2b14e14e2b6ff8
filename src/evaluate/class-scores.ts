import {
  type GivenOptions,
  type Option,
  type OptionSpec,
  type OptionValues,
  readOptions,
  weightOption,
} from '../core/options.ts';
import { type Label, moves } from '../data/labels.ts';
import { refuse, show } from '../errors.ts';
import { type Answers, readLabelSets, rowTotals, setTotals } from './label-rows.ts';
import { numpySum } from './numpy.ts';
import { labelsOption, type Pair, positiveOption, readClassList, readPair, requireClassType } from './targets.ts';

/**
 * How the values of the classes are averaged: only the positive class, over all rows, unweighted, by support; 'samples' is the mean over
 * rows with several labels.
 */
type Average = 'binary' | 'micro' | 'macro' | 'weighted' | 'samples';

/** No average: one value per class. */
export type NoAverage = null | 'none';

/** The value of 0 / 0; 'warn' is 0, as in scikit-learn, but without the warning. */
type ZeroDivision = 0 | 1 | 'warn' | number;

/** Options under which a score is one value per class. */
export type PerClass<O> = Omit<O, 'average'> & { readonly average: NoAverage };

const averages = ['binary', 'micro', 'macro', 'weighted', 'samples', 'none', null];
/** How the values of the classes become one. */
const averageOption: Option<Average | NoAverage> = {
  kind: 'custom',
  default: 'binary',
  expects: "'binary', 'micro', 'macro', 'weighted', 'samples', or null for one value per class",
  accept: (value) => (averages.includes(value as Average) ? (value as Average) : undefined),
};

const zeroDivision: Option<ZeroDivision> = {
  kind: 'custom',
  default: 'warn',
  expects: "0, 1, NaN or 'warn'",
  accept: (value) =>
    value === 0 || value === 1 || value === 'warn' || Number.isNaN(value) ? (value as ZeroDivision) : undefined,
};

/** The option `zeroDivision`. */
export const zeroDivisionOption = {
  /** The value of 0 / 0; 'warn' is 0. Default: 'warn'. */
  zeroDivision,
} satisfies OptionSpec;

/** The options of precision, recall, F and Jaccard. */
export const classScoreSpec = {
  ...labelsOption,
  ...positiveOption,
  /** The average over classes; null (or 'none') gives one value per class. Default: 'binary'. */
  average: averageOption,
  ...weightOption,
  ...zeroDivisionOption,
} satisfies OptionSpec;

/** Options of precision, recall, F and Jaccard. */
export type ClassScoreOptions = GivenOptions<typeof classScoreSpec>;

type Read = OptionValues<typeof classScoreSpec>;

/** Right, predicted and true weight of each class. */
export interface ClassTotals {
  readonly right: readonly number[];
  readonly predicted: readonly number[];
  readonly actual: readonly number[];
  /** What each weighs in their mean, where they are totals of rows. */
  readonly weights?: readonly number[];
}

/**
 * The totals of checked rows under the wanted labels; a label that never occurs has none. Rows are added one by one and
 * totals put together from their parts, right + (all − right), because printed weights show the last digit.
 */
export function classTotals(pair: Pair, wanted: readonly Label[] = pair.classes): ClassTotals {
  const [right, predicted, actual] = Array.from({ length: 3 }, () => new Float64Array(pair.classes.length));
  for (let i = 0; i < pair.truth.length; i++) {
    const [truth, guess, weight] = [pair.truth[i], pair.guess[i], pair.weights[i]];
    actual[truth] += weight;
    predicted[guess] += weight;
    if (truth === guess) right[truth] += weight;
  }
  const place = moves(wanted, pair.classes);
  const pick = (all: Float64Array) => Array.from(place, (c) => (c < 0 ? 0 : right[c] + (all[c] - right[c])));
  return { right: pick(right), predicted: pick(predicted), actual: pick(actual) };
}

/** a / b, and the stand-in where b is 0. */
function divide(a: number, b: number, standIn: ZeroDivision): number {
  return b === 0 ? (standIn === 'warn' ? 0 : standIn) : a / b;
}

function total({ right, predicted, actual }: ClassTotals): ClassTotals {
  return { right: [numpySum(right)], predicted: [numpySum(predicted)], actual: [numpySum(actual)] };
}

/** Precision, recall and F by class, or averaged. */
export interface ClassScores<V> {
  readonly precision: V;
  readonly recall: V;
  readonly fscore: V;
}

/**
 * By class, with r right of p predicted and t true:
 *
 *   precision r / p,  recall r / t,  F = (1 + β²) r / (β² t + p)        (1)
 */
export function scoreClasses(totals: ClassTotals, beta: number, standIn: ZeroDivision): ClassScores<number[]> {
  const { right, predicted, actual } = totals;
  const precision = right.map((r, c) => divide(r, predicted[c], standIn));
  const recall = right.map((r, c) => divide(r, actual[c], standIn));
  if (beta === Infinity) return { precision, recall, fscore: recall };
  const fscore = right.map((r, c) => divide((1 + beta ** 2) * r, beta ** 2 * actual[c] + predicted[c], standIn));
  return { precision, recall, fscore: beta === 0 ? precision : fscore };
}

/** The mean of the values that are numbers, by weight where any of those has weight; NaN of none. */
function meanOfDefined(values: readonly number[], weights?: readonly number[]): number {
  const kept = values.flatMap((value, c) => (Number.isNaN(value) ? [] : [c]));
  if (kept.length === 0) return Number.NaN;
  const whole = weights === undefined ? 0 : numpySum(kept.map((c) => weights[c]));
  if (weights === undefined || whole === 0) return numpySum(kept.map((c) => values[c])) / kept.length;
  return numpySum(kept.map((c) => values[c] * weights[c])) / whole;
}

/** Precision, recall and F under an average. */
export function averageScores(
  totals: ClassTotals,
  average: Average,
  beta: number,
  standIn: ZeroDivision,
): ClassScores<number> {
  const scores = scoreClasses(average === 'micro' ? total(totals) : totals, beta, standIn);
  const weights = average === 'weighted' ? totals.actual : totals.weights;
  return {
    precision: meanOfDefined(scores.precision, weights),
    recall: meanOfDefined(scores.recall, weights),
    fscore: meanOfDefined(scores.fscore, weights),
  };
}

/** The one label of a binary average: the positive class, which two classes must contain. */
function requirePositive(classes: readonly Label[], given: Label | null): Label {
  if (classes.length > 2) {
    refuse('E_PARAM', `there are ${classes.length} classes: average 'binary' evaluates one of two; choose another`, {
      name: 'average',
      actual: classes.length,
    });
  }
  if (given !== null) requireClassType(given, classes, 'posLabel');
  const positive = given ?? (typeof classes[0] === 'boolean' ? true : 1);
  const asked = given !== null || typeof classes[0] !== 'string';
  if (!classes.includes(positive) && (classes.length === 2 || !asked)) {
    refuse('E_PARAM', `posLabel ${show(positive)} is not one of the classes ${classes.map(show).join(', ')}`, {
      name: 'posLabel',
    });
  }
  return positive;
}

/** Reads labels and options into the totals of the classes to be evaluated. */
export function readTotals(yTrue: Answers, yPred: Answers, options: Read): ClassTotals {
  const sets = readLabelSets(yTrue, yPred, options.sampleWeight);
  if (sets ? options.average === 'binary' : options.average === 'samples') {
    const rows = sets ? 'rows have several labels' : 'rows have one label each';
    refuse('E_PARAM', `average '${options.average}' cannot be used: ${rows}`, { name: 'average' });
  }
  if (sets) {
    const own = options.labels === null ? undefined : readClassList(options.labels);
    return options.average === 'samples' ? rowTotals(sets, own) : setTotals(sets, own);
  }
  const pair = readPair(yTrue, yPred, options.sampleWeight);
  if (options.average === 'binary') return classTotals(pair, [requirePositive(pair.classes, options.posLabel)]);
  if (options.labels === null) return classTotals(pair);
  const wanted = readClassList(options.labels);
  requireClassType(wanted[0], pair.classes, 'labels');
  return classTotals(pair, wanted);
}

const beta: Option<number> = {
  kind: 'real',
  default: 1,
  expects: 'a number ≥ 0',
  accept: (value) => (typeof value === 'number' && value >= 0 ? value : undefined),
};
const averagedSpec = {
  ...classScoreSpec,
  /** The average over classes; null (or 'none') gives one value per class. Default: null. */
  average: { ...classScoreSpec.average, default: null as NoAverage },
  /** The weight of recall relative to precision; Infinity is recall alone. Default: 1. */
  beta,
} satisfies OptionSpec;

/** Options of `precisionRecallFscoreSupport`: as for F, but by default beta is 1 and average is null. */
export type PrecisionRecallOptions = GivenOptions<typeof averagedSpec>;

/** Options of `fbetaScore`. */
export type FbetaScoreOptions = ClassScoreOptions & {
  /** The weight of recall relative to precision; Infinity is recall alone. */
  readonly beta: number;
};

const isNone = (average: unknown): average is NoAverage => average === null || average === 'none';

/** One of precision, recall and F, by class or averaged. */
function pick(
  field: keyof ClassScores<number>,
  totals: ClassTotals,
  { average, zeroDivision }: Read,
  beta = 1,
): number | number[] {
  if (isNone(average)) return scoreClasses(totals, beta, zeroDivision)[field];
  return averageScores(totals, average, beta, zeroDivision)[field];
}

const scoreBy = (field: keyof ClassScores<number>, yTrue: Answers, yPred: Answers, read: Read, beta?: number) =>
  pick(field, readTotals(yTrue, yPred, read), read, beta);

/**
 * Precision: of the rows predicted as a class, the share that is of it. By default of the positive class of two; `average` names other
 * ways, and null (or 'none') gives one value per class, in the order of `labels`.
 */
export function precisionScore(yTrue: Answers, yPred: Answers, options: PerClass<ClassScoreOptions>): number[];
export function precisionScore(yTrue: Answers, yPred: Answers, options?: ClassScoreOptions): number;
export function precisionScore(yTrue: Answers, yPred: Answers, options: ClassScoreOptions = {}): number | number[] {
  return scoreBy('precision', yTrue, yPred, readOptions('precisionScore', classScoreSpec, options));
}

/** Recall: of the rows of a class, the share that was predicted as it. Options as for `precisionScore`. */
export function recallScore(yTrue: Answers, yPred: Answers, options: PerClass<ClassScoreOptions>): number[];
export function recallScore(yTrue: Answers, yPred: Answers, options?: ClassScoreOptions): number;
export function recallScore(yTrue: Answers, yPred: Answers, options: ClassScoreOptions = {}): number | number[] {
  return scoreBy('recall', yTrue, yPred, readOptions('recallScore', classScoreSpec, options));
}

/** F₁: the harmonic mean of precision and recall, 2r / (t + p). Options as for `precisionScore`. */
export function f1Score(yTrue: Answers, yPred: Answers, options: PerClass<ClassScoreOptions>): number[];
export function f1Score(yTrue: Answers, yPred: Answers, options?: ClassScoreOptions): number;
export function f1Score(yTrue: Answers, yPred: Answers, options: ClassScoreOptions = {}): number | number[] {
  return scoreBy('fscore', yTrue, yPred, readOptions('f1Score', classScoreSpec, options));
}

/** F_β = (1 + β²) r / (β² t + p), with r right of p predicted and t true. Options as for `precisionScore`. */
export function fbetaScore(yTrue: Answers, yPred: Answers, options: PerClass<FbetaScoreOptions>): number[];
export function fbetaScore(yTrue: Answers, yPred: Answers, options: FbetaScoreOptions): number;
export function fbetaScore(yTrue: Answers, yPred: Answers, options: FbetaScoreOptions): number | number[] {
  const required = { ...beta, default: undefined } as unknown as Option<number>;
  const { beta: factor, ...read } = readOptions('fbetaScore', { ...classScoreSpec, beta: required }, options);
  return scoreBy('fscore', yTrue, yPred, read, factor);
}

/** Jaccard: r / (t + p − r), what is shared over what either list has. Options as for `precisionScore`. */
export function jaccardScore(yTrue: Answers, yPred: Answers, options: PerClass<ClassScoreOptions>): number[];
export function jaccardScore(yTrue: Answers, yPred: Answers, options?: ClassScoreOptions): number;
export function jaccardScore(yTrue: Answers, yPred: Answers, options: ClassScoreOptions = {}): number | number[] {
  const read = readOptions('jaccardScore', classScoreSpec, options);
  const totals = readTotals(yTrue, yPred, read);
  const either = totals.actual.map((t, c) => t + totals.predicted[c] - totals.right[c]);
  // r / (t + p − r) is a recall whose "true" rows are those of either list.
  const shared = { ...totals, actual: either };
  if (read.average !== 'weighted') return pick('recall', shared, read);
  return meanOfDefined(scoreClasses(shared, 1, read.zeroDivision).recall, totals.actual);
}

/** Precision, recall and F by class with their support, or one value each (and no support) under an average. */
export function precisionRecallFscoreSupport(
  yTrue: Answers,
  yPred: Answers,
  options: Omit<PrecisionRecallOptions, 'average'> & { readonly average?: NoAverage | undefined },
): [precision: number[], recall: number[], fscore: number[], support: number[]];
export function precisionRecallFscoreSupport(
  yTrue: Answers,
  yPred: Answers,
  options?: PrecisionRecallOptions,
): [precision: number | number[], recall: number | number[], fscore: number | number[], support: number[] | null];
export function precisionRecallFscoreSupport(
  yTrue: Answers,
  yPred: Answers,
  options: PrecisionRecallOptions = {},
): [precision: number | number[], recall: number | number[], fscore: number | number[], support: number[] | null] {
  const { beta: factor, ...read } = readOptions('precisionRecallFscoreSupport', averagedSpec, options);
  const totals = readTotals(yTrue, yPred, read);
  const support = isNone(read.average) ? [...totals.actual] : null;
  return [pick('precision', totals, read), pick('recall', totals, read), pick('fscore', totals, read, factor), support];
}
