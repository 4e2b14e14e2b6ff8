import { type Option, type OptionSpec, readOptions, real } from '../core/options.ts';
import { requireKind, requireLike, requireNumber } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import type { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { argmax } from '../math/arrays.ts';
import {
  readProbabilities,
  readScores,
  requireColumns,
  requireProbabilities,
  type Scores,
  withComplement,
} from './scores.ts';
import { readClassList, unchecked } from './targets.ts';

/** The decision of least expected cost in each row, and that cost. */
export interface CostDecisions {
  readonly decisions: Label[];
  readonly expectedCosts: Float64Array;
}

/** What the columns of the cost matrix are called, where they are not the classes. */
export interface CostOptions {
  readonly decisions?: ArrayLike<Label> | null | undefined;
}

/** When to say nothing: below a probability, or where the two best are close. */
export interface AbstainOptions {
  readonly leastProbability?: number | undefined;
  readonly leastMargin?: number | undefined;
}

/** What is wanted of a threshold of certainty. */
export interface AbstentionThresholdOptions {
  /** The largest share of wrong answers among those that are given. */
  readonly errorRate: number;
  readonly labels?: ArrayLike<Label> | null | undefined;
}

/** A threshold of certainty with what it led to: how much was answered, and how much of that was wrong. */
export interface AbstentionThreshold {
  readonly threshold: number;
  readonly coverage: number;
  readonly errorRate: number;
}

/** A threshold of ln p(x) with the false alarms it promises. */
export interface NoveltyThreshold {
  readonly threshold: number;
  /** The most that rows of the known kind raise a false alarm, on average over samples. */
  readonly falseAlarmRate: number;
  readonly n: number;
}

const share = (standard: number): Option<number> => real({ default: standard, min: 0, max: 1 });
const costSpec = {
  /** What the columns are called. */
  decisions: unchecked<ArrayLike<Label>>(),
} satisfies OptionSpec;
const abstainSpec = {
  /** The least probability of an answer. */
  leastProbability: share(0),
  /** The least distance of the two best. */
  leastMargin: share(0),
} satisfies OptionSpec;

function readTable(yProba: Scores) {
  const table = readScores(yProba, 'yProba');
  requireProbabilities(table);
  return table.cols === 1 ? withComplement(table.data) : table;
}

/**
 * Decides by least expected cost, argmin_d Σ_c p(c) cost[c][d], the first of equals. Row c of the costs is the true class,
 * in the order of `classes`; column d is the decision, which is a class unless `decisions` names others, such as 'ask'.
 * Elkan, The Foundations of Cost-Sensitive Learning (2001), eq. (1), with rows and columns exchanged.
 */
export function decideByCost(
  yProba: Scores,
  classes: ArrayLike<Label>,
  costs: Matrix | ArrayLike<ArrayLike<number>>,
  options: CostOptions = {},
): CostDecisions {
  const read = readOptions('decideByCost', costSpec, options);
  const list = readClassList(classes, 'classes');
  const table = readTable(yProba);
  requireColumns(list, table.cols, 'yProba');
  const cost = readScores(costs, 'costs');
  const decisions = read.decisions === null ? list : readClassList(read.decisions, 'decisions');
  if (cost.rows !== list.length || cost.cols !== decisions.length) {
    refuse(
      'E_SHAPE',
      `costs are ${cost.rows} × ${cost.cols}; there are ${list.length} classes and ${decisions.length} decisions`,
      {
        rows: cost.rows,
        cols: cost.cols,
      },
    );
  }
  const expectedCosts = new Float64Array(table.rows);
  const chosen = Array.from({ length: table.rows }, (_, i) => {
    const expected = new Float64Array(cost.cols);
    for (let c = 0; c < cost.rows; c++) {
      for (let d = 0; d < cost.cols; d++) expected[d] += table.data[i * table.cols + c] * cost.data[c * cost.cols + d];
    }
    const best = argmax(expected.map((value) => -value));
    expectedCosts[i] = expected[best];
    return decisions[best];
  });
  return { decisions: chosen, expectedCosts };
}

/** The probability from which the positive class is worth calling: cFP / (cFP + cFN). Elkan (2001), eq. (2). */
export function costThreshold(falsePositive: number, falseNegative: number): number {
  for (const cost of [falsePositive, falseNegative])
    requireNumber('costs', cost, 'a number ≥ 0', (value) => value >= 0);
  if (falsePositive + falseNegative === 0) refuse('E_PARAM', 'costs are not both 0', { name: 'costs' });
  return falsePositive / (falsePositive + falseNegative);
}

/** The most probable class where it is probable enough and far enough ahead of the next, otherwise null: "cannot tell". */
export function decideOrAbstain(
  yProba: Scores,
  classes: ArrayLike<Label>,
  options: AbstainOptions = {},
): (Label | null)[] {
  const read = readOptions('decideOrAbstain', abstainSpec, options);
  const list = readClassList(classes, 'classes');
  const { rows, cols, data } = readTable(yProba);
  requireColumns(list, cols, 'yProba');
  return Array.from({ length: rows }, (_, i) => {
    const best = argmax(data, i * cols, cols);
    const top = data[i * cols + best];
    let next = 0;
    for (let c = 0; c < cols; c++) if (c !== best) next = Math.max(next, data[i * cols + c]);
    return top >= read.leastProbability && top - next >= read.leastMargin ? list[best] : null;
  });
}

/**
 * The lowest certainty at which answering keeps within an error rate on these rows (Chow's rule, 1970): answer where the
 * largest probability reaches the threshold. Infinity, and no answers, where no threshold does.
 */
export function abstentionThreshold(
  yTrue: ArrayLike<Label>,
  yProba: Scores,
  options: AbstentionThresholdOptions,
): AbstentionThreshold {
  const spec = {
    /** The largest share of wrong answers. */
    errorRate: share(-1),
    /** Classes. */
    labels: unchecked<ArrayLike<Label>>(),
  };
  const read = readOptions('abstentionThreshold', spec, options);
  if (read.errorRate < 0) refuse('E_PARAM', 'abstentionThreshold needs the errorRate to keep', { name: 'errorRate' });
  const { codes, table } = readProbabilities(yTrue, yProba, read.labels, null);
  const { rows, cols, data } = table;
  const best = Int32Array.from({ length: rows }, (_, i) => argmax(data, i * cols, cols));
  const top = Float64Array.from(best, (c, i) => data[i * cols + c]);
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
 * The threshold of ln p(x) below which a row counts as novel, set by a stated rate of false alarms: with n held-out rows of
 * the known kind it is their k-th smallest, k = ⌊α (n + 1)⌋. A further row of that kind lies below it with probability at most
 * k / (n + 1) ≤ α. Fewer than 1/α − 1 rows cannot promise that, and the threshold is −Infinity: no alarm at all.
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

/** Whether each row is novel: its ln p(x) lies below the threshold. */
export function isNovel(novelty: NoveltyThreshold, logEvidence: ArrayLike<number>): boolean[] {
  const { threshold } = requireLike(novelty, 'what noveltyThreshold returns', { threshold: 'number' });
  return Array.from(requireKind(logEvidence, 'ln p(x) of every row', 'list'), (value) => value < threshold);
}
