import type { Form, Model, Terms } from '../core/model.ts';
import { type ClassPrior, logClassPrior } from '../core/prior.ts';
import { type Rows, type Shape, toDense } from '../data/batch.ts';
import { drawCategory } from '../math/draws.ts';
import { logRatio } from '../math/logs.ts';
import { levelOffsets } from '../stats/layout.ts';
import { type Pairs, pairs } from '../stats/pairs.ts';
import { conditionalInformation, dependence, type Forest, spanningForest } from './dependence.ts';
import { logFace, logTreeRow } from './tree-row.ts';

/** A tree over the features, and for each feature a distribution for every class and level of its parent. */
export interface Tree extends Shape, Forest {
  readonly levels: Int32Array;
  readonly logPrior: Float64Array;
  /** I(Xⱼ; Xₖ | C) in nats, symmetric; −Infinity where two features were never seen together. */
  readonly information: Float64Array;
  /**
   * ln p(xⱼ = v | parent at u, c) at dice[j][(c (K + 1) + u) (Kⱼ + 1) + v] with K levels of the parent, K = 0 for a root. The last level of
   * either stands for all unknown ones; a root has u = 0.
   */
  readonly dice: readonly Float64Array[];
}

/** How a tree is estimated. */
export interface TreeOptions {
  /** The pseudo-count of every level. */
  readonly alpha: number;
  readonly classPrior?: ClassPrior;
}

/** The tree, and the tables of all features one after another. */
const treeForm: Form<Tree, unknown> = {
  arrays: {
    logPrior: ['log', 'classes'],
    information: ['log', 'features', 'features'],
    parents: ['place', 'features'],
    order: ['place', 'features'],
    dice: ['log', 'any'],
  },
  pack: ({ logPrior, information, parents, order, dice }) => ({
    logPrior,
    information,
    parents: Float64Array.from(parents),
    order: Float64Array.from(order),
    dice: Float64Array.from(dice.flatMap((own) => [...own])),
  }),
  unpack(packed, { classes, features, levels = new Int32Array(features) }) {
    const { logPrior, information, dice } = packed;
    const [parents, order] = [Int32Array.from(packed.parents), Int32Array.from(packed.order)];
    if (!isForest(parents, order)) return undefined;
    let at = 0;
    const own = Array.from(parents, (parent, j) => {
      const size = classes * ((parent < 0 ? 0 : levels[parent]) + 1) * (levels[j] + 1);
      return dice.slice(at, (at += size));
    });
    return at === dice.length
      ? { classes, features, levels, logPrior, information, parents, order, dice: own }
      : undefined;
  },
};

/** Whether every feature is in the order exactly once, after its parent. */
function isForest(parents: Int32Array, order: Int32Array): boolean {
  const seen = new Set<number>([-1]);
  const fits = order.every((j) => j >= 0 && j < parents.length && seen.has(parents[j]) && !seen.has(j) && seen.add(j));
  return fits && seen.size === parents.length + 1;
}

/**
 * Tree-augmented naive Bayes: every feature depends on the class and on one other feature.
 *
 *   p(x | c) = Πⱼ p(xⱼ | xₚ₍ⱼ₎, c)                                                          (1)
 *   p(xⱼ = v | u, c) = (n[c,u,v] + α) / (Σᵥ n[c,u,v] + α Kⱼ)                                 (2)
 *
 * The tree p is the maximum spanning tree under I(Xⱼ; Xₖ | C), which is the tree of highest likelihood; it is rooted at the first feature.
 * A missing cell is integrated out of (1) exactly, by sums over its levels along the tree. An unknown level has count zero. Friedman,
 * Geiger & Goldszmidt, Bayesian Network Classifiers (1997), §4; Chow & Liu (1968).
 */
