import type { Model } from '../core/model.ts';
import { type ClassPrior, logClassPrior } from '../core/prior.ts';
import { type Rows, type Shape, toDense } from '../data/batch.ts';
import { drawCategory } from '../math/draws.ts';
import { type Pairs, pairs } from '../stats/pairs.ts';
import { conditionalInformation, dependence, type Forest, spanningForest } from './dependence.ts';
import { treeDice } from './tree-dice.ts';
import { treeForm } from './tree-form.ts';
import { logRow, treeTerms } from './tree-row.ts';

/** A tree over the features, and for each feature its dice: one for every class and level of its parent. */
export interface Tree extends Shape, Forest {
  readonly levels: Int32Array;
  readonly logPrior: Float64Array;
  /** I(Xⱼ; Xₖ | C) in nats, symmetric; −Infinity where two features were never seen together. */
  readonly information: Float64Array;
  /**
   * ln p(xⱼ = v | parent at u, c) at dice[j][(c (K + 1) + u) (Kⱼ + 1) + v] with K levels of the parent, K = 0 for a root.
   * The last level of either stands for all that are on no list; a root has u = 0.
   */
  readonly dice: readonly Float64Array[];
}

/** How a tree is estimated. */
export interface TreeOptions {
  /** The pseudo-count of every level. */
  readonly alpha: number;
  readonly classPrior?: ClassPrior;
}

/**
 * Tree-augmented naive Bayes: every feature leans on the class and on one other feature.
 *
 *   p(x | c) = Πⱼ p(xⱼ | xₚ₍ⱼ₎, c)                                                          (1)
 *   p(xⱼ = v | u, c) = (n[c,u,v] + α) / (Σᵥ n[c,u,v] + α Kⱼ)                                 (2)
 *
 * The tree p is the maximum spanning tree under I(Xⱼ; Xₖ | C), which is the tree of highest likelihood; it is rooted at
 * the first feature. A missing cell is integrated out of (1) exactly, by sums over its levels along the tree. A level on no
 * list is an empty face. Friedman, Geiger & Goldszmidt, Bayesian Network Classifiers (1997), §4;
 * Chow & Liu (1968).
 */
export const tree: Model<Pairs, Tree, TreeOptions> = {
  name: 'tree',
  statistic: pairs,
  form: treeForm,

  estimate(stats, { alpha, classPrior }) {
    const { classes, features, levels, n } = stats;
    const information = conditionalInformation(dependence(stats));
    const forest = spanningForest(information, features);
    const dice = treeDice(stats, forest, alpha);
    return { classes, features, levels, logPrior: logClassPrior(n, classPrior), information, ...forest, dice };
  },

  /** out[i,c] = ln p(c) + ln p(xᵢ | c), by (1). */
  score(params, rows: Rows, out) {
    const { classes, features, logPrior } = params;
    const { x } = toDense(rows);
    for (let i = 0; i < rows.rows; i++) {
      const row = x.subarray(i * features, (i + 1) * features);
      for (let c = 0; c < classes; c++) out[i * classes + c] = logPrior[c] + logRow(params, row, c);
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
