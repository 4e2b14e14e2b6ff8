import { dense } from '../cells.ts';
import { number, numbers } from '../shape.ts';
import { type Add, type TermOf, type TermOperation, term } from './term.ts';

/** Σ x[j] weights[j] − constant, the same for all classes: scores of discriminants before calibration. */
export interface ShiftTerm extends TermOf<'shift'> {
  readonly weights: Float64Array;
  readonly constant: number;
}

const shape = term<ShiftTerm>(
  'shift',
  { weights: numbers, constant: number },
  'Σ x weights − constant, for all classes alike.',
);

const run: Add<ShiftTerm> = ({ weights, constant }, cells, score) => {
  const shift = dense(cells).reduce((sum, x, j) => sum + x * weights[j], 0) - constant;
  for (let c = 0; c < score.length; c++) score[c] += shift;
};

export const shiftTerm: TermOperation<ShiftTerm> = { shape, run };
