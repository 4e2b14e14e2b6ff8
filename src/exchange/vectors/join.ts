import { type SparseCells, sparse } from '../cells.ts';
import { list, place, type ValueOf } from '../shape.ts';
import { type VectorContext, type VectorOperation, vector } from './vector.ts';

const shape = vector('join', { from: list(place) }, 'Vectors one after the other.');

/** Vectors one after the other. */
export type JoinVector = ValueOf<typeof shape>;

function run({ from, width }: JoinVector, { done }: VectorContext): SparseCells {
  const [indices, values]: [number[], number[]] = [[], []];
  let start = 0;
  for (const k of from) {
    const part = sparse(done[k]);
    part.indices.forEach((j, at) => {
      indices.push(start + j);
      values.push(part.values[at]);
    });
    start += part.width;
  }
  return { width, indices, values: Float64Array.from(values) };
}

export const joinVector: VectorOperation<JoinVector> = { shape, run };
