import { type SparseCells, sparse } from '../cells.ts';
import { place, type ValueOf } from '../shape.ts';
import { type VectorContext, type VectorOperation, vector } from './vector.ts';

const shape = vector('root-share', { from: place }, '√(x / Σ x).');

/** v[j] = √(x[j] / Σ x): square roots of counts in rows of length 1. */
export type RootShareVector = ValueOf<typeof shape>;

function run({ from }: RootShareVector, { done }: VectorContext): SparseCells {
  const cells = sparse(done[from]);
  const total = cells.values.reduce((sum, value) => sum + value, 0);
  return { ...cells, values: cells.values.map((value) => Math.sqrt(value / total)) };
}

export const rootShareVector: VectorOperation<RootShareVector> = { shape, run };
