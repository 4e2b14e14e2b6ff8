import { sum } from '../math/arrays.ts';
import { lgamma } from '../math/gamma.ts';
import { cutBetween } from './bins.ts';

/** The stopping rule for cuts. */
export type MdlCriterion = 'fayyad-irani' | 'kononenko';

/** How cuts are evaluated. */
export interface MdlOptions {
  readonly criterion: MdlCriterion;
  /** Count the cuts that were possible, rather than one between every two rows. */
  readonly betterEncoding: boolean;
}

/** One run of rows with equal value: how much of each class it holds. */
interface Runs {
  readonly values: Float64Array;
  readonly counts: Float64Array; // run-major: counts[r * classes + c]
  readonly classes: number;
}

/** A part of the runs, from `from` up to but not including `to`. */
type Part = readonly [from: number, to: number];

/**
 * The cuts of a column that shorten the description of the classes, ascending. Of all cuts the one of least entropy
 *
 *   E(T) = (|S₁| Ent(S₁) + |S₂| Ent(S₂)) / |S|                                       (1)
 *
 * is accepted (the first of equals) when, in bits,
 *
 *   Ent(S) − E(T) > (log₂(N − 1) + log₂(3ᵏ − 2) − k Ent(S) + k₁ Ent(S₁) + k₂ Ent(S₂)) / N,        (2)
 *
 * k counting the classes present in each part; then both sides are cut in turn.
 * Fayyad & Irani, Multi-Interval Discretization of Continuous-Valued Attributes (1993); Kononenko, On Biases in Estimating
 * Multi-Valued Attributes (1995), for the other criterion. Sorting dominates: O(n log n), and O(classes) per change of value.
 */
export function mdlCuts(
  x: Float64Array,
  y: Int32Array,
  w: Float64Array,
  classes: number,
  options: MdlOptions,
): Float64Array {
  const runs = runsOf(x, y, w, classes);
  const cuts: number[] = [];
  const open: Part[] = [[0, runs.values.length]];
  while (open.length > 0) {
    const [from, to] = open.pop()!;
    const at = bestCut(runs, from, to);
    if (at === undefined || !isWorth(runs, [from, to], at, options)) continue;
    cuts.push(cutBetween(runs.values[at - 1], runs.values[at]));
    open.push([from, at], [at, to]);
  }
  return Float64Array.from(cuts).sort();
}

/** Rows of equal value, in ascending order. */
function runsOf(x: Float64Array, y: Int32Array, w: Float64Array, classes: number): Runs {
  const values = Float64Array.from(new Set(x)).sort();
  const places = new Map(Array.from(values, (value, r) => [value, r]));
  const counts = new Float64Array(values.length * classes);
  for (let i = 0; i < x.length; i++) counts[places.get(x[i])! * classes + y[i]] += w[i];
  return { values, counts, classes };
}

function totalOf({ counts, classes }: Runs, from: number, to: number): Float64Array {
  const total = new Float64Array(classes);
  for (let cell = from * classes; cell < to * classes; cell++) total[cell % classes] += counts[cell];
  return total;
}

const xlogx = (x: number) => (x > 0 ? x * Math.log(x) : 0);

/** N times the entropy of the classes in nats: −Σ_c n ln n + N ln N. */
function scatterOf(counts: Float64Array): number {
  let [result, total] = [0, 0];
  for (let c = 0; c < counts.length; c++) {
    result += xlogx(counts[c]);
    total += counts[c];
  }
  return xlogx(total) - result;
}

/** Entropies that differ by less than this share are equal, so that the first of equals is not a matter of rounding. */
const ROUNDING = 1e-12;

/** The first run after the cut of least entropy by (1); undefined where no cut gains anything. */
function bestCut(runs: Runs, from: number, to: number): number | undefined {
  const right = totalOf(runs, from, to);
  const left = new Float64Array(runs.classes);
  let least = scatterOf(right);
  let best: number | undefined;
  for (let r = from; r + 1 < to; r++) {
    for (let c = 0; c < runs.classes; c++) {
      const n = runs.counts[r * runs.classes + c];
      left[c] += n;
      right[c] -= n;
    }
    if (isWithinClass(runs, r)) continue;
    const scatter = scatterOf(left) + scatterOf(right);
    if (scatter < least - ROUNDING * least) [least, best] = [scatter, r + 1];
  }
  return best;
}

/** Whether runs r and r + 1 hold one class only, the same: the best cut is never there (Fayyad & Irani, theorem 1). */
function isWithinClass({ counts, classes }: Runs, r: number): boolean {
  let seen = -1;
  for (let cell = r * classes; cell < (r + 2) * classes; cell++) {
    if (counts[cell] === 0) continue;
    if (seen >= 0 && seen !== cell % classes) return false;
    seen = cell % classes;
  }
  return true;
}

function isWorth(runs: Runs, [from, to]: Part, at: number, { criterion, betterEncoding }: MdlOptions): boolean {
  const [whole, left, right] = [totalOf(runs, from, to), totalOf(runs, from, at), totalOf(runs, at, to)];
  const rows = sum(whole);
  const logCuts = Math.log2(betterEncoding ? to - from - 1 : Math.max(1, rows - 1));
  if (criterion === 'kononenko') {
    return labelBits(whole) > logCuts + labelBits(left) + labelBits(right);
  }
  const bits = (counts: Float64Array) => scatterOf(counts) / (sum(counts) * Math.LN2);
  const kinds = (counts: Float64Array) => counts.reduce((k, n) => k + (n > 0 ? 1 : 0), 0);
  const gain = bits(whole) - (scatterOf(left) + scatterOf(right)) / (rows * Math.LN2);
  const k = kinds(whole);
  const delta = logPowers(k) - (k * bits(whole) - kinds(right) * bits(right) - kinds(left) * bits(left));
  return gain > (logCuts + delta) / rows;
}

/** log₂(3ᵏ − 2), without overflow for many classes. */
function logPowers(k: number): number {
  return k < 30 ? Math.log2(3 ** k - 2) : k * Math.log2(3);
}

/** log₂ C(n + k − 1, k − 1) + log₂ (n! / Π n_c!): the description length of the labels of n rows of k classes. */
function labelBits(counts: Float64Array): number {
  const [n, k] = [sum(counts), counts.length];
  const logChoose = lgamma(n + k) - lgamma(k) - lgamma(n + 1);
  const logOrders = counts.reduce((rest, count) => rest - lgamma(count + 1), lgamma(n + 1));
  return (logChoose + logOrders) / Math.LN2;
}
