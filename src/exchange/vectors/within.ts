import { dense } from '../cells.ts';
import { numbers, place, type ValueOf } from '../shape.ts';
import { type VectorContext, type VectorOperation, vector } from './vector.ts';

const shape = vector(
  'within',
  { from: place, least: numbers, most: numbers },
  'x[j] from least[j] to most[j]; others are missing.',
);

/** v[j] = x[j] from least[j] to most[j]; all else is missing. */
export type WithinVector = ValueOf<typeof shape>;

const run = ({ from, least, most }: WithinVector, { done }: VectorContext) =>
  dense(done[from]).map((x, j) => (x >= least[j] && x <= most[j] ? x : Number.NaN));

export const withinVector: VectorOperation<WithinVector> = { shape, run };
