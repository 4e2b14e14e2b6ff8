import {
  choice,
  type GivenOptions,
  type Option,
  type OptionSpec,
  optional,
  readOptions,
  real,
  weightOption,
} from '../core/options.ts';
import { encodeLabels, type Label } from '../data/labels.ts';
import type { Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import { firstFrom } from '../math/search.ts';
import { areaUnder, precisionRecallOf, rocOf } from './curves.ts';
import { type Answers, areFlags, isLabelRows, type LabelRows, listsOf } from './label-rows.ts';
import { isNear } from './numpy.ts';
import {
  columnOf,
  type LabelledScores,
  readLabelledScores,
  readScores,
  requireColumns,
  type Scores,
} from './scores.ts';
import { labelsOption, positiveOption, readRowWeights, requireClassType, requireLength } from './targets.ts';
import { countThresholds, type Ranked } from './thresholds.ts';

/** How the values of the classes become one; 'samples' averages over rows of several labels, null (or 'none') keeps one value per class. */
type RankingAverage = 'micro' | 'macro' | 'weighted' | 'samples' | 'none' | null;

const averages = ['micro', 'macro', 'weighted', 'samples', 'none', null];
const average: Option<RankingAverage> = {
  kind: 'custom',
  default: 'macro',
  expects: "'micro', 'macro', 'weighted', 'samples', or null for one value per class",
  accept: (value) => (averages.includes(value as RankingAverage) ? (value as RankingAverage) : undefined),
};
const averageOption = {
  /** The average over classes; null (or 'none') gives one value per class. Default: 'macro'. */
  average,
} satisfies OptionSpec;
const rocSpec = {
  ...averageOption,
  ...weightOption,
  /** The largest false positive rate of a standardised partial area. Default: null, the whole area. */
  maxFpr: optional(real({ default: 1, min: 0, max: 1 })),
  /** More than two classes: each against the rest ('ovr'), each against each ('ovo'), or an error ('raise'). Default: 'raise'. */
  multiClass: choice(['raise', 'ovr', 'ovo'], { default: 'raise' }),
  ...labelsOption,
} satisfies OptionSpec;

/** Options of the area under the ROC curve. */
export type RocAucOptions = GivenOptions<typeof rocSpec>;

const precisionSpec = { ...averageOption, ...positiveOption, ...weightOption } satisfies OptionSpec;

/** Options of average precision. */
export type AveragePrecisionOptions = GivenOptions<typeof precisionSpec>;

/** The area under the ROC curve of two kinds of rows; NaN where only one kind has weight. */
export function binaryAuc(ranked: Ranked, maxFpr = 1): number {
  const [fpr, tpr] = rocOf(countThresholds(ranked), maxFpr === 1);
  const whole = areaUnder(fpr, tpr);
  if (maxFpr === 1 || Number.isNaN(whole)) return whole;
  let stop = firstFrom(fpr, maxFpr);
  while (fpr[stop] <= maxFpr) stop++;
  const [x, y] = [fpr.slice(0, stop), tpr.slice(0, stop)];
  const slope = (tpr[stop] - tpr[stop - 1]) / (fpr[stop] - fpr[stop - 1]);
  x.push(maxFpr);
  y.push(tpr[stop - 1] + slope * (maxFpr - fpr[stop - 1]));
  const least = maxFpr ** 2 / 2;
  return 0.5 * (1 + (areaUnder(x, y) - least) / (maxFpr - least));
}

/** −Σ (Rₖ₊₁ − Rₖ) Pₖ down the precision-recall curve. */
function binaryAveragePrecision(ranked: Ranked): number {
  const [precision, recall] = precisionRecallOf(countThresholds(ranked), false);
  let area = 0;
  for (let k = 0; k + 1 < recall.length; k++) area -= (recall[k + 1] - recall[k]) * precision[k];
  return Math.max(0, area);
}

/** Marks the cells of a score table whose label the row has. */
interface Flagged extends Pick<LabelledScores, 'table' | 'weights'> {
  readonly flags: Uint8Array;
}

/** Rows of one label each. */
function flagged({ codes, table, weights }: LabelledScores): Flagged {
  return {
    flags: Uint8Array.from(table.data, (_, k) => Number(codes[Math.floor(k / table.cols)] === k % table.cols)),
    table,
    weights,
  };
}

/** Rows of several labels each: zeros and ones, or lists of labels, whose columns are the sorted labels. */
function readFlagged(yTrue: LabelRows, yScore: Scores, weights: Weights | null): Flagged {
  const truth = listsOf(yTrue);
  const table = readScores(yScore);
  requireLength('yScore', table.rows, truth.length);
  const areAll = areFlags(truth);
  const classes = areAll ? truth[0].map((_, c) => c) : encodeLabels(truth.flat()).classes;
  requireColumns(classes, table.cols);
  const has = (row: readonly Label[], c: number) => (areAll ? row[c] === 1 : row.includes(classes[c]));
  const flags = Uint8Array.from(truth.flatMap((row) => classes.map((_, c) => Number(has(row, c)))));
  return { flags, table, weights: readRowWeights(weights, truth.length) };
}

/** Label c against the rest. */
function against({ flags, table, weights }: Flagged, c: number): Ranked {
  return {
    positive: Uint8Array.from({ length: table.rows }, (_, i) => flags[i * table.cols + c]),
    score: columnOf(table, c),
    weights,
  };
}

/** All labels against their rests at once: every cell is a row. */
function pooled({ flags, table: { cols, data }, weights }: Flagged): Ranked {
  return { positive: flags, score: data, weights: data.map((_, k) => weights[Math.floor(k / cols)]) };
}

/** The labels of row i against each other. */
function within({ flags, table: { cols, data } }: Flagged, i: number): Ranked {
  const [from, to] = [i * cols, (i + 1) * cols];
  return {
    positive: flags.subarray(from, to),
    score: data.subarray(from, to),
    weights: new Float64Array(cols).fill(1),
  };
}

/** A weighted mean; 0 without any weight. */
function weightedMean(values: readonly number[], weights: ArrayLike<number>): number {
  const mass = sum(Float64Array.from(weights));
  const total = values.reduce((all, value, k) => all + (weights[k] === 0 ? 0 : value * weights[k]), 0);
  return mass === 0 ? 0 : total / mass;
}

/** A score of each label against the rest, averaged. */
function oneVersusRest(rows: Flagged, kind: RankingAverage, score: (ranked: Ranked) => number): number | number[] {
  if (kind === 'micro') return score(pooled(rows));
  if (kind === 'samples') {
    const values = Array.from({ length: rows.table.rows }, (_, i) => score(within(rows, i)));
    return weightedMean(values, rows.weights);
  }
  const ranked = Array.from({ length: rows.table.cols }, (_, c) => against(rows, c));
  const values = ranked.map(score);
  if (kind === null || kind === 'none') return values;
  if (kind === 'macro') return values.reduce((a, b) => a + b, 0) / values.length;
  const massOf = ({ positive, weights }: Ranked) => sum(weights.map((weight, i) => weight * positive[i]));
  return weightedMean(values, ranked.map(massOf));
}

/** Each pair of classes among its own rows, both ways round, averaged over pairs. Hand & Till, Mach. Learn. 45 (2001). */
function oneVersusOne(labelled: LabelledScores, kind: RankingAverage): number {
  if (kind !== 'macro' && kind !== 'weighted') {
    refuse('E_PARAM', "pairs of classes are averaged 'macro' or 'weighted'", { name: 'average' });
  }
  const weighty = new Set(labelled.codes.filter((_, i) => labelled.weights[i] > 0));
  const present = labelled.classes.flatMap((_, c) => (weighty.has(c) ? [c] : []));
  const all = flagged(labelled);
  let [total, mass] = [0, 0];
  for (const a of present) {
    for (const b of present) {
      if (b <= a) continue;
      const only = labelled.weights.map((w, i) => (labelled.codes[i] === a || labelled.codes[i] === b ? w : 0));
      const pair = { ...all, weights: only };
      const area = (binaryAuc(against(pair, a)) + binaryAuc(against(pair, b))) / 2;
      const weight = kind === 'weighted' ? sum(only) : 1;
      total += weight * area;
      mass += weight;
    }
  }
  return total / mass;
}

function multiClassAuc(
  labelled: LabelledScores,
  kind: RankingAverage,
  way: 'raise' | 'ovr' | 'ovo',
): number | number[] {
  if (kind === 'samples') refuse('E_PARAM', "average 'samples' is for rows of several labels", { name: 'average' });
  if (way === 'raise')
    refuse('E_PARAM', "more than two classes need multiClass 'ovr' or 'ovo'", { name: 'multiClass' });
  requireColumns(labelled.classes, labelled.table.cols);
  const { rows, cols, data } = labelled.table;
  for (let i = 0; i < rows; i++) {
    const total = sum(data, i * cols, cols);
    if (isNear(1, total)) continue;
    refuse('E_VALUE_RANGE', `row ${i} of yScore sums to ${total}; here scores are probabilities`, {
      row: i,
      actual: total,
    });
  }
  return way === 'ovr'
    ? oneVersusRest(flagged(labelled), kind, (ranked) => binaryAuc(ranked))
    : oneVersusOne(labelled, kind);
}

/**
 * Area under the ROC curve: the probability that a positive row scores above a negative one, ties counting half. Of two
 * classes the later one is positive, and its scores may be given alone or as the second of two columns. More classes need
 * `multiClass`: each against the rest ('ovr') or each against each ('ovo'), with rows of probabilities. `maxFpr` gives the
 * standardised partial area (McClish 1989). Rows of several labels have a column of scores for each. NaN where a class that is needed
 * does not occur.
 */
export function rocAucScore(
  yTrue: Answers,
  yScore: Scores,
  options: Omit<RocAucOptions, 'average'> & { readonly average: null | 'none' },
): number[];
export function rocAucScore(yTrue: Answers, yScore: Scores, options?: RocAucOptions): number;
export function rocAucScore(yTrue: Answers, yScore: Scores, options: RocAucOptions = {}): number | number[] {
  const read = readOptions('rocAucScore', rocSpec, options);
  const { maxFpr } = read;
  if (maxFpr === 0) {
    refuse('E_PARAM', `maxFpr is above 0 and at most 1, got ${maxFpr}`, { name: 'maxFpr' });
  }
  if (isLabelRows(yTrue)) {
    const rows = readFlagged(yTrue, yScore, read.sampleWeight);
    return oneVersusRest(rows, read.average, (ranked) => binaryAuc(ranked, maxFpr ?? 1));
  }
  const labelled = readLabelledScores(yTrue, yScore, read.labels, read.sampleWeight);
  if (labelled.classes.length > 2 || labelled.table.cols > 2) {
    if (maxFpr !== null && maxFpr !== 1) refuse('E_PARAM', 'partial areas are for two classes', { name: 'maxFpr' });
    return multiClassAuc(labelled, read.average, read.multiClass);
  }
  const positive = Uint8Array.from(labelled.codes, (code) => (labelled.classes.length > 1 ? code : 0));
  const score = columnOf(labelled.table, labelled.table.cols - 1);
  return binaryAuc({ positive, score, weights: labelled.weights }, maxFpr ?? 1);
}

/**
 * Average precision: Σ (Rₖ − Rₖ₋₁) Pₖ over the thresholds, without interpolation. Of two classes `posLabel` (1, or true)
 * is positive; of two columns its own is read. More classes, and several labels of a row, are each taken against the rest, a column each,
 * and averaged.
 */
export function averagePrecisionScore(
  yTrue: Answers,
  yScore: Scores,
  options: Omit<AveragePrecisionOptions, 'average'> & { readonly average: null | 'none' },
): number[];
export function averagePrecisionScore(yTrue: Answers, yScore: Scores, options?: AveragePrecisionOptions): number;
export function averagePrecisionScore(
  yTrue: Answers,
  yScore: Scores,
  options: AveragePrecisionOptions = {},
): number | number[] {
  const read = readOptions('averagePrecisionScore', precisionSpec, options);
  const requireNoLabel = () => {
    if (read.posLabel !== null && read.posLabel !== 1) {
      refuse('E_PARAM', 'posLabel is for two classes; every label of several is positive once', { name: 'posLabel' });
    }
  };
  if (isLabelRows(yTrue)) {
    requireNoLabel();
    return oneVersusRest(readFlagged(yTrue, yScore, read.sampleWeight), read.average, binaryAveragePrecision);
  }
  const labelled = readLabelledScores(yTrue, yScore, null, read.sampleWeight);
  const { classes, table, codes, weights } = labelled;
  if (classes.length > 2) {
    requireNoLabel();
    requireColumns(classes, table.cols);
    return oneVersusRest(flagged(labelled), read.average, binaryAveragePrecision);
  }
  const label = read.posLabel ?? (typeof classes[0] === 'boolean' ? true : 1);
  if (read.posLabel !== null) requireClassType(read.posLabel, classes, 'posLabel');
  const c = classes.indexOf(label);
  const asked = read.posLabel !== null || typeof classes[0] !== 'string';
  if (c < 0 && (classes.length === 2 || !asked)) {
    refuse('E_PARAM', `posLabel ${label} is not one of the classes`, { name: 'posLabel' });
  }
  if (table.cols > 1) requireColumns(classes, table.cols);
  const score = columnOf(table, table.cols > 1 ? c : 0);
  return binaryAveragePrecision({ positive: Uint8Array.from(codes, (code) => (code === c ? 1 : 0)), score, weights });
}
