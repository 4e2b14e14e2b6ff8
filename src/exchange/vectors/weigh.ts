import { curves, divideByNorm } from '../../text/tfidf.ts';
import { type SparseCells, sparse } from '../cells.ts';
import { choices, numbers, orNull, place, type ValueOf } from '../shape.ts';
import { type VectorContext, type VectorOperation, vector } from './vector.ts';

const shape = vector(
  'weigh',
  {
    from: place,
    tf: choices('raw', 'binary', 'sqrt', 'log1p', 'sublinear'),
    idf: orNull(numbers),
    norm: choices('l1', 'l2', null),
  },
  'tf(x) · idf where x ≠ 0 (x, 1, √x, ln(1 + x), 1 + ln x), divided by the norm of the vector where that is not 0.',
);

/** v[j] = curve(x[j]) · idf[j] where x[j] ≠ 0, then divided by the norm of the vector where that is not 0. */
export type WeighVector = ValueOf<typeof shape>;

function run({ from, tf, idf, norm }: WeighVector, { done }: VectorContext): SparseCells {
  const { width, indices, values } = sparse(done[from]);
  const weights = values.map((count, k) => curves[tf](count) * (idf ? idf[indices[k]] : 1));
  divideByNorm(weights, 0, weights.length, norm);
  return {
    width,
    indices: indices.filter((_, k) => weights[k] !== 0),
    values: weights.filter((weight) => weight !== 0),
  };
}

export const weighVector: VectorOperation<WeighVector> = { shape, run };
