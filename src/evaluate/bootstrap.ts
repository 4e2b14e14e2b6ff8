import { choice, type GivenOptions, integer, type OptionSpec, readOptions } from '../core/options.ts';
import { requireKind } from '../data/arguments.ts';
import { PolyaError, refuse, show } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import { normalCdf, normalQuantile } from '../math/erf.ts';
import type { Random } from '../math/random.ts';
import { generatorOf, randomOption } from './folds.ts';
import { type Interval, levelOption } from './intervals.ts';
import { quantiles } from './numpy.ts';

/** A statistic of weighted rows. A row drawn k times has weight k, which every metric of Pólya treats like k copies of the row. */
export type WeightedStatistic = (weights: Float64Array) => number;

/** The options of resampling. */
export const resampleOptions = {
  /** The number of bootstrap resamples. Default: 1000. */
  nResamples: integer({ default: 1000, min: 10 }),
  ...randomOption,
} satisfies OptionSpec;

const spec = {
  ...levelOption,
  /** How the interval is computed: quantiles ('percentile'), or corrected for bias and skewness ('bca'). Default: 'bca'. */
  method: choice(['percentile', 'bca'], { default: 'bca' }),
  ...resampleOptions,
} satisfies OptionSpec;

/** Options of the bootstrap. */
export type BootstrapOptions = GivenOptions<typeof spec>;

/** With more rows than this the jackknife leaves out random blocks instead of single rows. */
const MOST_BLOCKS = 500;

/** How often each of n rows is drawn when n are drawn with replacement. */
function drawCounts(n: number, random: Random): Float64Array {
  const counts = new Float64Array(n);
  for (let i = 0; i < n; i++) counts[random.integer(n)]++;
  return counts;
}

/** The statistic, or NaN where the drawn rows do not define it, such as an area without negatives. */
function attempt(statistic: WeightedStatistic, weights: Float64Array): number {
  try {
    return statistic(weights);
  } catch (error) {
    if (error instanceof PolyaError) return Number.NaN;
    throw error;
  }
}

/** Values of the statistic over resamples, sorted; those that are undefined are left out. */
function resample(statistic: WeightedStatistic, n: number, times: number, random: Random): Float64Array {
  const values = Float64Array.from({ length: times }, () => attempt(statistic, drawCounts(n, random)));
  return values.filter((value) => !Number.isNaN(value)).sort();
}

/** The acceleration Σ d³ / 6 (Σ d²)^{3/2} of the jackknife, where d is the decrease of the statistic when a row is left out. */
function acceleration(statistic: WeightedStatistic, n: number, random: Random): number {
  const blocks = Math.min(n, MOST_BLOCKS);
  const block = random.permutation(n).map((place) => place % blocks);
  const values = Float64Array.from({ length: blocks }, (_, b) =>
    attempt(
      statistic,
      Float64Array.from(block, (own) => (own === b ? 0 : 1)),
    ),
  ).filter((value) => !Number.isNaN(value));
  const mean = sum(values) / values.length;
  const cubes = sum(values.map((value) => (mean - value) ** 3));
  const squares = sum(values.map((value) => (mean - value) ** 2));
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
}

/** The shares of the sorted resamples at which the BCa interval ends. */
function correctedShares(value: number, drawn: Float64Array, a: number, tail: number): Float64Array {
  let below = 0;
  for (const other of drawn) below += other < value ? 1 : other === value ? 0.5 : 0;
  const least = 0.5 / drawn.length;
  const bias = normalQuantile(Math.min(Math.max(below / drawn.length, least), 1 - least));
  return Float64Array.of(tail, 1 - tail).map((share) => {
    const shifted = bias + normalQuantile(share);
    return normalCdf(bias + shifted / (1 - a * shifted));
  });
}

/**
 * Bootstrap confidence interval of any statistic of n rows. Rows are resampled with replacement; the interval holds the middle `level` of
 * the values ('percentile'), with its ends corrected for bias and skewness under 'bca' (bias corrected and accelerated). If the statistic
 * itself is outside, the interval is widened to include it. Resamples on which the statistic is undefined are left out; if they are the
 * majority, the ends are NaN. Efron, J. Am. Stat. Assoc. 82 (1987).
 */
export function bootstrapInterval(statistic: WeightedStatistic, n: number, options: BootstrapOptions = {}): Interval {
  const read = readOptions('bootstrapInterval', spec, options);
  requireKind(statistic, 'a statistic as a function of weights', 'function');
  if (!Number.isSafeInteger(n) || n < 1) refuse('E_EMPTY_INPUT', `there are ${show(n)} rows to draw from`);
  const random = generatorOf(read.randomState);
  const value = statistic(new Float64Array(n).fill(1));
  const named = { value, level: read.level, method: `bootstrap ${read.method}`, n };
  const drawn = resample(statistic, n, read.nResamples, random);
  if (Number.isNaN(value) || 2 * drawn.length <= read.nResamples)
    return { ...named, low: Number.NaN, high: Number.NaN };
  const tail = (1 - read.level) / 2;
  const shares =
    read.method === 'bca'
      ? correctedShares(value, drawn, acceleration(statistic, n, random), tail)
      : Float64Array.of(tail, 1 - tail);
  const [low, high] = quantiles(drawn, shares.sort());
  return { ...named, low: Math.min(low, value), high: Math.max(high, value) };
}
