import { dense } from '../cells.ts';
import { columns, numbers, place, type ValueOf } from '../shape.ts';
import { type VectorContext, type VectorOperation, vector } from './vector.ts';

const shape = vector(
  'cross',
  { from: place, first: columns, second: columns, sizes: numbers },
  'x[first[k]] · sizes[k] + min(x[second[k]], sizes[k] − 1): pairs of levels as one level.',
);

/** v[k] = x[first[k]] · sizes[k] + min(x[second[k]], sizes[k] − 1): pairs of levels as one level. */
export type CrossVector = ValueOf<typeof shape>;

const run = ({ from, first, second, sizes }: CrossVector, { done }: VectorContext): Float64Array => {
  const x = dense(done[from]);
  return sizes.map((size, k) => x[first[k]] * size + Math.min(x[second[k]], size - 1));
};

export const crossVector: VectorOperation<CrossVector> = { shape, run };
