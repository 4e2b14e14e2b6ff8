import { dense } from '../cells.ts';
import { columns, place } from '../shape.ts';
import { type VectorContext, type VectorOf, type VectorOperation, vector } from './vector.ts';

/** v[k] = x[columns[k]]. */
export interface PickVector extends VectorOf<'pick'> {
  readonly from: number;
  readonly columns: Uint32Array;
}

const shape = vector<PickVector>('pick', { from: place, columns }, 'x[columns[k]].');

function run({ from, columns: picked }: PickVector, { done }: VectorContext): Float64Array {
  const x = dense(done[from]);
  return Float64Array.from(picked, (j) => x[j]);
}

export const pickVector: VectorOperation<PickVector> = { shape, run };
