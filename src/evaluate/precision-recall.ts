import { type GivenOptions, type Option, type OptionSpec, type OptionValues, weightOption } from '../core/options.ts';
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

/** Precision, recall, F and support by class, or averaged. */
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
export function meanOfDefined(values: readonly number[], weights?: readonly number[]): number {
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
export function readTotals(yTrue: Answers, yPred: Answers, options: OptionValues<typeof classScoreSpec>): ClassTotals {
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
