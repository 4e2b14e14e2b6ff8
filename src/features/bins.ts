import { countWhile, firstAbove } from '../math/search.ts';
import { lineMeans, type WeightedValues } from './kmeans.ts';
import { type QuantileMethod, quantile, weightedQuantile } from './quantile.ts';

/** Edges closer than this are one. */
const LEAST_WIDTH = 1e-8;

/** k + 1 evenly spaced numbers from start to stop, rounded as NumPy's linspace rounds. */
function evenly(start: number, stop: number, k: number): Float64Array {
  const step = (stop - start) / k;
  const points = Float64Array.from({ length: k + 1 }, (_, i) =>
    step === 0 ? (i / k) * (stop - start) + start : i * step + start,
  );
  points[k] = stop;
  return points;
}

const minimum = ({ values }: WeightedValues) => values[0];
const maximum = ({ values }: WeightedValues) => values[values.length - 1];

/** Edges of k bins of equal width. */
export function uniformEdges(column: WeightedValues, k: number): Float64Array {
  return evenly(minimum(column), maximum(column), k);
}

/** Edges at the k-quantiles; `weighed` where rows have weights of their own. */
export function quantileEdges(
  { values, weights }: WeightedValues,
  k: number,
  method: QuantileMethod,
  weighed: boolean,
): Float64Array {
  const levels = evenly(0, 100, k).map((percent) => percent / 100);
  if (!weighed) return withoutNarrow(levels.map((q) => quantile(values, q, method)));
  let total = 0;
  const cumulated = weights.map((weight) => {
    total += weight;
    return total;
  });
  return withoutNarrow(levels.map((q) => weightedQuantile(values, cumulated, q, method === 'averaged_inverted_cdf')));
}

/** Edges half-way between the centres of k-means on a line, started in the middle of k bins of equal width. */
export function kmeansEdges(column: WeightedValues, k: number): Float64Array {
  const uniform = uniformEdges(column, k);
  const start = Float64Array.from({ length: k }, (_, b) => (uniform[b + 1] + uniform[b]) * 0.5);
  const centres = lineMeans(column, start);
  const edges = new Float64Array(k + 1);
  for (let b = 1; b < k; b++) edges[b] = (centres[b] + centres[b - 1]) * 0.5;
  edges[0] = minimum(column);
  edges[k] = maximum(column);
  return withoutNarrow(edges);
}

/** The edges whose distance from the one before is more than 1e-8. */
function withoutNarrow(edges: Float64Array): Float64Array {
  return edges.filter((edge, b) => b === 0 || edge - edges[b - 1] > LEAST_WIDTH);
}

/** The middle of two neighbouring values a < b, such that a < cut ≤ b in floating point too. */
export function cutBetween(a: number, b: number): number {
  const sum = a + b;
  const cut = Number.isFinite(sum) ? sum / 2 : a / 2 + b / 2;
  return cut > a ? cut : b;
}

/**
 * Edges of k bins with about equally many rows, keeping equal values together: a cut is made once a bin has its share, at the nearer of the
 * two changes of value around it, and the rest is divided among the remaining bins. Yang & Webb, Discretization for Naive-Bayes Learning
 * (2009), §4; Weka's unsupervised Discretize.
 */
export function frequencyEdges(column: WeightedValues, k: number): Float64Array {
  const { values, weights } = column;
  let left = weights.reduce((sum, weight) => sum + weight, 0);
  let [share, filled, kept, last] = [left / k, 0, 0, -1];
  const cuts: number[] = [];
  const cutAfter = (i: number) => cuts.push(cutBetween(values[i], values[i + 1]));
  for (let i = 0; i + 1 < values.length && cuts.length < k - 1; i++) {
    filled += weights[i];
    left -= weights[i];
    if (values[i] === values[i + 1]) continue;
    if (filled < share) [last, kept] = [i, filled];
    else {
      if (last >= 0 && share - kept < filled - share) {
        cutAfter(last);
        [filled, kept, last] = [filled - kept, filled - kept, i];
      } else {
        cutAfter(i);
        [filled, kept, last] = [0, 0, -1];
      }
      share = (left + filled) / (k - cuts.length);
    }
  }
  if (cuts.length < k - 1 && last >= 0) cutAfter(last);
  return Float64Array.from([minimum(column), ...cuts, maximum(column)]);
}

/** √n bins of about √n rows: proportional k-intervals. Yang & Webb, Proportional k-Interval Discretization (2001). */
export function proportionalEdges(column: WeightedValues): Float64Array {
  const rows = column.weights.reduce((sum, weight) => sum + weight, 0);
  return frequencyEdges(column, Math.max(1, Math.floor(Math.sqrt(rows))));
}

/** The bin of a value: how many inner edges are at or below it. */
export const binOf = (edges: ArrayLike<number>, value: number): number =>
  countWhile(edges.length - 2, (b) => edges[b + 1] <= value);

/** The bin of a value between cuts without the outer edges. */
export const binBetween = (cuts: ArrayLike<number>, value: number): number => firstAbove(cuts, value);
