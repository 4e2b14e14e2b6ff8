import { count } from '../core/model.ts';
import { type Batch, takeRows, toDense } from '../data/batch.ts';
import type { Parents } from '../data/parents.ts';
import { sum } from '../math/arrays.ts';
import { drawCategory } from '../math/draws.ts';
import type { Generator } from '../math/generator.ts';
import { codesOf, codingOf, contexts, MOST_CODES } from '../stats/contexts.ts';
import type { Pairs } from '../stats/pairs.ts';
import { classInformation, conditionalInformation, correctedInformation, dependence } from './dependence.ts';
import { blend, locate } from './kdb-row.ts';
import { type Concentration, type FeatureTables, MOST_CONCENTRATION, tablesOf } from './kdb-tables.ts';

/** The features that may be used, in the order in which they became parents, and the parents of each, most important first. */
export interface Structure {
  readonly order: Int32Array;
  readonly parents: readonly (readonly number[])[];
}

/**
 * The structure of a k-dependence classifier (Sahami 1996): features in the order of I(Xⱼ; C), each with those k of the features before it
 * that have the highest I(Xⱼ; Xₖ | C), corrected for chance, because otherwise features with many levels displace more relevant ones. Ties
 * go to the lower number. A feature with one level is never a parent; one that is independent of another may be, since the class can depend
 * on both together.
 *
 * With `random` the order is drawn, each next feature with a probability proportional to its I(Xⱼ; C): structures that are nearly as good
 * and different, for ensembles (Zhang, Petitjean & Buntine 2020).
 */
export function informativeParents(stats: Pairs, k: number, random?: Generator): Structure {
  const { features } = stats;
  const aboutClass = classInformation(stats);
  const measured = dependence(stats);
  const [raw, mutual] = [conditionalInformation(measured), correctedInformation(measured)];
  const order = random ? drawOrder(aboutClass, random) : byInformation(aboutClass);
  const parents = Array.from({ length: features }, (): readonly number[] => []);
  order.forEach((j, place) => {
    const varies = (parent: number) => {
      const [nats, corrected] = [raw, mutual].map((table) => table[j * features + parent]);
      return nats > 0 || (corrected < 0 && corrected > -Infinity);
    };
    const ranked = Array.from(order.subarray(0, place))
      .filter(varies)
      .sort((a, b) => mutual[j * features + b] - mutual[j * features + a] || a - b);
    parents[j] = fitting(stats, j, ranked.slice(0, k));
  });
  return { order, parents };
}

function byInformation(information: Float64Array): Int32Array {
  return Int32Array.from(information.keys()).sort((a, b) => information[b] - information[a] || a - b);
}

/** Features one after another, with probabilities proportional to their information; those without any come last. */
function drawOrder(information: Float64Array, random: Generator): Int32Array {
  const rest = information.slice();
  const order: number[] = [];
  while (rest.some((nats) => nats > 0)) {
    order.push(drawCategory(random, rest));
    rest[order[order.length - 1]] = 0;
  }
  return Int32Array.from([...order, ...Array.from(information.keys()).filter((j) => !order.includes(j))]);
}

/** As many of the first parents as have codes that are exact numbers. */
export function fitting(
  { levels, classes, features }: Pick<Pairs, 'levels' | 'classes' | 'features'>,
  j: number,
  parents: readonly number[],
): readonly number[] {
  const fits = (count: number) => {
    const given = Array.from({ length: features }, (_, other) => (other === j ? parents.slice(0, count) : []));
    return codesOf(codingOf({ classes, features, levels, given }, j)) < MOST_CODES;
  };
  let count = parents.length;
  while (count > 0 && !fits(count)) count--;
  return parents.slice(0, count);
}

/** Probabilities are not multiplied below this value, so that they stay above zero. */
const LEAST_SHARE = 1e-280;

/**
 * Leave-one-out log-losses of all submodels in one pass (Martínez, Webb, Chen & Zaidi 2016, §3): Σ −w ln p(yᵢ | xᵢ) with concentrations up
 * to bounds[b], at most d parents and the first a + 1 features of the order, at [(b (k + 1) + d) J + a]. A structure with fewer parents
 * or fewer features is a prefix, so that lookups and running products are shared. Concentrations are those of all rows. A missing
 * parent ends the context, and a row that is alone in its class is passed over.
 */
export function submodelLosses(
  tables: readonly FeatureTables[],
  order: Int32Array,
  n: Float64Array,
  { k, bounds }: { readonly k: number; readonly bounds: readonly number[] },
  batch: Batch,
): Float64Array {
  const { classes, features } = batch;
  const { x } = toDense(batch);
  const total = sum(n);
  const [J, models] = [order.length, bounds.length * (k + 1)];
  const losses = new Float64Array(models * J);
  const shares = new Float64Array(bounds.length * classes);
  const products = new Float64Array(models * classes);
  const path = new Int32Array(2 * (k + 1));
  for (let i = 0; i < batch.rows; i++) {
    const [c, weight] = [batch.y[i], batch.w[i]];
    if (n[c] <= weight) continue;
    const leftOut = { c, weight };
    const row = x.subarray(i * features, (i + 1) * features);
    for (let at = 0; at < products.length; at++) {
      products[at] = (n[at % classes] - (at % classes === c ? weight : 0)) / (total - weight);
    }
    for (let a = 0; a < J; a++) {
      const own = tables[order[a]];
      const value = row[order[a]];
      if (own.levels > 0 && !Number.isNaN(value)) {
        const known = locate(own, row, value, path);
        shares.fill(1 / own.levels);
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
        losses[model * J + a] -= weight * Math.log(products[model * classes + c]);
      }
    }
  }
  return losses;
}