export const tree: Model<Pairs, Tree, TreeOptions> = {
  name: 'tree',
  statistic: pairs,
  form: treeForm,

  estimate(stats, { alpha, classPrior }) {
    const { classes, features, levels, n } = stats;
    const information = conditionalInformation(dependence(stats));
    const forest = spanningForest(information, features);
    const dice = treeTables(stats, forest, alpha);
    return { classes, features, levels, logPrior: logClassPrior(n, classPrior), information, ...forest, dice };
  },

  /** out[i,c] = ln p(c) + ln p(xᵢ | c), by (1). */
  score(params, rows: Rows, out) {
    const { classes, features, logPrior } = params;
    const { x } = toDense(rows);
    for (let i = 0; i < rows.rows; i++) {
      const row = x.subarray(i * features, (i + 1) * features);
      for (let c = 0; c < classes; c++) out[i * classes + c] = logPrior[c] + logTreeRow(params, row, c);
    }
  },

  logPrior: ({ logPrior }) => logPrior,

  terms: (params, rows, i) =>
    treeTerms(params, toDense(rows).x.subarray(i * params.features, (i + 1) * params.features)),

  /** Parents first; where a class has no level to draw, the cell is missing. */
  sample({ order, parents, levels, dice }, c, random, row) {
    for (const j of order) {
      const parent = parents[j];
      const above = parent < 0 ? 0 : levels[parent];
      const given = parent < 0 ? 0 : Number.isNaN(row[parent]) ? above : row[parent];
      const start = (c * (above + 1) + given) * (levels[j] + 1);
      const shares = dice[j].subarray(start, start + levels[j]).map(Math.exp);
      row[j] = shares.some((share) => share > 0) ? drawCategory(random, shares) : Number.NaN;
    }
  },
};

/** The distributions of every feature, one for every class and level of the parent: (n[c,u,v] + α) / (Σᵥ n[c,u,v] + α Kⱼ). */
function treeTables(stats: Pairs, { parents }: Forest, alpha: number): Float64Array[] {
  const { classes, levels, p } = stats;
  const offsets = levelOffsets(levels);
  const width = offsets[levels.length];
  return Array.from(parents, (parent, j) => {
    const [above, count] = [parent < 0 ? 0 : levels[parent], levels[j]];
    const die = new Float64Array(classes * (above + 1) * (count + 1));
    const counts = new Float64Array(count);
    for (let c = 0; c < classes; c++) {
      for (let u = 0; u <= above; u++) {
        for (let v = 0; v < count; v++) {
          const own = offsets[j] + v;
          const given = parent < 0 ? own : offsets[parent] + u;
          counts[v] = parent >= 0 && u === above ? 0 : p[(c * width + given) * width + own];
        }
        estimateTable(counts, alpha, die, (c * (above + 1) + u) * (count + 1));
      }
    }
    return die;
  });
}

/** Writes ln (counts + α) / Σ (counts + α), followed by the logarithm for an unknown level, which has count zero. */
function estimateTable(counts: Float64Array, alpha: number, out: Float64Array, at: number): void {
  let total = 0;
  for (let v = 0; v < counts.length; v++) total += counts[v];
  for (let v = 0; v < counts.length; v++) out[at + v] = logRatio(counts[v] + alpha, total + alpha * counts.length);
  // A feature without levels carries no information, so it adds nothing to any score.
  out[at + counts.length] = counts.length > 0 ? logRatio(alpha, total + alpha * counts.length) : 0;
}

/**
 * The score by the chain rule, parents first: given its parent, a feature is independent of all that came before it; under a
 * parent that is missing, its term is what the score gains when it becomes known.
 */
function treeTerms(tree: Tree, row: Float64Array): Terms {
  const { classes, features, parents, order } = tree;
  const terms = new Float64Array(features * classes);
  for (let c = 0; c < classes; c++) {
    const seen = new Float64Array(features).fill(Number.NaN);
    for (const j of order) {
      if (Number.isNaN(row[j])) continue;
      const parent = parents[j];
      const open = parent >= 0 && Number.isNaN(row[parent]);
      const before = open ? logTreeRow(tree, seen, c) : 0;
      seen[j] = row[j];
      if (!open) terms[j * classes + c] = logFace(tree, j, c, parent < 0 ? 0 : row[parent], row[j]);
      else if (before > -Infinity) terms[j * classes + c] = logTreeRow(tree, seen, c) - before;
    }
  }
  return { features: Uint32Array.from({ length: features }, (_, j) => j), terms, rest: new Float64Array(classes) };
}
