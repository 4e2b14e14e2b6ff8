import { dot } from '../../math/arrays.ts';
import { logPeakOf, type Whitening, whitenMarginal } from '../../models/whitening.ts';
import { dense } from '../cells.ts';
import { list, numbers, orNull, record, table, type ValueOf } from '../shape.ts';
import { type Add, operation, term } from './term.ts';

/** Rows of a matrix that has a column for each feature. */
const axes = table(2, ({ features }, { rows }: { readonly rows: Float64Array }) => [rows.length / features, features]);

const marginalShape = record(
  {
    means: table(2, ({ classes, features }) => [classes, features]),
    covariances: list(orNull(table(2, ({ features }) => [features, features]))),
    start: numbers,
  },
  'Where a cell is missing, the sum is start[c] + ln N(x; means[c], covariances[c]) over the others; one covariance serves all classes.',
);

/**
 * Gaussians of rows in which cells are missing. The term is the only one of its sum, which is then start[c] + ln N(x; means[c],
 * covariances[c]) over the cells that are present, up to what all classes share. Cells are taken one after the other; one that those
 * before it determine (its variance given them is at most 2⁻⁴⁰ of its own) adds nothing. There is one covariance for all classes or one
 * for each.
 */
export type Marginals = ValueOf<typeof marginalShape>;

const planeShape = term(
  'planes',
  {
    rows: axes,
    origin: numbers,
    centres: table(2, ({ classes }, { centres }: { readonly centres: Float64Array }) => [
      classes,
      centres.length / classes,
    ]),
    marginals: orNull(marginalShape),
  },
  'Σ m (z − ½ m) with z = rows (x − origin), m = centres[c]; where a cell is missing, by the marginals.',
);

const formShape = record({ rows: axes, mean: numbers, centre: orNull(numbers) });

const quadricShape = term(
  'quadrics',
  { forms: list(orNull(formShape)), marginals: orNull(marginalShape) },
  '−½ ‖rows (x − mean) − centre‖² with forms[c]; a class without a form is impossible. Where a cell is missing, by the marginals.',
);

/** rows · (x − origin). */
function image(rows: Float64Array, x: Float64Array, origin: Float64Array): Float64Array {
  const z = new Float64Array(rows.length / x.length);
  for (let k = 0; k < z.length; k++) {
    for (let j = 0; j < x.length; j++) z[k] += rows[k * x.length + j] * (x[j] - origin[j]);
  }
  return z;
}

/** The whitening of the cells of x that are present. */
function whitenPresent(covariance: Float64Array, x: Float64Array): Whitening {
  const present = [...x.keys()].filter((j) => !Number.isNaN(x[j]));
  return whitenMarginal(covariance, x.length, present);
}

/** x with other numbers where it is missing. */
const filled = (x: Float64Array, others: Float64Array) =>
  x.map((value, j) => (Number.isNaN(value) ? others[j] : value));

/** Linear discriminants; with `marginals` cells may be missing. */
const addPlanes: Add<ValueOf<typeof planeShape>> = ({ rows, origin, centres, marginals }, cells, score) => {
  const x = dense(cells);
  const classes = score.length;
  if (!marginals || !x.some(Number.isNaN)) {
    const rank = centres.length / classes;
    return addLinear(rows, origin, x, (c) => centres.subarray(c * rank, (c + 1) * rank), score);
  }
  const { means, covariances } = marginals;
  const present = whitenPresent(covariances[0] as Float64Array, x).rows;
  const meanOf = (c: number) => means.subarray(c * x.length, (c + 1) * x.length);
  addLinear(present, origin, filled(x, origin), (c) => image(present, meanOf(c), origin), score);
};

/** Adds Σⱼ w[j] (x[j] − origin[j]) − ½ Σₖ m[k]² with w = Σₖ m[k] rows[k], in the order of additions of the library, for identical bits. */
function addLinear(
  rows: Float64Array,
  origin: Float64Array,
  x: Float64Array,
  centreOf: (c: number) => Float64Array,
  score: Float64Array,
): void {
  const width = x.length;
  for (let c = 0; c < score.length; c++) {
    const centre = centreOf(c);
    score[c] -= 0.5 * dot(centre, centre);
    for (let j = 0; j < width; j++) {
      let weight = 0;
      for (let k = 0; k < centre.length; k++) weight += centre[k] * rows[k * width + j];
      score[c] += weight * (x[j] - origin[j]);
    }
  }
}

const sumOfSquares = (z: Float64Array) => z.reduce((sum, value) => sum + value * value, 0);

/** Squared distances, with a form for each class; a square that overflows is −Infinity. */
const addQuadrics: Add<ValueOf<typeof quadricShape>> = ({ forms, marginals }, cells, score) => {
  const x = dense(cells);
  if (marginals && x.some(Number.isNaN)) return scoreMarginals(marginals, x, score);
  forms.forEach((own, c) => {
    if (!own) {
      score[c] = -Infinity;
      return;
    }
    const { rows, mean, centre } = own;
    const z = image(rows, x, mean);
    const square = sumOfSquares(centre ? z.map((value, k) => value - centre[k]) : z);
    score[c] += Number.isNaN(square) ? -Infinity : -0.5 * square;
  });
};

/** ln p(c) + ln N of the cells that are present. */
function scoreMarginals({ means, covariances, start }: Marginals, x: Float64Array, score: Float64Array): void {
  const width = x.length;
  for (let c = 0; c < score.length; c++) {
    const covariance = covariances.length === 1 ? covariances[0] : covariances[c];
    if (!covariance) {
      score[c] = -Infinity;
      continue;
    }
    const whitening = whitenPresent(covariance, x);
    const mean = means.subarray(c * width, (c + 1) * width);
    const z = image(whitening.rows, filled(x, mean), mean);
    score[c] = start[c] + logPeakOf(whitening) + -0.5 * sumOfSquares(z);
  }
}

export const planeTerm = operation({ shape: planeShape, run: addPlanes });
export const quadricTerm = operation({ shape: quadricShape, run: addQuadrics });
