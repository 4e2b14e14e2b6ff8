import { dense } from '../cells.ts';
import { place, places, type ValueOf } from '../shape.ts';
import { type VectorContext, type VectorOperation, vector } from './vector.ts';

const shape = vector(
  'onehot',
  { from: place, widths: places },
  'For each x as many numbers as its width: 1 at the place x, 0 elsewhere.',
);

/** For each x[j] as many numbers as widths[j] says: 1 at the place x[j], 0 elsewhere; all 0 where x[j] is no such place. */
export type HotVector = ValueOf<typeof shape>;

function run({ from, widths, width }: HotVector, { done }: VectorContext): Float64Array {
  const hot = new Float64Array(width);
  let start = 0;
  dense(done[from]).forEach((x, j) => {
    if (x >= 0 && x < widths[j]) hot[start + x] = 1;
    start += widths[j];
  });
  return hot;
}

export const hotVector: VectorOperation<HotVector> = { shape, run };
