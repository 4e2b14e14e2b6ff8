import { readNumbers } from '../inputs/index.ts';
import { list, place } from '../shape.ts';
import { type VectorContext, type VectorOf, type VectorOperation, vector } from './vector.ts';

/** The numbers of some inputs, one after the other. */
export interface InputVector extends VectorOf<'inputs'> {
  readonly inputs: readonly number[];
}

const shape = vector<InputVector>('inputs', { inputs: list(place) }, 'The numbers of inputs, one after the other.');

const run = ({ inputs }: InputVector, { plan, row }: VectorContext) =>
  Float64Array.from(inputs.flatMap((k) => readNumbers(plan, plan.inputs[k], row)));

export const inputVector: VectorOperation<InputVector> = { shape, run };
