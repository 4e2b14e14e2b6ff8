import { choice, integer, type Option, type OptionValues, optional } from '../core/options.ts';
import { requireOneEach } from '../data/arguments.ts';
import { takeRows, toDense } from '../data/batch.ts';
import { type Features, requireSome } from '../data/input.ts';
import type { Matrix } from '../data/matrix.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { frequencyEdges, kmeansEdges, proportionalEdges, quantileEdges, uniformEdges } from '../features/bins.ts';
import type { Numbers } from '../features/columns.ts';
import type { WeightedValues } from '../features/kmeans.ts';
import { denseColumn } from '../features/levels.ts';
import { quantileMethods } from '../features/quantile.ts';
import { Random } from '../math/random.ts';
import { firstAbove } from '../math/search.ts';
import { Binning, binCounts, binning, readCells } from './discretizer.ts';
import type { Bins } from './saved-bins.ts';
import { Transformer } from './transformer.ts';

const isBinCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 2;

/** How many bins, for all features or for each. */
const nBins: Option<number | readonly number[]> = {
  kind: 'custom',
  default: 5,
  expects: 'a whole number ≥ 2, or a list of them',
  accept: (value) => {
    if (isBinCount(value)) return value as number;
    return Array.isArray(value) && value.every(isBinCount) ? Object.freeze([...value]) : undefined;
  },
};

const spec = {
  /** The number of bins, for all features or for each. Default: 5. */
  nBins,
  /** Output encoding: sparse or dense columns of 0 and 1, or the index of the bin. Default: 'onehot'. */
  encode: binning.encode,
  /**
   * Bins of equal width; at quantiles; around k-means; of equal frequency with equal values together; √n of the last kind. Default:
   * 'quantile'.
   */
  strategy: choice(['uniform', 'quantile', 'kmeans', 'frequency', 'proportional'], { default: 'quantile' }),
  /** The definition of a quantile. Default: 'averaged_inverted_cdf'. */
  quantileMethod: choice(quantileMethods, { default: 'averaged_inverted_cdf' }),
  /** The most rows to learn from; from more rows, this many are drawn with replacement. Default: null, all rows. */
  subsample: optional(integer({ default: 0, min: 1 })),
  /** The seed of that draw. Default: 0. */
  randomState: integer({ default: 0 }),
  /** NaN and null: an error ('error'), or a bin of their own, the last of each feature ('bin'). Default: 'error'. */
  missing: binning.missing,
} as const;

/** Parameters of `KBinsDiscretizer`. */
export type KBinsDiscretizerOptions = Partial<OptionValues<typeof spec>>;

/**
 * Discretizes continuous features. Agrees with scikit-learn's class of this name, which learns from a sample of 200 000 rows where this one
 * takes all unless `subsample` says otherwise; `missing: 'bin'`, `'frequency'` and `'proportional'` are extensions. A constant feature has
 * the one bin −∞ … ∞. Edges of quantiles and k-means closer than 1e-8 become one.
 */
export class KBinsDiscretizer extends Transformer<typeof spec, Bins, Features, Numbers, Matrix> {
  protected readonly rules: Binning = new Binning(this.params, (X, _y, weights) => learnBins(this.params, X, weights));

  constructor(options: KBinsDiscretizerOptions = {}) {
    super('KBinsDiscretizer', spec, options);
  }

  /** The edges of the bins of every feature. */
  get binEdges(): Float64Array[] {
    return this.fitted().edges.map((edges) => edges.slice());
  }

  /** The number of bins of every feature, the bin of missing values not among them. */
  get nBins(): Int32Array {
    return binCounts(this.fitted());
  }
}

type Params = OptionValues<typeof spec>;

/** Learns the edges; labels have no part in it. */
function learnBins(params: Params, X: Features, sampleWeight: Weights | undefined): Bins {
  const { names, ...all } = readCells(X, params.missing === 'bin');
  requireSome(all);
  const { features } = all;
  const counts = countsFor(params.nBins, features);
  requireWeighable(params, sampleWeight);
  const weights = readWeights(sampleWeight, all.rows);
  const drawn = draw(params, weights);
  const rows = drawn ? toDense(takeRows(all, drawn)) : all;
  const weighed = sampleWeight !== undefined && !drawn;
  const edges = Array.from(counts, (k, j) => {
    const column = sortColumn(denseColumn(rows.x, rows.rows, features, j), drawn ? undefined : weights);
    return edgesOf(params, column, k, weighed);
  });
  return { features, names, edges };
}

function countsFor(given: Params['nBins'], features: number): readonly number[] {
  if (typeof given === 'number') return new Array(features).fill(given);
  requireOneEach('nBins', given, features);
  return given;
}

function requireWeighable({ strategy, quantileMethod }: Params, weights: Weights | undefined): void {
  const steps = quantileMethod === 'inverted_cdf' || quantileMethod === 'averaged_inverted_cdf';
  if (weights === undefined || strategy !== 'quantile' || steps) return;
  const needed = "weights need quantileMethod 'inverted_cdf' or 'averaged_inverted_cdf'";
  refuse('E_PARAM', `${needed}, got '${quantileMethod}'`, { name: 'quantileMethod' });
}

/** The rows of a sample, in proportion to their weights; undefined where all are taken. */
function draw({ subsample, randomState }: Params, weights: Float64Array): Uint32Array | undefined {
  if (subsample === null || weights.length <= subsample) return undefined;
  const random = new Random(randomState);
  let total = 0;
  const cumulated = weights.map((weight) => {
    total += weight;
    return total;
  });
  const rest = cumulated.subarray(0, -1);
  return Uint32Array.from({ length: subsample }, () => firstAbove(rest, random.uniform() * total));
}

function edgesOf(
  { strategy, quantileMethod }: Params,
  column: WeightedValues,
  k: number,
  weighed: boolean,
): Float64Array {
  const { values } = column;
  if (values.length === 0 || values[0] === values[values.length - 1]) return Float64Array.of(-Infinity, Infinity);
  switch (strategy) {
    case 'uniform':
      return uniformEdges(column, k);
    case 'kmeans':
      return kmeansEdges(column, k);
    case 'frequency':
      return frequencyEdges(column, k);
    case 'proportional':
      return proportionalEdges(column);
    default:
      return quantileEdges(column, k, quantileMethod, weighed);
  }
}

/** The present values that weigh something, ascending. */
function sortColumn(column: Float64Array, weights: Float64Array | undefined): WeightedValues {
  if (!weights || weights.every((weight) => weight === 1)) {
    const values = column.filter((value) => !Number.isNaN(value)).sort();
    return { values, weights: new Float64Array(values.length).fill(1) };
  }
  const order = Uint32Array.from(column.keys()).filter((i) => weights[i] > 0 && !Number.isNaN(column[i]));
  order.sort((a, b) => column[a] - column[b]);
  return { values: Float64Array.from(order, (i) => column[i]), weights: Float64Array.from(order, (i) => weights[i]) };
}
