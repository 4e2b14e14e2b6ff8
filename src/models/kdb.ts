import type { Form, Model } from '../core/model.ts';
import { type ClassPrior, logClassPrior } from '../core/prior.ts';
import { type Rows, type Shape, toDense } from '../data/batch.ts';
import { parentsFirst } from '../data/parents.ts';
import { numbersOf, type Tensor } from '../data/safetensors.ts';
import { drawCategory } from '../math/draws.ts';
import { type Contexts, contexts } from '../stats/contexts.ts';
import { addRow, logSharesOf } from './kdb-row.ts';
import { type Concentration, type FeatureTables, tablesOf } from './kdb-tables.ts';

/** Conditional tables of every feature, with back-off. */
export interface KDependence extends Shape {
  readonly levels: Int32Array;
  readonly logPrior: Float64Array;
  readonly tables: readonly FeatureTables[];
  /** The features that the model uses and has levels of, every parent before its children. */
  readonly order: Int32Array;
  /** The counts that the tables were estimated from. */
  readonly stats: Contexts;
}

/** How tables are smoothed. */
export interface KDependenceOptions {
  readonly concentration: Concentration;
  readonly classPrior?: ClassPrior;
}

const vector = (data: Tensor['data']): Tensor => ({ shape: [data.length], data });

/** A file of parameters contains the counts of the tables: all tables of a feature are margins of the deepest one. */
const form: Form<KDependence, KDependenceOptions> = {
  arrays: {
    logPrior: ['log', 'classes'],
    class: ['place', 'any'],
    column: ['place', 'any'],
    code: ['weight', 'any'],
    weight: ['weight', 'any'],
  },
  pack({ logPrior, stats }) {
    const arrays = contexts.toArrays?.(stats) ?? {};
    const [c, column, code, weight] = ['class', 'column', 'value', 'weight'].map(
      (name) => numbersOf(arrays[name]) ?? new Float64Array(0),
    );
    return { logPrior, class: c, column, code, weight };
  },
  unpack({ logPrior, class: c, column, code, weight }, shape, options) {
    const arrays = {
      n: vector(new Float64Array(shape.classes)),
      class: vector(Uint32Array.from(c)),
      column: vector(Uint32Array.from(column)),
      value: vector(code),
      weight: vector(weight),
    };
    const stats = contexts.fromArrays?.(shape, arrays);
    return stats && { ...kdb.estimate(stats, { concentration: options.concentration }), logPrior };
  },
};

/**
 * A k-dependence Bayesian classifier: every feature depends on the class and on up to k other features,
 *
 *   p(x | c) = Πⱼ p(xⱼ | c, u₁ … u_k)   with uᵢ the i-th parent of feature j                      (1)
 *   p_d(v | c, u₁ … u_d) = (n[c,u₁…u_d,v] + m p_{d−1}(v | c, u₁ … u_{d−1})) / (N[c,u₁…u_d] + m)    (2)
 *
 * down to p(v | c), which backs off to 1/K. Each step of (2) is a Dirichlet prior around the table with a parent less, with a concentration
 * m of its own, by default the one of highest leave-one-out likelihood. An unseen value gets the remaining share, and a parent with such a
 * value adds nothing. Sahami, Learning Limited Dependence Bayesian Classifiers (1996); for the hierarchy Petitjean, Buntine, Webb & Zaidi,
 * Accurate parameter estimation for Bayesian network classifiers using hierarchical Dirichlet processes (2018), without its sampling.
 */
export const kdb: Model<Contexts, KDependence, KDependenceOptions> = {
  name: 'kdb',
  statistic: contexts,
  form,

  estimate(stats, { concentration, classPrior }) {
    const { classes, features, levels = new Int32Array(features), given, n } = stats;
    const tables = tablesOf(stats, concentration);
    const used = (j: number) => given?.[j] !== null && levels[j] > 0;
    const all = given ? (parentsFirst(given) ?? new Int32Array(0)) : Int32Array.from(levels, (_, j) => j);
    const order = all.filter(used);
    const logPrior = logClassPrior(n, classPrior);
    return { classes, features, levels, ...(given && { given }), logPrior, tables, order, stats };
  },

  /** out[i,c] = ln p(c) + ln p(xᵢ | c), by (1). */
  score(params, rows: Rows, out) {
    const { classes, features, logPrior } = params;
    const { x } = toDense(rows);
    for (let i = 0; i < rows.rows; i++) {
      out.set(logPrior, i * classes);
      addRow(params, x.subarray(i * features, (i + 1) * features), out, i * classes);
    }
  },

  logPrior: ({ logPrior }) => logPrior,

  /** By the chain rule, parents first; in a row with missing cells, the gain of the score when a cell becomes known. */
  terms(params, rows, i) {
    const { classes, features, order } = params;
    const row = toDense(rows).x.subarray(i * features, (i + 1) * features);
    const complete = order.every((j) => !Number.isNaN(row[j]));
    const terms = new Float64Array(features * classes);
    const seen = new Float64Array(features).fill(Number.NaN);
    let before = new Float64Array(classes);
    for (const j of order) {
      if (Number.isNaN(row[j])) continue;
      seen[j] = row[j];
      const after = new Float64Array(classes);
      if (complete) logSharesOf(params, j, row[j], row, after);
      else addRow(params, seen, after, 0);
      for (let c = 0; c < classes; c++) terms[j * classes + c] = complete ? after[c] : after[c] - before[c];
      before = after;
    }
    return { features: Uint32Array.from({ length: features }, (_, j) => j), terms, rest: new Float64Array(classes) };
  },

  /** Parents first; a column that the model leaves out is drawn by its class alone, one without levels is missing. */
  sample(params, c, random, row) {
    const { classes, levels, given } = params;
    const order = given ? (parentsFirst(given) ?? []) : levels.keys();
    const logs = new Float64Array(classes);
    row.fill(Number.NaN);
    for (const j of order) {
      if (levels[j] === 0) continue;
      const shares = Float64Array.from({ length: levels[j] }, (_, v) => {
        logSharesOf(params, j, v, row, logs);
        return Math.exp(logs[c]);
      });
      row[j] = drawCategory(random, shares);
    }
  },
};
