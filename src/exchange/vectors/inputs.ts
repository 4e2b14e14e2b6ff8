import { readNumbers } from '../inputs/index.ts';
import { list, place, type ValueOf } from '../shape.ts';
import { type VectorContext, type VectorOperation, vector } from './vector.ts';

const shape = vector('inputs', { inputs: list(place) }, 'The numbers of inputs, one after the other.');

/** The numbers of some inputs, one after the other. */
export type InputVector = ValueOf<typeof shape>;

const run = ({ inputs }: InputVector, { plan, row }: VectorContext) =>
  Float64Array.from(inputs.flatMap((k) => readNumbers(plan, plan.inputs[k], row)));

export const inputVector: VectorOperation<InputVector> = { shape, run };