/** Multiplies probabilities of classes by the shares of a value, and makes them sum to one. */
function multiply(products: Float64Array, to: number, shares: Float64Array, from: number, classes: number): void {
  let all = 0;
  for (let c = 0; c < classes; c++) all += products[to + c] *= shares[from + c];
  for (let c = 0; c < classes; c++) products[to + c] = Math.max(LEAST_SHARE, products[to + c] / all);
}

/** Bounds of the concentrations that are tried; the last one is none. */
const BOUNDS = [0.5, 2, 10, 100, MOST_CONCENTRATION];
/**
 * Submodels are counted on at most this many cells, so that the deepest tables have a bounded size: about 300 bytes per cell if no
 * combination of values occurs twice.
 */
const MOST_CELLS = 2 ** 18;
/**
 * How many rows submodels are compared on, so that the cost is bounded: rows × features × classes, and the least number of rows. A
 * bound is chosen on fewer rows than parents and features, because losses differ more by it.
 */
const BOUND_ROWS = { work: 2 ** 15, least: 256 };
const SUBMODEL_ROWS = { work: 2 ** 17, least: 1024 };
/** A smaller submodel is taken if it costs no more than this, in nats per row. */
const TOLERANCE = 1e-4;

/** Options of the choice. */
export interface Choices {
  /** Choose the number of parents up to the greatest in the structure; else all of them are kept. */
  readonly depth: boolean;
  /** Choose how many of the first features are used. */
  readonly features: boolean;
  /** Choose a bound of the concentrations; else they are as given. */
  readonly concentration: Concentration | 'auto';
}

/** A submodel: the parents of each feature, null for one that is left out, and its concentrations. */
export interface Submodel {
  readonly given: Parents;
  readonly concentration: Concentration;
  /** Its leave-one-out log-loss in nats per row, where one was chosen. */
  readonly loss?: number;
}

/**
 * The submodel of least leave-one-out log-loss: first the bound, then the numbers of parents and features under it. Among those within
 * `TOLERANCE` of the best, the one with the fewest parents and then the fewest features. If there is nothing to choose, no rows are scored.
 */
export function chooseSubmodel(structure: Structure, choices: Choices, all: Batch): Submodel {
  const { order, parents } = structure;
  const { depth, features, concentration: asked } = choices;
  const among = new Set(order);
  const whole = parents.map((own, j) => (among.has(j) ? own : null));
  if (!depth && !features && asked !== 'auto') return { given: whole, concentration: asked };
  const batch = evenly(all, Math.ceil(MOST_CELLS / order.length));
  const stats = count(contexts, { ...batch, given: parents });
  const tables = tablesOf(stats, asked === 'auto' ? { most: MOST_CONCENTRATION } : asked);
  const k = Math.max(0, ...parents.map(({ length }) => length));
  const J = order.length;
  const legal = (at: number) => (features || at % J === J - 1) && (depth || Math.floor(at / J) % (k + 1) === k);
  /** The losses per row of the submodels that may be chosen, by place, and the least of them. */
  const compare = (bounds: readonly number[], { work, least }: typeof BOUND_ROWS) => {
    const some = evenly(batch, Math.max(least, Math.floor(work / (J * batch.classes))));
    const losses = submodelLosses(tables, order, stats.n, { k, bounds }, some);
    const found = Array.from(losses, (loss, at) => ({ at, loss: loss / sum(some.w) })).filter(({ at }) => legal(at));
    return { found, best: found.reduce((best, own) => (own.loss < best.loss ? own : best)) };
  };
  const bound = asked === 'auto' ? BOUNDS[Math.floor(compare(BOUNDS, BOUND_ROWS).best.at / J / (k + 1))] : undefined;
  const concentration = bound === undefined ? (asked as Concentration) : { most: bound };
  if (!depth && !features) return { given: whole, concentration };
  const { found, best } = compare([bound ?? MOST_CONCENTRATION], SUBMODEL_ROWS);
  const chosen = found.find(({ loss }) => loss <= best.loss + TOLERANCE) ?? best; // in the order of their size
  const used = new Set(order.subarray(0, (chosen.at % J) + 1));
  const given = parents.map((own, j) => (used.has(j) ? own.slice(0, Math.floor(chosen.at / J)) : null));
  return { given, concentration, loss: best.loss };
}

/** At most this many rows of a batch, evenly spaced. */
function evenly(batch: Batch, most: number): Batch {
  if (batch.rows <= most) return batch;
  const order = Int32Array.from({ length: most }, (_, k) => Math.floor((k * batch.rows) / most));
  const [y, w] = [order.map((i) => batch.y[i]), Float64Array.from(order, (i) => batch.w[i])];
  return { ...batch, ...takeRows(batch, order), y, w };
}
