/** Values in ascending order, each with a weight. */
export interface WeightedValues {
  readonly values: Float64Array;
  readonly weights: Float64Array;
}

const MOST_ROUNDS = 300;
const TOLERANCE = 1e-4;

/**
 * k-means on a line (Lloyd, Least Squares Quantization in PCM, 1982), started from given centres: each value goes to the
 * nearest centre, each centre to the mean of its values, until no value moves or the centres have moved by less than 1e-4
 * of the variance. A centre that lost its values moves to the value farthest from its own centre. One round costs
 * O(k log n) plus the sums; the centres come out sorted.
 */
export function lineMeans({ values, weights }: WeightedValues, start: Float64Array): Float64Array {
  const origin = mean(values, weights);
  const x = values.map((value) => value - origin);
  const least = TOLERANCE * variance(x);
  let centres: Float64Array = start.map((centre) => centre - origin);
  let before: Int32Array | undefined;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const labels = nearest(x, centres);
    const moved = recentre(x, weights, centres, labels);
    const shift = moved.reduce((sum, centre, c) => sum + (centre - centres[c]) ** 2, 0);
    const settled = before?.every((c, i) => c === labels[i]) ?? false;
    centres = moved;
    before = labels;
    if (settled || shift <= least) break;
  }
  return centres.map((centre) => centre + origin).sort();
}

function mean(values: Float64Array, weights?: Float64Array): number {
  const shift = values[0];
  let [sum, total] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const weight = weights ? weights[i] : 1;
    sum += weight * (values[i] - shift);
    total += weight;
  }
  return shift + sum / total;
}

function variance(values: Float64Array): number {
  const centre = mean(values);
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / values.length;
}

/** The nearest centre of every value, the lower-numbered of two at the same distance. Values ascend, centres need not. */
function nearest(values: Float64Array, centres: Float64Array): Int32Array {
  const sorted = Array.from(centres.keys()).sort((a, b) => centres[a] - centres[b] || a - b);
  const order = sorted.filter((c, at) => at === 0 || centres[c] !== centres[sorted[at - 1]]);
  const labels = new Int32Array(values.length);
  let at = 0;
  for (let i = 0; i < values.length; i++) {
    const distance = (place: number) => Math.abs(values[i] - centres[order[place]]);
    while (at + 1 < order.length) {
      const [here, there] = [distance(at), distance(at + 1)];
      if (there > here || (there === here && order[at + 1] > order[at])) break;
      at++;
    }
    labels[i] = order[at];
  }
  return labels;
}

function recentre(x: Float64Array, weights: Float64Array, centres: Float64Array, labels: Int32Array): Float64Array {
  const sums = new Float64Array(centres.length);
  const mass = new Float64Array(centres.length);
  for (let i = 0; i < x.length; i++) {
    sums[labels[i]] += weights[i] * x[i];
    mass[labels[i]] += weights[i];
  }
  fillEmpty(x, weights, centres, labels, sums, mass);
  const heaviest = mass.indexOf(mass.reduce((most, weight) => Math.max(most, weight), 0));
  return sums.map((sum, c) => (mass[c] > 0 ? sum / mass[c] : sums[heaviest] / mass[heaviest]));
}

/** Gives every centre without values the value that is farthest from its own centre. */
function fillEmpty(
  x: Float64Array,
  weights: Float64Array,
  centres: Float64Array,
  labels: Int32Array,
  sums: Float64Array,
  mass: Float64Array,
): void {
  const empty = Array.from(mass.keys()).filter((c) => mass[c] === 0);
  if (empty.length === 0) return;
  const distances = x.map((value, i) => (value - centres[labels[i]]) ** 2);
  const far = Array.from(distances.keys()).sort((a, b) => distances[b] - distances[a] || b - a);
  if (!(distances[far[0]] > 0)) return;
  empty.forEach((c, rank) => {
    const i = far[rank];
    const moved = weights[i] * x[i];
    sums[labels[i]] -= moved;
    mass[labels[i]] -= weights[i];
    sums[c] = moved;
    mass[c] = weights[i];
  });
}
