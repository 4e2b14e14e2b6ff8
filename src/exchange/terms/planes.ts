import { dot } from '../../math/arrays.ts';
import { dense } from '../cells.ts';
import { numbers, table, type ValueOf } from '../shape.ts';
import { filled, image, type Marginals, marginalShape, whitenPresent } from './marginals.ts';
import { type Add, type TermOperation, term } from './term.ts';

type Owner = { readonly rank: number };

const shape = term(
  'planes',
  {
    rows: table(2, ({ features }, { rank }: Owner) => [rank, features]),
    origin: numbers,
    centres: table(2, ({ classes }, { rank }: Owner) => [classes, rank]),
    marginals: marginalShape,
  },
  'Σ m (z − ½ m) with z = rows (x − origin), m = centres[c]; where a cell is missing, by the marginals.',
  (_, { rows }) => ({ rank: (rows as unknown[]).length }),
);

/** Linear discriminant; with `marginals` cells may be missing. */
export type PlaneTerm = ValueOf<typeof shape>;

const run: Add<PlaneTerm> = ({ rank, rows, origin, centres, marginals }, cells, score) => {
  const x = dense(cells);
  if (marginals && x.some(Number.isNaN)) return addMarginalPlanes(marginals, origin, x, score);
  addPlanes(rank, rows, origin, x, (c) => centres.subarray(c * rank, (c + 1) * rank), score);
};

/** Adds Σⱼ w[j] (x[j] − origin[j]) − ½ Σₖ m[k]² with w = Σₖ m[k] rows[k], in the order of additions of the library, for identical bits. */
function addPlanes(
  rank: number,
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
      for (let k = 0; k < rank; k++) weight += centre[k] * rows[k * width + j];
      score[c] += weight * (x[j] - origin[j]);
    }
  }
}

function addMarginalPlanes(
  { means, covariances }: Marginals,
  origin: Float64Array,
  x: Float64Array,
  score: Float64Array,
): void {
  const width = x.length;
  const { rank, rows } = whitenPresent(covariances[0] as Float64Array, x);
  const centreOf = (c: number) => image(rank, rows, means.subarray(c * width, (c + 1) * width), origin);
  addPlanes(rank, rows, origin, filled(x, origin), centreOf, score);
}

export const planeTerm: TermOperation<PlaneTerm> = { shape, run };
