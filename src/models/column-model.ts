import type { Model } from '../core/model.ts';
import { type ClassPrior, logClassPrior } from '../core/prior.ts';
import { requireKind, requireLike, requireOptions } from '../data/arguments.ts';
import { type Shape, toDense } from '../data/batch.ts';
import type { Generator } from '../math/generator.ts';
import { type CellFunctions, type NaturalSums, naturalSums, sumAt, weightAt } from '../stats/natural-sums.ts';

/** A distribution of the numbers in a column, estimated from the means of a few functions of a cell. */
export interface ColumnDistribution {
  /** Letters only: it is the name of the family. */
  readonly name: string;
  /** The functions T of a cell whose means are all that the estimate needs, by name. */
  readonly statistics: CellFunctions;
  /** Those of them that can be negative. */
  readonly signed?: readonly string[];
  /** The names of the parameters, in the order in which `estimate` returns them; each is a finite number. */
  readonly parameters: readonly string[];
  /** The parameters of greatest likelihood, from the mean of each statistic in its order. */
  estimate(means: readonly number[]): readonly number[];
  /** ln p(x), or −∞ where x is impossible. */
  logDensity(parameters: Float64Array, x: number): number;
  sample(parameters: Float64Array, random: Generator): number;
  /** The mean, for what is said about a column; without it none is given. */
  mean?(parameters: Float64Array): number;
}

const members = {
  name: 'string',
  statistics: 'object',
  signed: 'list',
  parameters: 'list',
  estimate: 'function',
  logDensity: 'function',
  sample: 'function',
  mean: 'function',
} as const;

/** The parameters of the column of each class: values[(j * classes + c) * parameters + k]. */
export interface Columns extends Shape {
  readonly logPrior: Float64Array;
  readonly values: Float64Array;
}

/** How a column is estimated. */
export interface ColumnOptions {
  /** How many rows the prior counts for; 1 by default, 0 for the maximum of the likelihood. */
  readonly poolWeight?: number;
  readonly classPrior?: ClassPrior;
}

/** A model of columns that have one distribution each. */
export interface ColumnModel extends Model<NaturalSums, Columns, ColumnOptions> {
  readonly distribution: ColumnDistribution;
}

/**
 * Naive Bayes over columns of any distribution whose estimate needs only means of functions T of a cell:
 *
 *   p(x | c) = Πⱼ p(xⱼ | θ[c,j]),   θ[c,j] = θ̂((Σᵢ wᵢ T(xᵢⱼ) + ν τⱼ) / (Σᵢ wᵢ + ν))                       (1)
 *
 * where θ̂ gives the parameters of greatest likelihood for a mean of T, and τⱼ is the mean of T over all classes. For an exponential
 * family that is the maximum of the posterior under its conjugate prior, which counts as ν rows with the mean τ (Diaconis & Ylvisaker
 * 1979). A class without cells has the distribution of all classes, and one with equal cells keeps a spread. A missing cell drops out.
 * Murphy, Machine Learning: A Probabilistic Perspective (2012), §9.2.
 */
export function columnModel(distribution: ColumnDistribution): ColumnModel {
  requireOptions('columnModel', Object.keys(members), distribution);
  const { mean: _, signed: _signed, ...needed } = members;
  requireLike(distribution, 'a distribution with name, statistics, parameters and its functions', needed);
  const { name, statistics, signed, parameters } = distribution;
  for (const of of Object.values(statistics)) requireKind(of, 'statistics that are functions of a cell', 'function');
  const width = parameters.length;
  const names = Object.keys(statistics);
  const own = ({ classes, values }: Columns, c: number, j: number) => {
    const from = (j * classes + c) * width;
    return values.subarray(from, from + width);
  };
  const logCell = (params: Columns, c: number, j: number, x: number) =>
    Number.isNaN(x) ? 0 : distribution.logDensity(own(params, c, j), x);
  return {
    name,
    distribution,
    statistic: naturalSums(name, statistics, signed),
    form: { arrays: { logPrior: ['log', 'classes'], values: ['real', 'features', 'classes', width] } },

    estimate(stats, { poolWeight = 1, classPrior }) {
      const { classes, features, n } = stats;
      const values = new Float64Array(features * classes * width);
      for (let j = 0; j < features; j++) {
        const pooled = pooledMeans(stats, names, j) ?? names.map((of) => statistics[of](1));
        for (let c = 0; c < classes; c++) {
          const weight = weightAt(stats, c, j) + poolWeight;
          const means = names.map((of, k) => (sumAt(stats, of, c, j) + poolWeight * pooled[k]) / weight);
          values.set(distribution.estimate(weight > 0 ? means : pooled), (j * classes + c) * width);
        }
      }
      return { classes, features, logPrior: logClassPrior(n, classPrior), values };
    },

    /** out[i,c] = ln p(c) + ln p(xᵢ | c), by (1). */
    score(params, rows, out) {
      const { classes, features, logPrior } = params;
      const { x } = toDense(rows);
      for (let at = 0; at < out.length; at += classes) out.set(logPrior, at);
      for (let j = 0; j < features; j++) {
        for (let c = 0; c < classes; c++) {
          const parameters = own(params, c, j);
          for (let i = 0; i < rows.rows; i++) {
            const value = x[i * features + j];
            if (!Number.isNaN(value)) out[i * classes + c] += distribution.logDensity(parameters, value);
          }
        }
      }
    },

    logPrior: ({ logPrior }) => logPrior,

    terms(params, rows, i) {
      const { classes, features } = params;
      const { x } = toDense(rows);
      const terms = new Float64Array(features * classes);
      for (let j = 0; j < features; j++) {
        for (let c = 0; c < classes; c++) terms[j * classes + c] = logCell(params, c, j, x[i * features + j]);
      }
      return { features: Uint32Array.from({ length: features }, (_, j) => j), terms, rest: new Float64Array(classes) };
    },

    sample(params, c, random, row) {
      for (let j = 0; j < params.features; j++) row[j] = distribution.sample(own(params, c, j), random);
    },
  };
}

/** The mean of each statistic of feature j over all classes; undefined where no cell was counted. */
function pooledMeans(stats: NaturalSums, names: readonly string[], j: number): number[] | undefined {
  let weight = 0;
  const totals = names.map(() => 0);
  for (let c = 0; c < stats.classes; c++) {
    weight += weightAt(stats, c, j);
    for (const [k, of] of names.entries()) totals[k] += sumAt(stats, of, c, j);
  }
  return weight > 0 ? totals.map((total) => total / weight) : undefined;
}
