import { dense } from '../cells.ts';
import { columns, place, type ValueOf } from '../shape.ts';
import { type VectorContext, type VectorOperation, vector } from './vector.ts';

const shape = vector('pick', { from: place, columns }, 'x[columns[k]].');

/** v[k] = x[columns[k]]. */
export type PickVector = ValueOf<typeof shape>;

function run({ from, columns: picked }: PickVector, { done }: VectorContext): Float64Array {
  const x = dense(done[from]);
  return Float64Array.from(picked, (j) => x[j]);
}

export const pickVector: VectorOperation<PickVector> = { shape, run };
