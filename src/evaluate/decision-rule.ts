import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { suggest } from '../data/suggest.ts';
import { refuse, show } from '../errors.ts';
import { argmax } from '../math/arrays.ts';
import { readScores } from './scores.ts';

/**
 * The costs of decisions. As a table: row c is the true class, column d the chosen class, in the order of the classes; an extra column is
 * the cost of abstaining. By name: `{ ham: { spam: 20 } }` for ham classified as spam; other mistakes cost 1.
 */
export type Costs = Matrix | ArrayLike<ArrayLike<number>> | Readonly<Record<string, Readonly<Record<string, number>>>>;

/** A decision rule with all numbers resolved. */
export interface DecisionRule {
  readonly costs?: Matrix | undefined;
  /** By class the least probability, NaN where there is none. */
  readonly thresholds?: Float64Array | undefined;
  /** The least probability of an answer. */
  readonly reject?: number | undefined;
  /** The least distance of the two highest probabilities. */
  readonly margin?: number | undefined;
}

/** The chosen class, also for an abstention. */
export interface Choice {
  readonly place: number;
  readonly abstained: boolean;
  /** null without costs. */
  readonly expectedCost: number | null;
}

/** The index of a class by its name; throws for an unknown one and suggests the closest. */
export function placeOfName(classes: readonly Label[], name: string): number {
  const names = classes.map(String);
  const place = names.indexOf(name);
  if (place >= 0) return place;
  const near = suggest(name, names);
  const hint = near === undefined ? '' : `; did you mean ${show(near)}?`;
  return refuse('E_CLASS_UNKNOWN', `there is no class ${show(name)}${hint}`, { class: name });
}

const isTable = (costs: Costs): costs is ArrayLike<ArrayLike<number>> =>
  Number.isInteger((costs as ArrayLike<unknown>).length);

/** Costs as a table with a row for each class, and a column for each class and perhaps for deciding nothing. */
export function readCosts(costs: Costs, classes: readonly Label[]): Matrix {
  const table = costs instanceof Matrix || isTable(costs) ? costs : namedCosts(costs, classes);
  const { rows, cols, data } = readScores(table instanceof Matrix ? table : Matrix.from(table), 'costs');
  const count = classes.length;
  if (rows !== count || (cols !== count && cols !== count + 1)) {
    refuse('E_SHAPE', `costs are ${rows} × ${cols}; there are ${count} classes, and perhaps a column for none`, {
      rows,
      cols,
    });
  }
  return new Matrix(rows, cols, data);
}

function namedCosts(costs: Readonly<Record<string, Readonly<Record<string, number>>>>, classes: readonly Label[]) {
  const table = classes.map((_, c) => Float64Array.from(classes, (_label, d) => (c === d ? 0 : 1)));
  for (const [truth, byDecision] of Object.entries(costs)) {
    const row = table[placeOfName(classes, truth)];
    for (const [decision, cost] of Object.entries(byDecision)) row[placeOfName(classes, decision)] = cost;
  }
  return table;
}

/**
 * Decides on one row. With costs by the least expected cost, argmin_d Σ_c p(c) cost[c][d], the first of equals (Elkan, The
 * Foundations of Cost-Sensitive Learning, 2001, eq. (1), with rows and columns exchanged). With thresholds, a class that has one is
 * given where its probability reaches it, and only there. Otherwise the most probable class.
 */
export function decideRow(rule: DecisionRule, proba: Float64Array): Choice {
  const { costs, thresholds, reject = 0, margin = 0 } = rule;
  const most = argmax(proba);
  const expected = costs && expectedCosts(costs, proba);
  const cheapest = expected && argmax(expected.map((cost) => -cost));
  const nothing = cheapest === proba.length;
  const place = nothing ? most : (cheapest ?? (thresholds ? aboveThreshold(proba, thresholds) : most));
  const unsure = proba[place] < reject || (margin > 0 && proba[most] - nextHighest(proba, most) < margin);
  return {
    place,
    abstained: nothing || unsure,
    expectedCost: expected && cheapest !== undefined ? expected[cheapest] : null,
  };
}

function expectedCosts({ rows, cols, data }: Matrix, proba: Float64Array): Float64Array {
  const expected = new Float64Array(cols);
  for (let c = 0; c < rows; c++) for (let d = 0; d < cols; d++) expected[d] += proba[c] * data[c * cols + d];
  return expected;
}

/**
 * Of the classes that reach their threshold, the one that exceeds it by the largest factor; if none does, the most probable class without a
 * threshold; if all have one, the most probable.
 */
function aboveThreshold(proba: Float64Array, thresholds: Float64Array): number {
  // comparisons with NaN are false: a class without a threshold never passes one
  const factors = proba.map((p, c) => (p >= thresholds[c] ? p / Math.max(thresholds[c], Number.MIN_VALUE) : -1));
  const best = argmax(factors);
  if (factors[best] >= 0) return best;
  const others = proba.map((p, c) => (Number.isNaN(thresholds[c]) ? p : -1));
  const open = argmax(others);
  return others[open] >= 0 ? open : argmax(proba);
}

function nextHighest(proba: Float64Array, most: number): number {
  let next = 0;
  for (let c = 0; c < proba.length; c++) if (c !== most && proba[c] > next) next = proba[c];
  return next;
}
