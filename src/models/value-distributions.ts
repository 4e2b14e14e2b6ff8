import { drawGamma, drawNormal } from '../math/draws.ts';
import { digamma, logLessDigamma } from '../math/gamma.ts';
import { drawPoisson } from '../math/poisson.ts';
import type { Values, WeightedValues } from '../stats/values.ts';
import { type ColumnModel, columnModel } from './column-model.ts';
import { logPeak, resolved } from './gaussian.ts';
import { logDensities, logNegativeBinomial } from './log-densities.ts';

/** A mean below this counts as zero. */
const LEAST_MEAN = 1e-300;

/** The weighted mean of a function of the values. */
function meanOf({ points, weights, total }: WeightedValues, of: (value: number) => number): number {
  let sum = 0;
  for (let v = 0; v < points.length; v++) sum += weights[v] * of(points[v]);
  return sum / total;
}

/**
 * The root of a decreasing function between e^low and e^high, or an end of the range if it has none: the chord between the ends of the
 * bracket, whose older end counts half (Illinois), and its middle after three steps that did not halve it.
 */
function fallsAt(f: (x: number) => number, low: number, high: number): number {
  let [from, to] = [low, high];
  let [above, below] = [f(Math.exp(from)), f(Math.exp(to))];
  if (above <= 0) return Math.exp(from);
  if (below >= 0) return Math.exp(to);
  const tolerance = () => 1e-14 * Math.max(1, Math.abs(to));
  for (let [step, width] = [0, to - from]; to - from > tolerance(); step++) {
    const chord = from + ((to - from) * above) / (above - below);
    const halves = step % 3 === 2 && to - from > width / 2;
    if (step % 3 === 2) width = to - from;
    const at = halves || !(chord > from && chord < to) ? (from + to) / 2 : chord;
    if (at <= from || at >= to) break;
    const value = f(Math.exp(at));
    if (value > 0) [from, above, below] = [at, value, halves ? below : below / 2];
    else [to, below, above] = [at, value, halves ? above : above / 2];
    if (value === 0) break;
  }
  return Math.exp((from + to) / 2);
}

/** Sizes of a negative binomial distribution, as logarithms; at the largest it is Poisson's. */
const [LEAST_SIZE, LARGEST_SIZE] = [Math.log(1e-6), Math.log(1e12)];

/** Size r and mean m of greatest likelihood: m is the mean, and r the zero of dL/dr = Σ w (ψ(x + r) − ψ(r)) / Σ w − ln(1 + m / r). */
function sizeAndMean(cells: WeightedValues): readonly [size: number, mean: number] {
  const mean = Math.max(
    meanOf(cells, (x) => x),
    LEAST_MEAN,
  );
  const variance = meanOf(cells, (x) => (x - mean) ** 2);
  if (!(variance > mean)) return [Math.exp(LARGEST_SIZE), mean];
  const slope = (r: number) => {
    const own = logLessDigamma(r);
    return meanOf(cells, (x) => Math.log1p(x / r) + own - logLessDigamma(x + r)) - Math.log1p(mean / r);
  };
  return [fallsAt(slope, LEAST_SIZE, LARGEST_SIZE), mean];
}

/**
 * Overdispersed counts, such as visits and claims: with size r and mean m,
 *
 *   p(x) = Γ(x + r) / (x! Γ(r)) (r / (r + m))ʳ (m / (r + m))ˣ                                       (1)
 *
 * The likelihood needs the whole table of counts, which is kept. Without overdispersion r is so large that (1) is a Poisson distribution.
 * Johnson, Kemp & Kotz, Univariate Discrete Distributions (2005), §5.8.
 */
export const negativebinomial: ColumnModel<Values> = /* @__PURE__ */ columnModel({
  name: 'negativebinomial',
  support: 'nonNegative',
  parameters: ['size', 'mean'],
  estimateFrom: sizeAndMean,
  logDensity: logDensities.negativebinomial,
  sample: ({ 0: size, 1: mean }, random) => drawPoisson(random, (mean * drawGamma(random, size)) / size),
  mean: ({ 1: mean }) => mean,
});

/** The values with another weight of zero. */
function withZeros({ points, weights, total }: WeightedValues, zeros: number): WeightedValues {
  return { points, weights: weights.map((weight, v) => (v === 0 ? zeros : weight)), total: total - weights[0] + zeros };
}

/**
 * Counts with more zeros than a negative binomial distribution f has: p(0) = π + (1 − π) f(0), p(x) = (1 − π) f(x) above zero. In the
 * maximum of the likelihood a share of the zeros, s, belongs to f, and f gives that share: s = W f(0) / (1 − f(0)) with W the weight above
 * zero. If f alone accounts for all zeros, π is 0. Greene, Working paper EC-94-10, New York University (1994).
 */
