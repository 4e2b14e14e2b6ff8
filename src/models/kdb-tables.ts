import type { Shape } from '../data/batch.ts';
import { PairIndex } from '../math/pair-index.ts';
import { type Coding, type Contexts, codingOf, digitsOf } from '../stats/contexts.ts';
import { valuesOf } from '../stats/multiset.ts';

/** Compressed weights by class of numbered entries: those of entry t are from start[t] to start[t + 1], by ascending class. */
export interface ByClass {
  readonly start: Uint32Array;
  readonly classes: Uint32Array;
  readonly weights: Float64Array;
}

/** The conditional table of a feature given the class and its first d parents. */
export interface Depth {
  /** Numbers contexts: (context of the first d − 1 parents, level of parent d). The one context at depth 0 is number 0. */
  readonly contexts: PairIndex;
  /** Numbers values in context: (context, level of the feature). */
  readonly values: PairIndex;
  /** N[c,u]: the weight of each context. */
  readonly contextWeights: ByClass;
  /** n[c,u,v]: the weight of each value in context. */
  readonly valueWeights: ByClass;
  /** The weight, in rows, of the distribution at the depth above. */
  readonly concentration: number;
}

/** All tables of one feature, from p(x | c) down to p(x | c, all parents). */
export interface FeatureTables {
  readonly parents: readonly number[];
  readonly levels: number;
  readonly depths: readonly Depth[];
}

/**
 * How concentrations are chosen: a number for all; or by leave-one-out likelihood, but at least the number of levels, which is what adding
 * one to every count amounts to, and at most `most`. Without the lower bound, tables with nearly deterministic values become overconfident
 * on small data.
 */
export type Concentration = number | { readonly most: number };

/** The part of a code that a value in context of one class stands for. */
interface Entries {
  readonly classes: Uint32Array;
  readonly weights: Float64Array;
  /** digits[d][e]: the level of parent d; after the parents, that of the feature. */
  readonly digits: readonly Int32Array[];
}

/**
 * The tables of every feature: counts of all contexts with 0, 1, … parents, each the margin of the next, and for each of them a
 * concentration.
 */
export function tablesOf(stats: Contexts, concentration: Concentration): FeatureTables[] {
  return entriesOf(stats).map((own, j) =>
    featureTables(own, codingOf(stats, j), stats.levels?.[j] ?? 0, concentration),
  );
}

/** The entries of every feature, classes ascending. */
function entriesOf(stats: Contexts & Shape): Entries[] {
  const { features } = stats;
  const { cells, values, weights } = valuesOf(stats);
  const count = new Uint32Array(features);
  for (let k = 0; k < cells.length; k++) count[cells[k] % features]++;
  const codings = Array.from({ length: features }, (_, j) => codingOf(stats, j));
  const all = codings.map(({ radix }, j) => ({
    classes: new Uint32Array(count[j]),
    weights: new Float64Array(count[j]),
    digits: radix.map(() => new Int32Array(count[j])),
  }));
  const next = new Uint32Array(features);
  const digits = new Int32Array(features + 1);
  for (let k = 0; k < cells.length; k++) {
    const j = cells[k] % features;
    const e = next[j]++;
    all[j].classes[e] = Math.floor(cells[k] / features);
    all[j].weights[e] = weights[k];
    digitsOf(codings[j], values[k], digits);
    for (let d = 0; d < all[j].digits.length; d++) all[j].digits[d][e] = digits[d];
  }
  return all;
}

