import { choice, type Option, type OptionSpec, optional, readOptions, real } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import type { Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import { areaUnder, precisionRecallOf, rocOf } from './curves.ts';
import { insertionPlace, isNear } from './numpy.ts';
import { columnOf, type Judged, readJudged, requireColumns, type Scores } from './scores.ts';
import { labels, posLabel, requireClassType, sampleWeight } from './targets.ts';
import { countThresholds, type Ranked } from './thresholds.ts';

/** How the values of the classes become one; null (or 'none') keeps one value per class. */
export type RankingAverage = 'micro' | 'macro' | 'weighted' | 'none' | null;

/** Options of the area under the ROC curve. */
export interface RocAucOptions {
  readonly average?: RankingAverage | undefined;
  readonly sampleWeight?: Weights | null | undefined;
  readonly maxFpr?: number | null | undefined;
  readonly multiClass?: 'raise' | 'ovr' | 'ovo' | undefined;
  readonly labels?: ArrayLike<Label> | null | undefined;
}

/** Options of average precision. */
export interface AveragePrecisionOptions {
  readonly average?: RankingAverage | undefined;
  readonly posLabel?: Label | null | undefined;
  readonly sampleWeight?: Weights | null | undefined;
}

const averages = ['micro', 'macro', 'weighted', 'none', null];
/** How the values of the classes become one. */
const average: Option<RankingAverage> = {
  kind: 'custom',
  default: 'macro',
  expects: "'micro', 'macro', 'weighted', or null for one value per class",
  accept: (value) => (averages.includes(value as RankingAverage) ? (value as RankingAverage) : undefined),
};
const rocSpec = {
  average,
  sampleWeight,
  /** The largest false positive rate of a partial area. */
  maxFpr: optional(real({ default: 1, min: 0, max: 1 })),
  /** One against the rest, or against each. */
  multiClass: choice(['raise', 'ovr', 'ovo'], { default: 'raise' }),
  labels,
} satisfies OptionSpec;
const precisionSpec = { average, posLabel, sampleWeight } satisfies OptionSpec;

/** The area under the ROC curve of two kinds of rows; NaN where only one kind has weight. */
export function binaryAuc(ranked: Ranked, maxFpr = 1): number {
  const [fpr, tpr] = rocOf(countThresholds(ranked), maxFpr === 1);
  const whole = areaUnder(fpr, tpr);
  if (maxFpr === 1 || Number.isNaN(whole)) return whole;
  let stop = insertionPlace(fpr, maxFpr);
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

/** Class c against the rest. */
function against({ codes, table, weights }: Judged, c: number): Ranked {
  return { positive: Uint8Array.from(codes, (code) => (code === c ? 1 : 0)), score: columnOf(table, c), weights };
}

/** All classes against their rests at once: every cell is a row. */
function pooled({ codes, table: { cols, data }, weights }: Judged): Ranked {
  return {
    positive: Uint8Array.from(data, (_, k) => (codes[Math.floor(k / cols)] === k % cols ? 1 : 0)),
    score: data,
    weights: data.map((_, k) => weights[Math.floor(k / cols)]),
  };
}

/** A score of each class against the rest, averaged. A class without weight counts for nothing in 'weighted'. */
function oneVersusRest(judged: Judged, kind: RankingAverage, score: (ranked: Ranked) => number): number | number[] {
  if (kind === 'micro') return score(pooled(judged));
  const values = judged.classes.map((_, c) => score(against(judged, c)));
  if (kind === null || kind === 'none') return values;
  const mass = judged.classes.map((_, c) => sum(judged.weights.filter((_weight, i) => judged.codes[i] === c)));
  if (kind === 'macro') return values.reduce((a, b) => a + b, 0) / values.length;
  const total = values.reduce((all, value, c) => all + (mass[c] === 0 ? 0 : value * mass[c]), 0);
  return total / mass.reduce((a, b) => a + b, 0);
}

/** Each pair of classes among its own rows, both ways round, averaged over pairs. Hand & Till, Mach. Learn. 45 (2001). */
function oneVersusOne(judged: Judged, kind: RankingAverage): number {
  if (kind === 'micro' || kind === null || kind === 'none') {
    refuse('E_PARAM', "pairs of classes are averaged 'macro' or 'weighted'", { name: 'average' });
  }
  const weighty = new Set(judged.codes.filter((_, i) => judged.weights[i] > 0));
  const present = judged.classes.flatMap((_, c) => (weighty.has(c) ? [c] : []));
  let [total, mass] = [0, 0];
  for (const a of present) {
    for (const b of present) {
      if (b <= a) continue;
      const only = judged.weights.map((w, i) => (judged.codes[i] === a || judged.codes[i] === b ? w : 0));
      const pair = { ...judged, weights: only };
      const area = (binaryAuc(against(pair, a)) + binaryAuc(against(pair, b))) / 2;
      const weight = kind === 'weighted' ? sum(only) : 1;
      total += weight * area;
      mass += weight;
    }
  }
  return total / mass;
}

function multiClassAuc(judged: Judged, kind: RankingAverage, way: 'raise' | 'ovr' | 'ovo'): number | number[] {
  if (way === 'raise')
    refuse('E_PARAM', "more than two classes need multiClass 'ovr' or 'ovo'", { name: 'multiClass' });
  requireColumns(judged.classes, judged.table.cols);
  const { rows, cols, data } = judged.table;
  for (let i = 0; i < rows; i++) {
    const total = sum(data, i * cols, cols);
    if (isNear(1, total)) continue;
    refuse('E_VALUE_RANGE', `row ${i} of yScore sums to ${total}; here scores are probabilities`, {
      row: i,
      actual: total,
    });
  }
  return way === 'ovr' ? oneVersusRest(judged, kind, (ranked) => binaryAuc(ranked)) : oneVersusOne(judged, kind);
}

/**
 * Area under the ROC curve: the probability that a positive row scores above a negative one, ties counting half. Of two
 * classes the later one is positive, and its scores may be given alone or as the second of two columns. More classes need
 * `multiClass`: each against the rest ('ovr') or each against each ('ovo'), with rows of probabilities. `maxFpr` gives the
 * standardised partial area (McClish 1989). NaN where a class that is needed does not occur.
 */
export function rocAucScore(
  yTrue: ArrayLike<Label>,
  yScore: Scores,
  options: Omit<RocAucOptions, 'average'> & { readonly average: null | 'none' },
): number[];
export function rocAucScore(yTrue: ArrayLike<Label>, yScore: Scores, options?: RocAucOptions): number;
export function rocAucScore(yTrue: ArrayLike<Label>, yScore: Scores, options: RocAucOptions = {}): number | number[] {
  const read = readOptions('rocAucScore', rocSpec, options);
  const judged = readJudged(yTrue, yScore, read.labels, read.sampleWeight);
  const { maxFpr } = read;
  if (maxFpr === 0) {
    refuse('E_PARAM', `maxFpr is above 0 and at most 1, got ${maxFpr}`, { name: 'maxFpr' });
  }
  if (judged.classes.length > 2 || judged.table.cols > 2) {
    if (maxFpr !== null && maxFpr !== 1) refuse('E_PARAM', 'partial areas are for two classes', { name: 'maxFpr' });
    return multiClassAuc(judged, read.average, read.multiClass);
  }
  const positive = Uint8Array.from(judged.codes, (code) => (judged.classes.length > 1 ? code : 0));
  const score = columnOf(judged.table, judged.table.cols - 1);
  return binaryAuc({ positive, score, weights: judged.weights }, maxFpr ?? 1);
}

/**
 * Average precision: Σ (Rₖ − Rₖ₋₁) Pₖ over the thresholds, without interpolation. Of two classes `posLabel` (1, or true)
 * is positive; of two columns its own is read. More classes are each taken against the rest, a column each, and averaged.
 */
export function averagePrecisionScore(
  yTrue: ArrayLike<Label>,
  yScore: Scores,
  options: Omit<AveragePrecisionOptions, 'average'> & { readonly average: null | 'none' },
): number[];
export function averagePrecisionScore(
  yTrue: ArrayLike<Label>,
  yScore: Scores,
  options?: AveragePrecisionOptions,
): number;
export function averagePrecisionScore(
  yTrue: ArrayLike<Label>,
  yScore: Scores,
  options: AveragePrecisionOptions = {},
): number | number[] {
  const read = readOptions('averagePrecisionScore', precisionSpec, options);
  const judged = readJudged(yTrue, yScore, null, read.sampleWeight);
  const { classes, table, codes, weights } = judged;
  if (classes.length > 2) {
    requireColumns(classes, table.cols);
    return oneVersusRest(judged, read.average, binaryAveragePrecision);
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
