import { allTerms, type Model, type Statistic } from '../core/model.ts';
import { type ClassPrior, logClassPrior } from '../core/prior.ts';
import { requireKind, requireLike, requireOptions } from '../data/arguments.ts';
import { type Shape, toDense } from '../data/batch.ts';
import { refuse, show } from '../errors.ts';
import type { Generator } from '../math/generator.ts';
import { type CellFunctions, type NaturalSums, naturalSums, sumAt, weightAt } from '../stats/natural-sums.ts';
import { type Values, valueReader, values, type WeightedValues } from '../stats/values.ts';

/** Which numbers a column may have: all, those from 0 on, those above 0, or those between 0 and 1. */
export type Support = (typeof supports)[number];

const supports = ['real', 'nonNegative', 'positive', 'unit'] as const;

/** A distribution of the numbers in a column. */
interface Distribution {
  /** The name of the family; letters only. */
  readonly name: string;
  /** The support; other cells are rejected. Default: all numbers. */
  readonly support?: Support;
  /** The names of the parameters, in the order in which they are estimated; each is a finite number. */
  readonly parameters: readonly string[];
  /** ln p(x), or −∞ where x is impossible. */
  logDensity(parameters: Float64Array, x: number): number;
  sample(parameters: Float64Array, random: Generator): number;
  /** The mean, for descriptions of a column. */
  mean?(parameters: Float64Array): number;
}

/** A distribution that is estimated from the means of a few functions of a cell. */
export interface SumDistribution extends Distribution {
  /** The functions T of a cell whose means are all that the estimate needs, by name. */
  readonly statistics: CellFunctions;
  /** Those of them that can be negative. */
  readonly signed?: readonly string[];
  /** The parameters of greatest likelihood, from the mean of each statistic in its order. */
  estimate(means: readonly number[]): readonly number[];
}

/** A distribution that is estimated from all values of a column, because no sums are enough. */
export interface ValueDistribution extends Distribution {
  /** The parameters of greatest likelihood, from the distinct values in ascending order and their weights. */
  estimateFrom(values: WeightedValues): readonly number[];
}

/** A distribution of the numbers in a column. */
export type ColumnDistribution = SumDistribution | ValueDistribution;

const members = {
  name: 'string',
  support: 'string',
  statistics: 'object',
  signed: 'list',
  parameters: 'list',
  estimate: 'function',
  estimateFrom: 'function',
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
  /** The weight of the prior in rows. Default: 1; 0 gives the maximum likelihood estimate. */
  readonly poolWeight?: number;
  readonly classPrior?: ClassPrior;
}

/** A model of columns that have one distribution each. */
export interface ColumnModel<S extends Shape = NaturalSums> extends Model<S, Columns, ColumnOptions> {
  readonly distribution: ColumnDistribution;
}

/** A statistic, and the parameters that follow from it by feature and class. */
interface Estimation<S extends Shape> {
  readonly statistic: Statistic<S>;
  parametersOf(stats: S, poolWeight: number): (j: number) => (c: number) => readonly number[];
}

/**
 * Naive Bayes over columns of any distribution:
 *
 *   p(x | c) = Πⱼ p(xⱼ | θ[c,j]),   θ[c,j] = θ̂((Σᵢ wᵢ T(xᵢⱼ) + ν τⱼ) / (Σᵢ wᵢ + ν))                       (1)
 *
 * where θ̂ gives the parameters of greatest likelihood for a mean of functions T of a cell, and τⱼ is the mean of T over all classes. For
 * an exponential family that is the maximum of the posterior under its conjugate prior, which counts as ν rows with the mean τ (Diaconis &
 * Ylvisaker 1979). A distribution without sufficient means is estimated from the distinct values with their weights, to which those of all
 * classes are added with the weight ν. A class without cells gets the distribution of all classes, and one with equal cells a minimum
 * spread. A missing cell drops out. Murphy, Machine Learning: A Probabilistic Perspective (2012), §9.2.
 */
