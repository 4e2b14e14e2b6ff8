import { dense } from '../cells.ts';
import { numbers, place, type ValueOf } from '../shape.ts';
import { type VectorContext, type VectorOperation, vector } from './vector.ts';

const shape = vector(
  'equal',
  { from: place, values: numbers },
  '1 where x is the value, else 0; NaN in values: x itself.',
);

/** v[j] = 1 where x[j] = values[j], else 0; what is missing stays so. NaN in values: v[j] = x[j]. */
export type EqualVector = ValueOf<typeof shape>;

const run = ({ from, values }: EqualVector, { done }: VectorContext) =>
  dense(done[from]).map((x, j) => (Number.isNaN(x) || Number.isNaN(values[j]) ? x : Number(x === values[j])));

export const equalVector: VectorOperation<EqualVector> = { shape, run };
