import { sparse } from '../cells.ts';
import { byFeature, type ValueOf } from '../shape.ts';
import { type Add, type TermOperation, term } from './term.ts';

const shape = term('linear', { weights: byFeature }, 'Σ x[j] weights[j][c] over x[j] ≠ 0; 0 · ∞ is 0.');

/** Σ x[j] weights[j · C + c] over x[j] ≠ 0, feature-major; 0 · ∞ is 0. Multinomial, complement, Bernoulli, text. */
export type LinearTerm = ValueOf<typeof shape>;

const run: Add<LinearTerm> = ({ weights }, cells, score) => {
  const { indices, values } = sparse(cells);
  const classes = score.length;
  for (let k = 0; k < indices.length; k++) {
    const from = indices[k] * classes;
    for (let c = 0; c < classes; c++) score[c] += values[k] * weights[from + c];
  }
};

export const linearTerm: TermOperation<LinearTerm> = { shape, run };
