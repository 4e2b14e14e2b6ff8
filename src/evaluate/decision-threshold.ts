import {
  choice,
  type GivenOptions,
  type OptionSpec,
  optional,
  readOptions,
  real,
  unchecked,
  weightOption,
} from '../core/options.ts';
import { requireKind, requireNumber } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import { refuse, show } from '../errors.ts';
import { highestOf, readProbabilities, type Scores } from './scores.ts';
import { labelsOption, positiveOption } from './targets.ts';
import { countThresholds, last, readRanked, withOrigin } from './thresholds.ts';

/** The costs of a false positive and of a false negative. */
interface MistakeCosts {
  readonly falsePositive: number;
  readonly falseNegative: number;
}

/** A threshold (rows that score at least as high are positive) and its rates. */
export interface DecisionThreshold {
  readonly threshold: number;
  /** The recall, precision or other score that was maximised; of costs, the mean cost of a row. */
  readonly value: number;
  readonly precision: number;
  readonly recall: number;
}

/** A minimum probability of predictions, the share of rows that reach it, and their error rate. */
export interface AbstentionThreshold {
  readonly threshold: number;
  readonly coverage: number;
  readonly errorRate: number;
}

/** A threshold of ln p(x) and its false alarm rate. */
export interface NoveltyThreshold {
  readonly threshold: number;
  /** The upper bound of the false alarm rate on ordinary rows, on average over samples. */
  readonly falseAlarmRate: number;
  readonly n: number;
}

const goals = ['f1', 'accuracy', 'balancedAccuracy', 'matthews', 'youden'] as const;
const share = optional(real({ default: 0, min: 0, max: 1 }));
const goalSpec = {
  /** At least this precision, with the highest recall. Default: null. */
  precision: share,
  /** At least this recall, with the highest precision. Default: null. */
  recall: share,
  /** The costs whose total is minimised. Default: none. */
  costs: unchecked<MistakeCosts>(),
  /** The score to maximise if no other goal is given. Default: 'f1'. */
  maximize: choice(goals, { default: 'f1' }),
} satisfies OptionSpec;
const spec = { ...goalSpec, ...positiveOption, ...weightOption } satisfies OptionSpec;
const errorSpec = { errorRate: share, ...labelsOption } satisfies OptionSpec;

/** The goal of a threshold on labelled rows: one of the first three, else `maximize`. */
export type ThresholdGoal = GivenOptions<typeof goalSpec>;

/** Options of `bestThreshold`. */
export type BestThresholdOptions = GivenOptions<typeof spec>;

/** The largest tolerated error rate of predictions. */
export type AbstentionThresholdOptions = GivenOptions<typeof labelsOption> & {
  /** The largest share of wrong answers among those that are given. */
  readonly errorRate: number;
};

/** A score at tp true and fp false positives, of P positives and N negatives. */
function scoreAt(goal: (typeof goals)[number], tp: number, fp: number, P: number, N: number): number {
  if (goal === 'f1') return (2 * tp) / (P + tp + fp);
  if (goal === 'accuracy') return (tp + N - fp) / (P + N);
  if (goal === 'balancedAccuracy') return (tp / P + 1 - fp / N) / 2;
  if (goal === 'youden') return tp / P - fp / N;
  const spread = (tp + fp) * P * N * (P + N - tp - fp);
  return spread === 0 ? 0 : (tp * (N - fp) - fp * (P - tp)) / Math.sqrt(spread);
}

function requireCosts({ falsePositive, falseNegative }: MistakeCosts): void {
  if (falsePositive >= 0 && falseNegative >= 0 && falsePositive + falseNegative > 0) return;
  refuse(
    'E_PARAM',
    `costs are not negative and not both 0, got falsePositive ${show(falsePositive)} and falseNegative ${show(falseNegative)}`,
    { name: 'costs' },
  );
}

/**
 * The threshold of a score that does best on these rows: by F₁ unless another goal is given. Among equals the highest. Choose it on rows
 * that the model has not learned, and evaluate it on others again. Throws E_CLASSES_TOO_FEW without rows of both kinds. Returns Infinity
 * (nothing is positive) if no threshold reaches the goal or is worth its cost.
 */
