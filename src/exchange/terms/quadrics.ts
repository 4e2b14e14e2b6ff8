import { logPeakOf } from '../../models/whitening.ts';
import { dense } from '../cells.ts';
import { list, numbers, orNull, record, table, type ValueOf } from '../shape.ts';
import { filled, image, type Marginals, marginalShape, whitenPresent } from './marginals.ts';
import { type Add, type TermOperation, term } from './term.ts';

const form = record(
  {
    rows: table(2, ({ features }, { rank }: { readonly rank: number }) => [rank, features]),
    mean: numbers,
    centre: orNull(numbers),
  },
  undefined,
  (_, { rows }) => ({ rank: (rows as unknown[]).length }),
);

/** z = rows · (x − mean) − centre; `rank` rows. */
export type Quadric = ValueOf<typeof form>;

const shape = term(
  'quadrics',
  { forms: list(orNull(form)), marginals: marginalShape },
  '−½ ‖rows (x − mean) − centre‖² with forms[c]; a class without a form is impossible. Where a cell is missing, by the marginals.',
);

/** Squared distances, with a form for each class; a square that overflows is −Infinity. */
export type QuadricTerm = ValueOf<typeof shape>;

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