export const zeroinflatednegativebinomial: ColumnModel<Values> = /* @__PURE__ */ columnModel({
  name: 'zeroinflatednegativebinomial',
  support: 'nonNegative',
  parameters: ['size', 'mean', 'zeros'],
  estimateFrom(cells) {
    const zeros = cells.points[0] === 0 ? cells.weights[0] : 0;
    const above = cells.total - zeros;
    if (zeros === 0 || above <= 0) return [...sizeAndMean(cells), 0];
    const fitted = (share: number) => sizeAndMean(withZeros(cells, share));
    const excess = (share: number) => {
      const atZero = Math.exp(logNegativeBinomial(...fitted(share), 0));
      return (above * atZero) / (1 - atZero) - share;
    };
    const share = fallsAt(excess, Math.log(zeros) - 40, Math.log(zeros));
    const own = fitted(share);
    const atZero = Math.exp(logNegativeBinomial(...own, 0));
    return [...own, Math.max(0, 1 - above / (cells.total * (1 - atZero)))];
  },
  logDensity: logDensities.zeroinflatednegativebinomial,
  sample: ({ 0: size, 1: mean, 2: zeros }, random) =>
    random.uniform() < zeros ? 0 : drawPoisson(random, (mean * drawGamma(random, size)) / size),
  mean: ({ 1: mean, 2: zeros }) => (1 - zeros) * mean,
});

/** Degrees of freedom, as logarithms: from a Cauchy distribution to a practically normal one. */
const [LEAST_DF, LARGEST_DF] = [0, Math.log(1e6)];
/** The least scale, in standard deviations of all values, since many equal values would have none. */
const LEAST_SCALE = 1e-3;

/** The value below and above which half of the weight is. */
function medianOf({ points, weights, total }: WeightedValues): number {
  let [v, below] = [0, weights[0]];
  while (v < points.length - 1 && below < total / 2) below += weights[++v];
  return points[v];
}

/**
 * Location and squared scale of greatest likelihood for some degrees of freedom ν, from a start on: values are weighed by
 * (ν + 1) / (ν + z²), and the scale is divided by the sum of these weights, which converges faster (Kent, Tyler & Vardi 1994).
 */
function locate(
  cells: WeightedValues,
  df: number,
  start: readonly [number, number],
  least: number,
): readonly [number, number] {
  const { points, weights } = cells;
  let [mu, variance] = start;
  for (let step = 0; step < 200; step++) {
    let [total, sum, squares] = [0, 0, 0];
    for (let v = 0; v < points.length; v++) {
      const distance = points[v] - mu;
      const weight = weights[v] / (df + (distance * distance) / variance);
      total += weight;
      sum += weight * distance;
      squares += weight * distance * distance;
    }
    const shift = sum / total;
    const next = Math.max(squares / total - shift * shift, least);
    const settled = Math.abs(shift) <= 1e-13 * Math.sqrt(next) && Math.abs(next - variance) <= 1e-13 * next;
    [mu, variance] = [mu + shift, next];
    if (settled) break;
  }
  return [mu, variance];
}

/**
 * Measurements with outliers: Student's t distribution with location, scale and ν ≥ 1 degrees of freedom,
 *
 *   ln p(x) = ln Γ((ν + 1) / 2) / (Γ(ν / 2) √(νπ) σ) − ½ (ν + 1) ln(1 + (x − μ)² / νσ²)                                  (1)
 *
 * No sums are enough for its likelihood, so the values are kept. ν is the zero of the derivative of the likelihood, at the best location and
 * scale for it. Lange, Little & Taylor, Journal of the American Statistical Association 84 (1989).
 */
export const studentt: ColumnModel<Values> = /* @__PURE__ */ columnModel({
  name: 'studentt',
  parameters: ['mu', 'variance', 'df', 'peak'],
  estimateFrom(cells) {
    const origin = medianOf(cells);
    const mean = meanOf(cells, (x) => x - origin);
    const spread = meanOf(cells, (x) => (x - origin - mean) ** 2);
    const size = Math.max(Math.abs(cells.points[0]), Math.abs(cells.points[cells.points.length - 1]));
    const least = resolved(LEAST_SCALE * Math.sqrt(spread), size) ** 2;
    let best: readonly [number, number] = [origin, Math.max(spread, least)];
    const slope = (df: number) => {
      best = locate(cells, df, best, least);
      const [mu, variance] = best;
      const square = (x: number) => (x - mu) ** 2 / variance;
      const peak = digamma((df + 1) / 2) - digamma(df / 2) - 1 / df;
      return peak + meanOf(cells, (x) => ((df + 1) * square(x)) / (df * (df + square(x))) - Math.log1p(square(x) / df));
    };
    const df = fallsAt(slope, LEAST_DF, LARGEST_DF);
    const [mu, variance] = locate(cells, df, best, least);
    return [mu, variance, df, logPeak({ mean: mu, variance, df })];
  },
  logDensity: ({ 0: mu, 1: variance, 2: df, 3: peak }, x) =>
    peak - 0.5 * (df + 1) * Math.log1p(((x - mu) * (x - mu)) / variance / df), // the operations of exported bells
  sample: ({ 0: mu, 1: variance, 2: df }, random) =>
    mu + drawNormal(random) * Math.sqrt((variance * df) / (2 * drawGamma(random, df / 2))),
  mean: ({ 0: mu }) => mu,
});
