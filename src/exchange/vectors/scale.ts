import { dense } from '../cells.ts';
import { numbers, place, type ValueOf } from '../shape.ts';
import { type VectorContext, type VectorOperation, vector } from './vector.ts';

const shape = vector(
  'scale',
  { from: place, mean: numbers, scale: numbers, fill: numbers },
  '(x − mean) / scale; fill where x is missing.',
);

/** v[j] = (x[j] − mean[j]) / scale[j]; what is missing is fill[j], which may be NaN. */
export type ScaleVector = ValueOf<typeof shape>;

const run = ({ from, mean, scale, fill }: ScaleVector, { done }: VectorContext) =>
  dense(done[from]).map((x, j) => (Number.isNaN(x) ? fill[j] : (x - mean[j]) / scale[j]));

export const scaleVector: VectorOperation<ScaleVector> = { shape, run };
