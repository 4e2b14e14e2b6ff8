import { dense } from '../cells.ts';
import { number, numbers, type ValueOf } from '../shape.ts';
import { type Add, type TermOperation, term } from './term.ts';

const shape = term('shift', { weights: numbers, constant: number }, 'Σ x weights − constant, for all classes alike.');

/** Σ x[j] weights[j] − constant, the same for all classes: scores of discriminants before calibration. */
export type ShiftTerm = ValueOf<typeof shape>;

const run: Add<ShiftTerm> = ({ weights, constant }, cells, score) => {
  const shift = dense(cells).reduce((sum, x, j) => sum + x * weights[j], 0) - constant;
  for (let c = 0; c < score.length; c++) score[c] += shift;
};

export const shiftTerm: TermOperation<ShiftTerm> = { shape, run };