function featureTables(entries: Entries, coding: Coding, levels: number, asked: Concentration): FeatureTables {
  const { classes, weights, digits } = entries;
  const { parents, radix } = coding;
  const own = digits[parents.length];
  let before: Float64Array = new Float64Array(levels).fill(1 / levels);
  let [slots, contextOf]: [Int32Array, Int32Array] = [own, new Int32Array(own.length)];
  const depths: Depth[] = [];
  for (let d = 0; d <= parents.length; d++) {
    const contexts = new PairIndex();
    if (d === 0) contexts.add(0, 0);
    else {
      const [above, level] = [contextOf, digits[d - 1]];
      contextOf = above.map((context, e) =>
        context < 0 || level[e] === radix[d - 1] - 1 ? -1 : contexts.add(context, level[e]),
      );
    }
    const values = new PairIndex();
    const valueOf = contextOf.map((context, e) => (context < 0 ? -1 : values.add(context, own[e])));
    const context = byClass(contextOf, contexts.size, classes, weights);
    const value = byClass(valueOf, values.size, classes, weights);
    // for leave-one-out, of every slot: n, N and the share at the depth above
    const above = new Float64Array(value.table.weights.length);
    const wholes = new Float64Array(above.length);
    for (let e = 0; e < own.length; e++) {
      if (value.slots[e] < 0) continue;
      above[value.slots[e]] = before[slots[e]];
      wholes[value.slots[e]] = context.table.weights[context.slots[e]];
    }
    const parts = value.table.weights;
    const best = typeof asked === 'number' ? asked : bestConcentration(parts, wholes, above, levels);
    before = parts.map((n, s) => shareWithout(n, wholes[s], best, above[s], Math.min(1, n)));
    // the bound comes after the search, so that one set of tables serves every bound
    const concentration = typeof asked === 'number' ? asked : Math.min(best, asked.most);
    slots = value.slots;
    depths.push({ contexts, values, contextWeights: context.table, valueWeights: value.table, concentration });
  }
  return { parents, levels, depths };
}

/** Entries added up by thing and class, and the slot of every entry. Entries come with their classes ascending. */
function byClass(things: Int32Array, size: number, classes: Uint32Array, weights: Float64Array) {
  const last = new Int32Array(size).fill(-1);
  const start = new Uint32Array(size + 1);
  for (let e = 0; e < things.length; e++) {
    const thing = things[e];
    if (thing < 0 || last[thing] === classes[e]) continue;
    last[thing] = classes[e];
    start[thing + 1]++;
  }
  for (let t = 0; t < size; t++) start[t + 1] += start[t];
  const table = { start, classes: new Uint32Array(start[size]), weights: new Float64Array(start[size]) };
  const next = start.slice(0, size);
  const slots = new Int32Array(things.length).fill(-1);
  for (let e = 0; e < things.length; e++) {
    const thing = things[e];
    if (thing < 0) continue;
    const filled = next[thing] > start[thing] && table.classes[next[thing] - 1] === classes[e];
    const slot = filled ? next[thing] - 1 : next[thing]++;
    table.classes[slot] = classes[e];
    table.weights[slot] += weights[e];
    slots[e] = slot;
  }
  return { table, slots };
}

/** (n − w + m p) / (N − w + m): the share of a value of which weight w is left out. */
function shareWithout(n: number, whole: number, m: number, above: number, w: number): number {
  return (n - w + m * above) / (whole - w + m);
}

/** The largest concentration. */
export const MOST_CONCENTRATION: number = 2 ** 20;
/** The relative precision of a concentration. */
const PRECISION = 1.02;

/**
 * The concentration m of highest leave-one-out likelihood,
 *
 *   L(m) = Σ n ln [(n − 1 + m p) / (N − 1 + m)],    L'(m) = Σ n [p / (n − 1 + m p) − 1 / (N − 1 + m)]
 *
 * over values with count n in a context with count N and share p at the depth above, from `least` on: the zero of L' by bisection of
 * ln m. Contexts with a single row do not depend on m.
 */
export function bestConcentration(
  parts: Float64Array,
  wholes: Float64Array,
  above: Float64Array,
  least: number,
): number {
  const slope = (m: number) => {
    let sum = 0;
    for (let s = 0; s < parts.length; s++) {
      const n = parts[s];
      const rest = wholes[s] - Math.min(1, n);
      if (rest <= 0) continue;
      sum += n * (above[s] / (n - Math.min(1, n) + m * above[s]) - 1 / (rest + m));
    }
    return sum;
  };
  let [low, high] = [Math.max(1, least), MOST_CONCENTRATION];
  if (slope(high) >= 0) return high;
  if (slope(low) <= 0) return low;
  while (high > PRECISION * low) {
    const middle = Math.sqrt(low * high);
    if (slope(middle) > 0) low = middle;
    else high = middle;
  }
  return Math.sqrt(low * high);
}
