import { whitenMarginal } from '../../models/whitening.ts';
import { list, numbers, orNull, record, type Shape, table, type ValueOf } from '../shape.ts';

const shape = record(
  {
    means: table(2, ({ classes, features }) => [classes, features]),
    covariances: list(orNull(table(2, ({ features }) => [features, features]))),
    start: numbers,
  },
  'Where a cell is missing, the sum is start[c] + ln N(x; means[c], covariances[c]) over the others; one covariance serves all classes.',
  // what the start of the sum, for complete rows, has more than this one; the sum fills it in
  ({ start }): { readonly logPeak: Float64Array } => ({ logPeak: start.map(() => Number.NaN) }),
);

/**
 * Gaussians of rows in which cells are missing. The term is the only one of its sum, which is then start[c] + ln N(x; means[c],
 * covariances[c]) over the cells that are present, up to what all classes share. Cells are taken one after the other; one that those
 * before it determine (its variance given them is at most 2⁻⁴⁰ of its own) adds nothing. There is one covariance for all classes or one
 * for each.
 */
export type Marginals = ValueOf<typeof shape>;

export const marginalShape: Shape<Marginals | null> = orNull(shape);

/** rows · (x − origin). */
export function image(rank: number, rows: Float64Array, x: Float64Array, origin: Float64Array): Float64Array {
  const z = new Float64Array(rank);
  for (let k = 0; k < rank; k++) {
    for (let j = 0; j < x.length; j++) z[k] += rows[k * x.length + j] * (x[j] - origin[j]);
  }
  return z;
}

/** The places of the numbers that are present. */
export const placesIn = (x: Float64Array): number[] => [...x.keys()].filter((j) => !Number.isNaN(x[j]));

/** The whitening of the cells of x that are present. */
export const whitenPresent = (covariance: Float64Array, x: Float64Array): ReturnType<typeof whitenMarginal> =>
  whitenMarginal(covariance, x.length, placesIn(x));

/** x with other numbers where it is missing. */
export const filled = (x: Float64Array, others: Float64Array): Float64Array =>
  x.map((value, j) => (Number.isNaN(value) ? others[j] : value));
