import { dense } from '../cells.ts';
import { number, place } from '../shape.ts';
import { type VectorContext, type VectorOf, type VectorOperation, vector } from './vector.ts';

/** v[j] = 1 where x[j] > threshold, else 0; what is missing stays so. */
export interface AboveVector extends VectorOf<'above'> {
  readonly from: number;
  readonly threshold: number;
}

const shape = vector<AboveVector>(
  'above',
  { from: place, threshold: number },
  '1 where x > threshold, else 0; missing stays so.',
);

const run = ({ from, threshold }: AboveVector, { done }: VectorContext) =>
  dense(done[from]).map((x) => (Number.isNaN(x) ? x : Number(x > threshold)));

export const aboveVector: VectorOperation<AboveVector> = { shape, run };
