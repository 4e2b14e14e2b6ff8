import { digamma } from '../math/gamma.ts';
import type { Random } from '../math/random.ts';
import { countWhile } from '../math/search.ts';

/**
 * Mutual information, in nats, of a continuous feature and the class by nearest neighbours:
 *
 *   I = ψ(N) + ⟨ψ(kᵢ)⟩ − ⟨ψ(n_c)⟩ − ⟨ψ(mᵢ)⟩,                          (1)
 *
 * where mᵢ is the number of points (itself among them) closer to point i than its k-th neighbour within its class, and
 * kᵢ = min(k, n_c − 1). Classes of a single row are left out; a negative estimate is 0.
 * Ross, Mutual Information between Discrete and Continuous Data Sets, PLoS ONE 9(2) (2014). O(n log n).
 */
export function neighbourInformation(x: Float64Array, y: Int32Array, classes: number, k: number): number {
  const groups = groupsOf(x, y, classes).filter((group) => group.length > 1);
  const all = joinSorted(groups);
  if (all.length === 0) return 0;
  let sum = 0;
  for (const group of groups) {
    const near = Math.min(k, group.length - 1);
    sum += group.length * (digamma(near) - digamma(group.length));
    for (let i = 0; i < group.length; i++)
      sum -= digamma(countWithin(all, group[i], neighbourDistance(group, i, near)));
  }
  return Math.max(0, digamma(all.length) + sum / all.length);
}

/** The sorted values of each class. */
function groupsOf(x: Float64Array, y: Int32Array, classes: number): Float64Array[] {
  const sizes = new Uint32Array(classes);
  for (const c of y) sizes[c]++;
  const groups = Array.from(sizes, (size) => new Float64Array(size));
  sizes.fill(0);
  for (let i = 0; i < x.length; i++) groups[y[i]][sizes[y[i]]++] = x[i];
  for (const group of groups) group.sort();
  return groups;
}

function joinSorted(groups: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(groups.reduce((total, group) => total + group.length, 0));
  let at = 0;
  for (const group of groups) {
    all.set(group, at);
    at += group.length;
  }
  return all.sort();
}

/** The distance from sorted[i] to its k-th nearest neighbour. */
function neighbourDistance(sorted: Float64Array, i: number, k: number): number {
  let [low, high, distance] = [i - 1, i + 1, 0];
  for (let step = 0; step < k; step++) {
    const below = low >= 0 ? sorted[i] - sorted[low] : Infinity;
    const above = high < sorted.length ? sorted[high] - sorted[i] : Infinity;
    distance = Math.min(below, above);
    if (below <= above) low--;
    else high++;
  }
  return distance;
}

/** How many sorted values are nearer to x than this; where the distance is 0, how many equal x. */
function countWithin(sorted: Float64Array, x: number, distance: number): number {
  const near = (gap: number) => gap < distance || gap === 0;
  const first = countWhile(sorted.length, (i) => sorted[i] <= x && !near(x - sorted[i]));
  const end = countWhile(sorted.length, (i) => sorted[i] <= x || near(sorted[i] - x));
  return end - first;
}

const NOISE = 1e-10;

/**
 * A column in units of its standard deviation, with a noise of 1e-10 that separates equal values (Kraskov, Stögbauer &
 * Grassberger, Estimating mutual information, 2004).
 */
export function scaleAndJitter(column: Float64Array, random: Random): Float64Array {
  const { length } = column;
  const reference = column[0];
  const mean = column.reduce((sum, value) => sum + (value - reference) / length, 0);
  const variance = column.reduce((sum, value) => sum + (value - reference - mean) ** 2 / length, 0);
  const scale = variance > 0 ? Math.sqrt(variance) : 1;
  const size = column.reduce((sum, value) => sum + Math.abs(value / scale) / length, 0);
  return column.map((value) => value / scale + NOISE * Math.max(1, size) * random.normal());
}