export function columnModel(distribution: SumDistribution): ColumnModel;
export function columnModel(distribution: ValueDistribution): ColumnModel<Values>;
export function columnModel(distribution: ColumnDistribution): ColumnModel | ColumnModel<Values> {
  requireOptions('columnModel', Object.keys(members), distribution);
  const { name, parameters, logDensity, sample } = members;
  requireLike(distribution, 'a distribution with name, parameters and its functions', {
    name,
    parameters,
    logDensity,
    sample,
  });
  if (!/^[A-Za-z]+$/.test(distribution.name)) {
    refuse('E_PARAM', `name is made of letters, got ${show(distribution.name)}`, { name: 'name' });
  }
  const { support = 'real' } = distribution;
  if (!supports.includes(support)) {
    refuse('E_PARAM', `support is one of ${supports.join(', ')}, got ${show(support)}`, { name: 'support' });
  }
  if ('estimateFrom' in distribution) {
    requireLike(distribution, 'a distribution with estimateFrom', { estimateFrom: 'function' });
    return modelOf(distribution, byValues(distribution));
  }
  requireLike(distribution, 'a distribution with statistics and estimate', {
    statistics: 'object',
    estimate: 'function',
  });
  for (const of of Object.values(distribution.statistics)) {
    requireKind(of, 'statistics that are functions of a cell', 'function');
  }
  return modelOf(distribution, bySums(distribution));
}

/** Parameters from the means of functions of a cell. */
function bySums({ name, statistics, signed, estimate }: SumDistribution): Estimation<NaturalSums> {
  const names = Object.keys(statistics);
  return {
    statistic: naturalSums(name, statistics, signed),
    parametersOf: (stats, poolWeight) => (j) => {
      const pooled = pooledMeans(stats, names, j) ?? names.map((of) => statistics[of](0.5));
      return (c) => {
        const weight = weightAt(stats, c, j) + poolWeight;
        const means = names.map((of, k) => (sumAt(stats, of, c, j) + poolWeight * pooled[k]) / weight);
        return estimate(weight > 0 ? means : pooled);
      };
    },
  };
}

/** Parameters from the values themselves. */
function byValues({ estimateFrom }: ValueDistribution): Estimation<Values> {
  return {
    statistic: values,
    parametersOf(stats, poolWeight) {
      const read = valueReader(stats);
      return (j) => {
        const all = read(j);
        const pooled = all.total > 0 ? all : { points: Float64Array.of(0.5), weights: Float64Array.of(1), total: 1 };
        return (c) => {
          const own = read(j, c);
          if (own.total === 0) return estimateFrom(pooled);
          if (poolWeight === 0) return estimateFrom(own);
          const share = poolWeight / pooled.total;
          let at = 0; // every value of a class is one of all
          const weights = pooled.weights.map((weight, v) => {
            const here = own.points[at] === pooled.points[v];
            return weight * share + (here ? own.weights[at++] : 0);
          });
          return estimateFrom({ points: pooled.points, weights, total: own.total + poolWeight });
        };
      };
    },
  };
}

function modelOf<S extends Shape & { readonly n: Float64Array }>(
  distribution: ColumnDistribution,
  { statistic, parametersOf }: Estimation<S>,
): ColumnModel<S> {
  const width = distribution.parameters.length;
  const own = ({ classes, values }: Columns, c: number, j: number) => {
    const from = (j * classes + c) * width;
    return values.subarray(from, from + width);
  };
  const logCell = (params: Columns, c: number, j: number, x: number) =>
    Number.isNaN(x) ? 0 : distribution.logDensity(own(params, c, j), x);
  return {
    name: distribution.name,
    distribution,
    statistic,
    form: { arrays: { logPrior: ['log', 'classes'], values: ['real', 'features', 'classes', width] } },

    estimate(stats, { poolWeight = 1, classPrior }) {
      const { classes, features, n } = stats;
      const values = new Float64Array(features * classes * width);
      const parametersIn = parametersOf(stats, poolWeight);
      for (let j = 0; j < features; j++) {
        const parametersAt = parametersIn(j);
        for (let c = 0; c < classes; c++) values.set(parametersAt(c), (j * classes + c) * width);
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
      return allTerms(classes, features, (j, c) => logCell(params, c, j, x[i * features + j]));
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
