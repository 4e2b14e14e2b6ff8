import { dense } from '../cells.ts';
import { numbers, place } from '../shape.ts';
import { type VectorContext, type VectorOf, type VectorOperation, vector } from './vector.ts';

/** v[j] = (x[j] − mean[j]) / scale[j]; what is missing is fill[j], which may be NaN. */
export interface ScaleVector extends VectorOf<'scale'> {
  readonly from: number;
  readonly mean: Float64Array;
  readonly scale: Float64Array;
  readonly fill: Float64Array;
}

const shape = vector<ScaleVector>(
  'scale',
  { from: place, mean: numbers, scale: numbers, fill: numbers },
  '(x − mean) / scale; fill where x is missing.',
);

const run = ({ from, mean, scale, fill }: ScaleVector, { done }: VectorContext) =>
  dense(done[from]).map((x, j) => (Number.isNaN(x) ? fill[j] : (x - mean[j]) / scale[j]));

export const scaleVector: VectorOperation<ScaleVector> = { shape, run };
