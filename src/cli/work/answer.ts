import { cellOf, type DataRow } from '../../auto/cells.ts';
import { type DecisionRule, decideRow } from '../../evaluate/decision-rule.ts';
import type { Judge } from './model-input.ts';

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

/** Labels rows. */
export function answer(judge: Judge, rows: readonly DataRow[], rules: Rules): Answer[] {
  if (rows.length === 0) return [];
  const logProba = judge.predictLogProba(rows);
  return rows.map((row, i) => answerOne(judge, row, logProba.row(i).map(Math.exp), rules));
}

function answerOne(judge: Judge, row: DataRow, proba: Float64Array, rules: Rules): Answer {
  const { classes } = judge;
  const { place: chosen } = decideRow(rules.rule, proba);
  const probability = proba[chosen];
  const order = rules.top === undefined ? [] : ranked(proba).slice(0, rules.top);
  return {
    label: classes[chosen],
    probability,
    ...(rules.reject !== undefined && { rejected: probability < rules.reject }),
    ...(rules.top !== undefined && { top: order.map((c) => ({ label: classes[c], probability: proba[c] })) }),
    ...(rules.proba && { probabilities: byLabel(classes, proba) }),
    ...(rules.explain !== undefined && { explanation: reasons(judge, row, chosen, undefined, rules.explain) }),
  };
}

const ranked = (proba: Float64Array): number[] => Array.from(proba.keys()).sort((a, b) => proba[b] - proba[a] || a - b);

function byLabel(classes: readonly string[], proba: Float64Array): Record<string, number> {
  const table: Record<string, number> = Object.create(null);
  for (const [c, label] of classes.entries()) table[label] = proba[c];
  return table;
}

/** Why a row gets class `chosen` rather than `against`, which is the next best unless given. */
export function reasons(
  judge: Judge,
  row: DataRow,
  chosen: number,
  against: number | undefined,
  most: number,
): Reasons {
  const { terms, rest, score } = judge.explain(row);
  const other = against ?? nextBest(score, chosen);
  const weigh = (values: Float64Array) => values[chosen] - values[other];
  const weighed = terms.map(({ feature, value, byClass }) => ({ feature, value, weight: weigh(byClass) }));
  const told = weighed.filter(({ weight }) => weight !== 0).sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  return { against: judge.classes[other], logOdds: weigh(score), prior: weigh(rest), terms: told.slice(0, most) };
}

function nextBest(score: Float64Array, chosen: number): number {
  const others = [...score.keys()].filter((c) => c !== chosen);
  return others.reduce((best, c) => (score[c] > score[best] ? c : best), others[0] ?? chosen);
}

/** The name of what a reason is about: the word of a text, or the column with its cell. */
export function reasonName({ feature, value }: Reason, texts: readonly string[]): string {
  return texts.includes(feature) || feature === value ? String(value) : `${feature} = ${String(value ?? '')}`;
}

/** A row with the text under the name that the model knows it by. */
export function renamed(row: DataRow, from: string | undefined, to: string | undefined): DataRow {
  if (from === undefined || to === undefined || from === to) return row;
  return Object.assign(Object.create(null), row, { [to]: cellOf(row, from) });
}
