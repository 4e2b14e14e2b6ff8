import { logPeakOf } from '../../models/whitening.ts';
import { dense } from '../cells.ts';
import { list, numbers, orNull, record, table } from '../shape.ts';
import { filled, image, type Marginals, marginalShape, whitenPresent } from './marginals.ts';
import { type Add, type TermOf, type TermOperation, term } from './term.ts';

/**
 * −½ ‖z‖², with z = rows[c] · (x − means[c]) − centres[c], for each class its own form or one for all. A class without a form is
 * impossible. A square that overflows is −Infinity. With `marginals` cells may be missing.
 */
export interface QuadricTerm extends TermOf<'quadrics'> {
  readonly forms: readonly (Quadric | null)[];
  readonly marginals: Marginals | null;
}

/** z = rows · (x − mean) − centre; `rank` rows. */
export interface Quadric {
  readonly rank: number;
  readonly rows: Float64Array;
  readonly mean: Float64Array;
  readonly centre: Float64Array | null;
}

const form = record<Quadric, 'rank'>(
  {
    rows: table(2, ({ features }, { rank }: Quadric) => [rank, features]),
    mean: numbers,
    centre: orNull(numbers),
  },
  undefined,
  (_, { rows }) => ({ rank: (rows as unknown[]).length }),
);

const shape = term<QuadricTerm>(
  'quadrics',
  { forms: list(orNull(form)), marginals: marginalShape },
  '−½ ‖rows (x − mean) − centre‖² with forms[c]; a class without a form is impossible. Where a cell is missing, by the marginals.',
);

const sumOfSquares = (z: Float64Array) => z.reduce((sum, value) => sum + value * value, 0);

const run: Add<QuadricTerm> = ({ forms, marginals }, cells, score) => {
  const x = dense(cells);
  if (marginals && x.some(Number.isNaN)) return scoreMarginals(marginals, x, score);
  forms.forEach((own, c) => {
    if (!own) {
      score[c] = -Infinity;
      return;
    }
    const { rank, rows, mean, centre } = own;
    const z = image(rank, rows, x, mean);
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
    const z = image(whitening.rank, whitening.rows, filled(x, mean), mean);
    score[c] = start[c] + logPeakOf(whitening) + -0.5 * sumOfSquares(z);
  }
}

export const quadricTerm: TermOperation<QuadricTerm> = { shape, run };
