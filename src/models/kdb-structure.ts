import { type Batch, type Given, toDense } from '../data/batch.ts';
import { sum } from '../math/arrays.ts';
import { codesOf, codingOf, MOST_CODES } from '../stats/contexts.ts';
import type { Pairs } from '../stats/pairs.ts';
import { classInformation, conditionalInformation, dependence } from './dependence.ts';
import { blend, locate, rootShare } from './kdb-row.ts';
import type { FeatureTables } from './kdb-tables.ts';

/** Features in the order in which they became parents, and the parents of each, most important first. */
export interface Structure {
  readonly order: Int32Array;
  readonly parents: readonly (readonly number[])[];
}

/**
 * The structure of a k-dependence classifier (Sahami 1996): features in the order of I(Xⱼ; C), each with those k of the features
 * before it that have the highest I(Xⱼ; Xₖ | C). Ties go to the lower number. A feature that says nothing about another is not its
 * parent.
 */
export function informativeParents(stats: Pairs, k: number): Structure {
  const { features } = stats;
  const aboutClass = classInformation(stats);
  const mutual = conditionalInformation(dependence(stats));
  const order = Int32Array.from({ length: features }, (_, j) => j).sort(
    (a, b) => aboutClass[b] - aboutClass[a] || a - b,
  );
  const parents = Array.from({ length: features }, (): readonly number[] => []);
  order.forEach((j, place) => {
    const informative = (parent: number) => mutual[j * features + parent] > 0;
    const ranked = Array.from(order.subarray(0, place))
      .filter(informative)
      .sort((a, b) => mutual[j * features + b] - mutual[j * features + a] || a - b);
    parents[j] = fitting(stats, j, ranked.slice(0, k));
  });
  return { order, parents };
}

/** As many of the first parents as have codes that are exact numbers. */
export function fitting({ levels, classes, features }: Pick<Pairs, 'levels' | 'classes' | 'features'>, j: number, parents: readonly number[]): readonly number[] {
  const fits = (count: number) => {
    const given = Array.from({ length: features }, (_, other) => (other === j ? parents.slice(0, count) : []));
    return codesOf(codingOf({ classes, features, levels, given }, j)) < MOST_CODES;
  };
  let count = parents.length;
  while (count > 0 && !fits(count)) count--;
  return parents.slice(0, count);
}

/**
 * Leave-one-out losses of all submodels: concentrations up to bound b, at most k parents, and the first a + 1 features of the order, at
 * [(b * (K + 1) + k) * J + a].
 */
export interface Losses {
  /** Σ −w ln p(yᵢ | xᵢ). */
  readonly log: Float64Array;
  /** Σ w of rows whose class is not the most probable one. */
  readonly error: Float64Array;
  /** Σ w of the rows that were scored. */
  readonly weight: number;
}

/** Below this a probability is no longer multiplied: it stays above zero for the features to come. */
const LEAST_SHARE = 1e-280;

/**
 * Scores every row without itself under all submodels in one pass (Martínez, Webb, Chen & Zaidi 2016, §3): a structure with fewer
 * parents or fewer features is a prefix, so that lookups and running products are shared. Concentrations are those of all rows. A
 * missing parent ends the context, and a row that is alone in its class is passed over.
 */
export function leaveOneOutLosses(
  tables: readonly (FeatureTables | undefined)[],
  order: Int32Array,
  n: Float64Array,
  { k, bounds }: { readonly k: number; readonly bounds: readonly number[] },
  batch: Batch,
): Losses {
  const { classes, features } = batch;
  const { x } = toDense(batch);
  const total = sum(n);
  const J = order.length;
  const models = bounds.length * (k + 1);
  const [log, error] = [new Float64Array(models * J), new Float64Array(models * J)];
  const shares = new Float64Array(bounds.length * classes);
  const products = new Float64Array(models * classes);
  const path = new Int32Array(2 * (k + 1));
  let weighed = 0;
  for (let i = 0; i < batch.rows; i++) {
    const [c, weight] = [batch.y[i], batch.w[i]];
    if (n[c] <= weight) continue;
    weighed += weight;
    const leftOut = { c, weight };
    const row = x.subarray(i * features, (i + 1) * features);
    for (let at = 0; at < products.length; at++) {
      products[at] = (n[at % classes] - (at % classes === c ? weight : 0)) / (total - weight);
    }
    for (let a = 0; a < J; a++) {
      const own = tables[order[a]];
      const value = row[order[a]];
      if (own && !Number.isNaN(value)) {
        const known = locate(own, row, own.parents, value, path);
        shares.fill(rootShare(own, value, leftOut));
        for (let d = 0; d <= k; d++) {
          for (let b = 0; b < bounds.length; b++) {
            if (d < known) {
              const { contextWeights, valueWeights, concentration } = own.depths[d];
              const m = Math.min(concentration, bounds[b]);
              blend(shares, b * classes, contextWeights, path[2 * d], valueWeights, path[2 * d + 1], m, leftOut);
            }
            multiply(products, (b * (k + 1) + d) * classes, shares, b * classes, classes);
          }
        }
      }
      for (let model = 0; model < models; model++) {
        log[model * J + a] -= weight * Math.log(products[model * classes + c]);
        if (!isGreatest(products, model * classes, classes, c)) error[model * J + a] += weight;
      }
    }
  }
  return { log, error, weight: weighed };
}

/** Multiplies probabilities of classes by the shares of a value, and makes them sum to one. */
function multiply(products: Float64Array, to: number, shares: Float64Array, from: number, classes: number): void {
  let all = 0;
  for (let c = 0; c < classes; c++) all += products[to + c] *= shares[from + c];
  for (let c = 0; c < classes; c++) products[to + c] = Math.max(LEAST_SHARE, products[to + c] / all);
}

function isGreatest(products: Float64Array, at: number, classes: number, c: number): boolean {
  for (let other = 0; other < classes; other++) if (products[at + other] > products[at + c]) return false;
  return true;
}

/** The structure without the parents beyond the first k, and without the features beyond the first `count` of its order. */
export function prefixOf({ order, parents }: Structure, k: number, count: number): Given {
  const used = new Set(order.subarray(0, count));
  return parents.map((own, j) => (used.has(j) ? own.slice(0, k) : null));
}
