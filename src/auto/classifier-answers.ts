import type { ColumnTable } from '../data/column-table.ts';
import type { Label } from '../data/labels.ts';
import { argmax } from '../math/arrays.ts';
import type { ClassifierParts } from './classifier-fit.ts';
import { poolsOf, scoreTable } from './classifier-learning.ts';
import { classesOf } from './classifier-report.ts';
import type { Term } from './informative.ts';

/** What a classifier says of a row. */
export interface Classification<L extends Label = Label> {
  /** The most probable class, also of a row on which it abstains. */
  readonly label: L;
  readonly probability: number;
  /** In the order of `classes`. */
  readonly probabilities: readonly { readonly label: L; readonly probability: number }[];
  /** ln p(x): how ordinary the row is; null where no model gives one. */
  readonly logEvidence: number | null;
  /** The answer is less probable than asked for, or the row says nothing. */
  readonly abstained: boolean;
}

/** Why a row got its label: rest + terms = score, class by class, in nats. */
export interface ClassifierExplanation<L extends Label = Label> {
  readonly label: L;
  readonly classes: readonly L[];
  /** What each cell, or each word of a text, adds; the most decisive first. */
  readonly terms: readonly Term[];
  /** What belongs to no feature: priors, biases, and what makes shares of probabilities. */
  readonly rest: Float64Array;
  /** The pooled score; its softmax is the posterior before curves. */
  readonly score: Float64Array;
}

/** The class of each row, with probabilities. */
export function classifyRows<L extends Label>(parts: ClassifierParts, table: ColumnTable): Classification<L>[] {
  const { predictors, reject } = parts;
  const classes = classesOf(parts) as readonly L[];
  const { logProba, logEvidence } = scoreTable(parts, table, true);
  const heard = predictors.map((predictor) => predictor.hasCells(table));
  return Array.from({ length: table.length }, (_, i) => {
    const logs = logProba.row(i);
    const probabilities = classes.map((label, c) => ({ label, probability: Math.exp(logs[c]) }));
    const { label, probability } = probabilities[argmax(logs)];
    const silent = !heard.some((own) => own[i]);
    return {
      label,
      probability,
      probabilities,
      logEvidence: logEvidence?.[i] ?? null,
      abstained: silent || probability < reject,
    };
  });
}

/** Why the first row gets its label: what each predictor says, as much as it counts. */
export function explainRow<L extends Label>(parts: ClassifierParts, table: ColumnTable): ClassifierExplanation<L> {
  const { predictors } = parts;
  const classes = classesOf(parts) as readonly L[];
  const [pool] = poolsOf(parts, table).pools;
  const rest = Float64Array.from(classes, (_, c) => pool.bias[c] ?? 0);
  const terms = predictors.flatMap((predictor, k) => {
    const weigh = (values: Float64Array) => values.map((value) => value * pool.weights[k]);
    const own = predictor.terms(table);
    weigh(own.rest).forEach((value, c) => {
      rest[c] += value;
    });
    return own.terms.map((term) => ({ ...term, byClass: weigh(term.byClass) }));
  });
  const score = rest.map((start, c) => terms.reduce((sum, { byClass }) => sum + byClass[c], start));
  const [{ label }] = classifyRows<L>(parts, table);
  const spreads = new Map(terms.map((term) => [term, spreadOf(term)]));
  terms.sort((a, b) => spreads.get(b)! - spreads.get(a)!);
  return { label, classes: [...classes], terms, rest, score };
}

/** By how much a term sets the classes apart. */
function spreadOf({ byClass }: Term): number {
  let [least, most] = [byClass[0], byClass[0]];
  for (const value of byClass) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return most - least;
}