export function bestThreshold(
  yTrue: ArrayLike<Label>,
  yScore: Scores,
  options: BestThresholdOptions = {},
): DecisionThreshold {
  const read = readOptions('bestThreshold', spec, options);
  const { precision: leastPrecision, recall: leastRecall, costs } = read;
  const given = [leastPrecision, leastRecall, costs].filter((goal) => goal !== null);
  if (given.length > 1) refuse('E_PARAM', 'precision, recall and costs: give one of them', { name: 'precision' });
  if (costs) requireCosts(costs);
  const counted = countThresholds(readRanked(yTrue, yScore, read.posLabel, read.sampleWeight));
  const [P, N] = [last(counted.truePositive), last(counted.falsePositive)];
  if (!(P > 0 && N > 0)) refuse('E_CLASSES_TOO_FEW', 'a threshold lies between rows of two classes', { limit: 2 });
  const points = costs ? withOrigin(counted) : counted; // predicting nothing as positive may be cheapest
  const valueAt = (tp: number, fp: number): number => {
    if (costs) return -(costs.falsePositive * fp + costs.falseNegative * (P - tp)) / (P + N);
    if (leastPrecision !== null) return tp / P;
    return leastRecall !== null ? tp / (tp + fp) : scoreAt(read.maximize, tp, fp, P, N);
  };
  let best: DecisionThreshold = { threshold: Infinity, value: -Infinity, precision: Number.NaN, recall: 0 };
  for (let k = 0; k < points.threshold.length; k++) {
    const [tp, fp] = [points.truePositive[k], points.falsePositive[k]];
    const [precision, recall] = [tp / (tp + fp), tp / P];
    if (precision < (leastPrecision ?? 0) || recall < (leastRecall ?? 0)) continue;
    const value = valueAt(tp, fp);
    if (value > best.value) best = { threshold: points.threshold[k], value, precision, recall };
  }
  return costs ? { ...best, value: -best.value } : best;
}

/**
 * The lowest certainty at which answering keeps to an error rate on these rows (Chow's rule, 1970): answer where the largest
 * probability reaches the threshold. Infinity, and no answers, where no threshold does.
 */
export function abstentionThreshold(
  yTrue: ArrayLike<Label>,
  yProba: Scores,
  options: AbstentionThresholdOptions,
): AbstentionThreshold {
  const read = readOptions('abstentionThreshold', errorSpec, options);
  if (read.errorRate === null) refuse('E_PARAM', 'abstentionThreshold needs an errorRate', { name: 'errorRate' });
  const { codes, table } = readProbabilities(yTrue, yProba, read.labels, null);
  const { rows } = table;
  const { best, score: top } = highestOf(table);
  const order = Uint32Array.from(top.keys()).sort((a, b) => top[b] - top[a]);
  let found = { threshold: Infinity, coverage: 0, errorRate: 0 };
  let wrong = 0;
  for (let k = 0; k < rows; k++) {
    if (best[order[k]] !== codes[order[k]]) wrong++;
    if (k + 1 < rows && top[order[k + 1]] === top[order[k]]) continue;
    const errorRate = wrong / (k + 1);
    if (errorRate <= read.errorRate) found = { threshold: top[order[k]], coverage: (k + 1) / rows, errorRate };
  }
  return found;
}

/**
 * The threshold of ln p(x) below which a row counts as novel, set by a rate of false alarms: with n held-out rows of the known kind it is
 * their k-th smallest, k = ⌊α (n + 1)⌋. A further row of that kind lies below it with probability at most k / (n + 1) ≤ α. With fewer than
 * 1/α − 1 rows no threshold guarantees this, and it is −Infinity: no alarms.
 */
export function noveltyThreshold(logEvidence: ArrayLike<number>, falseAlarmRate: number): NoveltyThreshold {
  requireNumber('falseAlarmRate', falseAlarmRate, 'above 0 and below 1', (rate) => rate > 0 && rate < 1);
  const values = Float64Array.from(requireKind(logEvidence, 'ln p(x) of every row', 'list'));
  const row = values.findIndex((value) => Number.isNaN(value) || value === Infinity);
  if (row >= 0) refuse('E_NOT_FINITE', `logEvidence of row ${row} is ${values[row]}`, { row });
  const rank = Math.floor(falseAlarmRate * (values.length + 1) * (1 + 1e-15));
  const threshold = rank === 0 ? -Infinity : values.sort()[rank - 1];
  return { threshold, falseAlarmRate: rank / (values.length + 1), n: values.length };
}
