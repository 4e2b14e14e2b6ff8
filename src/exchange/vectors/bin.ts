import { dense } from '../cells.ts';
import { choices, list, numbers, orNull, place, type ValueOf } from '../shape.ts';
import { type VectorContext, type VectorOperation, vector } from './vector.ts';

const shape = vector(
  'bin',
  { from: place, cuts: list(orNull(numbers)), missing: choices('missing', 'last') },
  'How many cuts are ≤ x; a missing x stays so or is the bin behind the last. Null: x itself.',
);

/** v[j] = how many cuts[j] are ≤ x[j]; what is missing stays so, or is the bin behind the last. Null: v[j] = x[j]. */
export type BinVector = ValueOf<typeof shape>;

const run = ({ from, cuts, missing }: BinVector, { done }: VectorContext) =>
  dense(done[from]).map((x, j) => {
    const own = cuts[j];
    if (own === null) return x;
    if (Number.isNaN(x)) return missing === 'last' ? own.length + 1 : x;
    let [low, high] = [0, own.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (own[middle] <= x) low = middle + 1;
      else high = middle;
    }
    return low;
  });

export const binVector: VectorOperation<BinVector> = { shape, run };
