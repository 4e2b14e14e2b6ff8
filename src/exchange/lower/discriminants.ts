import type { Marginals, TermOf } from '../plan.ts';
import { type Algebra, range, type Tensor, turned } from './algebra.ts';

/** Linear discriminants, without the part that all classes share. */
export function planes<T extends Tensor>(
  { rows, origin, centres, marginals }: TermOf<'planes'>,
  a: Algebra<T>,
  x: T,
  classes: number,
  start: Float64Array,
): T {
  const rank = centres.length / classes;
  const z = a.keep(a.product(a.keep(a.sub(x, a.constant(origin))), turned(rows, rank, origin.length), rank));
  const half = range(classes).map((c) =>
    centres.subarray(c * rank, (c + 1) * rank).reduce((sum, own) => sum - 0.5 * own * own, 0),
  );
  const complete = a.add(a.product(z, turned(centres, classes, rank), classes), a.constant(half));
  return withMarginals(a, marginals, start, x, complete);
}

/** Squared distances, class by class. */
export function quadrics<T extends Tensor>(
  { forms, marginals }: TermOf<'quadrics'>,
  a: Algebra<T>,
  x: T,
  _classes: number,
  start: Float64Array,
): T {
  const columns = forms.map((form) => {
    if (!form) return a.constant([-Infinity]);
    const { rows, mean, centre } = form;
    const rank = rows.length / mean.length;
    const image = a.product(a.keep(a.sub(x, a.constant(mean))), turned(rows, rank, mean.length), rank);
    const z = a.keep(centre ? a.sub(image, a.constant(centre)) : image);
    return a.reshape(a.mul(a.sum(a.mul(z, z)), -0.5), 1);
  });
  return withMarginals(a, marginals, start, x, a.concat(columns));
}

/** A feature whose unexplained share of variance, given those before it, is below this adds nothing. */
const LEAST_SHARE = 2 ** -40;

/**
 * The scores of complete rows, and in rows with missing cells those of the marginals over the others. If a target cannot store the
 * intermediate values, rows with missing cells get no result.
 */
function withMarginals<T extends Tensor>(
  a: Algebra<T>,
  marginals: Marginals | null,
  start: Float64Array,
  x: T,
  complete: T,
): T {
  if (!marginals || !a.mayMiss(x)) return complete;
  const [features, classes] = [x.shape[0], start.length];
  const logPeak = start.map((value, c) => value - marginals.start[c] || 0); // what complete rows have more
  const whole = a.keep(a.equal(a.sum(a.indicator(a.missing(x))), 0));
  const columns = marginals.covariances.length * (features ** 3 / 6 + features ** 2) + (classes * features ** 2) / 2;
  if (a.canKeep(columns)) return a.where(whole, complete, a.keep(marginalScores(a, marginals, logPeak, x)));
  a.require(whole);
  return complete;
}

/** The place of row k, column l ≤ k in the lower half of a symmetric matrix. */
const placeOf = (k: number, l: number) => (k * (k + 1)) / 2 + l;

const halfOf = (size: number) => range(size).flatMap((k) => range(k + 1).map((l) => [k, l] as const));

/**
 * ln N of the cells that are present, less the peak of a complete row: Gaussian elimination of the covariances and of the distances from the
 * means, in which missing features are passed over.
 */
function marginalScores<T extends Tensor>(
  a: Algebra<T>,
  { means, covariances }: Marginals,
  logPeak: Float64Array,
  x: T,
): T {
  const [features, classes, forms] = [x.shape[0], logPeak.length, covariances.length];
  const half = halfOf(features);
  const all = covariances.flatMap((own) => half.map(([k, l]) => (own ? own[k * features + l] : Number(k === l))));
  const gap = a.missing(x);
  let distance = a.keep(a.where(gap, 0, a.sub(x, a.constant(means, classes, features))));
  let left = a.constant(all, forms, half.length);
  let sum = a.constant(logPeak.map((peak) => -peak));
  for (let j = 0; j < features; j++) {
    const behind = features - j - 1;
    const variance = a.gather(left, 1, [0]);
    const least = range(forms).map((f) => LEAST_SHARE * all[f * half.length + placeOf(j, j)]);
    const counts = a.keep(a.and(a.less(a.constant(least, forms, 1), variance), a.not(a.at(gap, j))));
    const own = a.gather(distance, 1, [0]);
    const fall = a.add(a.div(a.mul(own, own), variance), a.ln(a.mul(variance, 2 * Math.PI)));
    sum = a.add(sum, a.reshape(a.keep(a.where(counts, a.mul(fall, -0.5), 0)), classes));
    if (behind === 0) break;
    const column = a.gather(left, 1, range(behind).map((k) => placeOf(k + 1, 0))); // biome-ignore format: short
    const ratio = a.keep(a.where(counts, a.div(column, variance), 0));
    distance = a.keep(a.sub(a.gather(distance, 1, range(behind + 1, 1)), a.mul(ratio, own)));
    const rest = halfOf(behind);
    const before = a.gather(left, 1, rest.map(([k, l]) => placeOf(k + 1, l + 1))); // biome-ignore format: short
    const [rows, columns] = [0, 1].map((side) => rest.map((pair) => pair[side]));
    left = a.keep(a.sub(before, a.mul(a.gather(ratio, 1, rows), a.gather(column, 1, columns))));
  }
  const impossible = covariances.map((own) => own === null);
  return impossible.includes(true) ? a.where(a.constant(impossible), -Infinity, sum) : sum;
}
