import { dense } from '../cells.ts';
import { number, place, type ValueOf } from '../shape.ts';
import { type VectorContext, type VectorOperation, vector } from './vector.ts';

const shape = vector('above', { from: place, threshold: number }, '1 where x > threshold, else 0; missing stays so.');

/** v[j] = 1 where x[j] > threshold, else 0; what is missing stays so. */
export type AboveVector = ValueOf<typeof shape>;

const run = ({ from, threshold }: AboveVector, { done }: VectorContext) =>
  dense(done[from]).map((x) => (Number.isNaN(x) ? x : Number(x > threshold)));

export const aboveVector: VectorOperation<AboveVector> = { shape, run };
