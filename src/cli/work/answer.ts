import { APART } from '../../core/posterior.ts';
import type { DataRow } from '../../data/cells.ts';
import type { BlockTable } from '../../data/column-table.ts';
import { Matrix } from '../../data/matrix.ts';
import { type DecisionRule, decideRow } from '../../evaluate/decision-rule.ts';
import { argmax } from '../../math/arrays.ts';
import type { Probability } from '../print.ts';
import type { Scorer } from './model-input.ts';

/** How answers are decided. */
export interface Rules {
  readonly top: number | undefined;
  readonly proba: boolean;
  /** By costs or by thresholds of labels. */
  readonly rule: DecisionRule;
  readonly reject: number | undefined;
  readonly explain: number | undefined;
}

/** What a cell or word adds to the log-odds of the label. */
export interface Reason {
  readonly feature: string;
  readonly value: unknown;
  readonly weight: number;
}

/** Why a row gets one label rather than another, in nats. */
export interface Reasons {
  readonly against: string;
  readonly logOdds: number;
  /** What belongs to no feature: the prior above all. */
  readonly prior: number;
  /** The most decisive first. */
  readonly terms: readonly Reason[];
}

/** What is said of one row. */
export interface Answer {
  readonly label: string;
  readonly probability: number;
  readonly rejected?: boolean;
  readonly top?: readonly { readonly label: string; readonly probability: number }[];
  readonly probabilities?: Readonly<Record<string, number>>;
  readonly explanation?: Reasons;
}

/** The labels of one row that are more probable than not, where it may have any number of them. */
export interface Labelling {
  readonly labels: readonly string[];
  readonly probabilities: Readonly<Record<string, Probability>>;
}

/** What is said of the rows of a table. */
export class Answers {
  readonly length: number;
  private readonly scorer: Scorer;
  private readonly table: BlockTable;
  private readonly rules: Rules;
  /** ln p by row and class. */
  private readonly logProba: Matrix;
  /** By row, the place of the class that was decided for. */
  private readonly places: Int32Array;

  constructor(scorer: Scorer, table: BlockTable, rules: Rules) {
    this.scorer = scorer;
    this.table = table;
    this.rules = rules;
    this.length = table.length;
    this.logProba = table.length === 0 ? new Matrix(0, scorer.classes.length) : scorer.predictLogProba(table);
    this.places = scorer.separator === undefined ? this.decide() : new Int32Array(table.length);
  }

  /** The place of the class that was decided for. */
  place(row: number): number {
    return this.places[row];
  }

  /** Its probability. */
  probability(row: number): number {
    return Math.exp(this.logProba.data[row * this.logProba.cols + this.places[row]]);
  }

  isRejected(row: number): boolean {
    return this.rules.reject !== undefined && this.probability(row) < this.rules.reject;
  }

  /** All that is said of a row. */
  at(row: number): Answer {
    const { classes } = this.scorer;
    const { top, reject, explain } = this.rules;
    const [proba, place] = [this.probaOf(row), this.places[row]];
    const own: { -readonly [K in keyof Answer]: Answer[K] } = { label: classes[place], probability: proba[place] };
    if (reject !== undefined) own.rejected = this.isRejected(row);
    if (top !== undefined) {
      const best = ranked(proba).slice(0, top);
      own.top = best.map((c) => ({ label: classes[c], probability: proba[c] }));
    }
    if (this.rules.proba) own.probabilities = byLabel(classes, proba);
    if (explain !== undefined) own.explanation = reasons(this.scorer, this.table.record(row), place, explain);
    return own;
  }

  /** All that is said of a row that may have any number of labels. */
  labelling(row: number): Labelling {
    const { classes } = this.scorer;
    const proba = this.probaOf(row);
    return { labels: classes.filter((_, c) => proba[c] > 0.5), probabilities: byLabel(classes, proba) };
  }

  private decide(): Int32Array {
    const { rule } = this.rules;
    const { rows, cols, data } = this.logProba;
    if (Object.keys(rule).length > 0) {
      return Int32Array.from({ length: rows }, (_, i) => decideRow(rule, this.probaOf(i)).place);
    }
    const places = new Int32Array(rows);
    for (let i = 0; i < rows; i++) {
      places[i] = clearlyFirst(data, i * cols, cols);
      if (places[i] < 0) places[i] = argmax(this.probaOf(i)); // equal as probabilities, perhaps: then it is the first
    }
    return places;
  }

  private probaOf(row: number): Float64Array {
    return this.logProba.row(row).map(Math.exp);
  }
}

/** A logarithm below this may be one of a probability that is zero as a number. */
const LEAST_LOG = -700;

/** The place of the largest logarithm; −1 where another is so near that their order as probabilities is not clear. */
function clearlyFirst(logs: Float64Array, from: number, classes: number): number {
  let best = -1;
  let top = Number.NEGATIVE_INFINITY;
  let second = LEAST_LOG;
  for (let c = 0; c < classes; c++) {
    const log = logs[from + c];
    if (log > top) {
      if (top > second) second = top;
      best = c;
      top = log;
    } else if (!(log <= second)) second = log; // NaN too
  }
  return top - second > APART ? best : -1;
}

const ranked = (proba: Float64Array): number[] => Array.from(proba.keys()).sort((a, b) => proba[b] - proba[a] || a - b);

function byLabel(classes: readonly string[], proba: Float64Array): Record<string, number> {
  const table: Record<string, number> = Object.create(null);
  for (const [c, label] of classes.entries()) table[label] = proba[c];
  return table;
}

/** Why a row gets class `chosen` rather than the next best. */
export function reasons(scorer: Scorer, row: DataRow, chosen: number, most: number): Reasons {
  const { terms, rest, score } = scorer.explain(row);
  const other = nextBest(score, chosen);
  const weigh = (values: Float64Array) => values[chosen] - values[other];
  const weighed = terms.map(({ feature, value, byClass }) => ({ feature, value, weight: weigh(byClass) }));
  const sorted = weighed.filter(({ weight }) => weight !== 0).sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  return { against: scorer.classes[other], logOdds: weigh(score), prior: weigh(rest), terms: sorted.slice(0, most) };
}

function nextBest(score: Float64Array, chosen: number): number {
  const others = [...score.keys()].filter((c) => c !== chosen);
  return others.reduce((best, c) => (score[c] > score[best] ? c : best), others[0] ?? chosen);
}

/** The name of what a reason is about: the word of a text, or the column with its cell. */
export function reasonName({ feature, value }: Reason, texts: readonly string[]): string {
  return texts.includes(feature) || feature === value ? String(value) : `${feature} = ${String(value ?? '')}`;
}
