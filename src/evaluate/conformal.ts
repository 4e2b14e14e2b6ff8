import { choice, flag, type GivenOptions, type OptionSpec, readOptions } from '../core/options.ts';
import { requireItems, requireLike } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import { argmax } from '../math/arrays.ts';
import { clopperPearsonInterval, type Interval, openShare } from './intervals.ts';
import { readProbabilities, readScores, requireColumns, requireProbabilities, rowOf, type Scores } from './scores.ts';
import { labelsOption, readLabels, requireLength } from './targets.ts';

/** A learned rule for prediction sets, as plain data. */
export interface Conformal {
  readonly method: 'lac' | 'aps';
  readonly alpha: number;
  readonly classes: readonly Label[];
  /** The largest non-conformity that still belongs to a set: one for each class. */
  readonly thresholds: Float64Array;
  readonly n: number;
}

/** The coverage and size of sets on labelled rows. */
export interface SetQuality {
  readonly coverage: Interval;
  readonly meanSize: number;
  readonly singletons: number;
  readonly empty: number;
}

const spec = {
  /** The share of rows whose set may miss the label: with 0.1, 90 % of the sets contain it. Default: 0.1. */
  alpha: openShare(0.1),
  /** 'lac' makes the smallest sets on average, 'aps' sets that grow with the difficulty of the row. Default: 'lac'. */
  method: choice(['lac', 'aps'], { default: 'lac' }),
  /** Guarantees the coverage for every class, not only on average. Default: false. */
  classConditional: flag({ default: false }),
  ...labelsOption,
} satisfies OptionSpec;

/** Options of `fitConformal`. */
export type ConformalOptions = GivenOptions<typeof spec>;

const setSpec = {
  /** Whether a set may be empty, for rows unlike all classes. Default: false. */
  allowEmpty: flag({ default: false }),
} satisfies OptionSpec;

/** Options of `predictSets`. */
export type PredictSetsOptions = GivenOptions<typeof setSpec>;

/**
 * How unlike class c a row is: under 'lac' 1 − p(c); under 'aps' the probability of c and of all classes above it.
 * Of equal probabilities the earlier class stands above.
 */
function nonConformity(row: Float64Array, c: number, method: 'lac' | 'aps'): number {
  if (method === 'lac') return 1 - row[c];
  let above = 0;
  for (let k = 0; k < row.length; k++) if (row[k] > row[c] || (row[k] === row[c] && k <= c)) above += row[k];
  return above;
}

/** The ⌈(n + 1)(1 − α)⌉-th smallest value; infinite if there are too few rows for the guarantee. */
function conformalQuantile(values: readonly number[], share: number): number {
  // (n + 1)(1 − α) may come out a rounding above a whole number, which would cost a rank.
  const rank = Math.ceil((values.length + 1) * (1 - share) * (1 - 1e-15));
  return rank > values.length ? Infinity : [...values].sort((a, b) => a - b)[rank - 1];
}

/**
 * Learns prediction sets by split conformal prediction: from rows that the model did not learn from, the threshold q is the
 * ⌈(n + 1)(1 − α)⌉-th smallest non-conformity of the true labels. If new rows are drawn like these, a set holds its label
 * with probability at least 1 − α, however wrong the probabilities are; per class under `classConditional`, where a class of
 * fewer than ⌈1/α⌉ − 1 rows is in every set. Sadinle, Lei & Wasserman (2019) for 'lac', Romano, Sesia & Candès (2020) for
 * 'aps', here without their randomisation, so that sets are repeatable and cover rather more.
 */
export function fitConformal(yProba: Scores, y: ArrayLike<Label>, options: ConformalOptions = {}): Conformal {
  const read = readOptions('fitConformal', spec, options);
  const { classes, codes, table } = readProbabilities(y, yProba, read.labels, null);
  const scores = Array.from(codes, (c, i) => nonConformity(rowOf(table, i), c, read.method));
  const whole = conformalQuantile(scores, read.alpha);
  const thresholds = Float64Array.from(classes, (_, c) =>
    read.classConditional
      ? conformalQuantile(
          scores.filter((_score, i) => codes[i] === c),
          read.alpha,
        )
      : whole,
  );
  return { method: read.method, alpha: read.alpha, classes, thresholds, n: codes.length };
}

/** The set of labels that each row may have. Without `allowEmpty` it holds at least the most probable one. */
export function predictSets(conformal: Conformal, yProba: Scores, options: PredictSetsOptions = {}): Label[][] {
  const { allowEmpty } = readOptions('predictSets', setSpec, options);
  requireLike(conformal, 'what fitConformal returns', { classes: 'list', thresholds: 'list' });
  const table = readScores(yProba, 'yProba');
  requireProbabilities(table);
  requireColumns(conformal.classes, table.cols, 'yProba');
  return Array.from({ length: table.rows }, (_, i) => {
    const row = rowOf(table, i);
    const set = conformal.classes.filter(
      (_label, c) => nonConformity(row, c, conformal.method) <= conformal.thresholds[c],
    );
    if (set.length > 0 || allowEmpty) return set;
    return [conformal.classes[argmax(row)]];
  });
}

/** The coverage of the sets (with an exact interval), their mean size, and the shares with one label or none. */
export function evaluateSets(sets: readonly (readonly Label[])[], yTrue: ArrayLike<Label>): SetQuality {
  const { classes, codes } = readLabels(yTrue, 'yTrue');
  requireLength('sets', requireItems(sets, 'a list of sets of labels').length, codes.length);
  let [held, size, single, empty] = [0, 0, 0, 0];
  for (const [i, set] of sets.entries()) {
    requireItems(set, `a list of labels as set ${i}`);
    if (set.includes(classes[codes[i]])) held++;
    size += set.length;
    if (set.length === 1) single++;
    if (set.length === 0) empty++;
  }
  const n = sets.length;
  return { coverage: clopperPearsonInterval(held, n), meanSize: size / n, singletons: single / n, empty: empty / n };
}
