import { sparse } from '../cells.ts';
import { byFeature } from '../shape.ts';
import { type Add, type TermOf, type TermOperation, term } from './term.ts';

/** Σ x[j] weights[j · C + c] over x[j] ≠ 0, feature-major; 0 · ∞ is 0. Multinomial, complement, Bernoulli, text. */
export interface LinearTerm extends TermOf<'linear'> {
  readonly weights: Float64Array;
}

const shape = term<LinearTerm>('linear', { weights: byFeature }, 'Σ x[j] weights[j][c] over x[j] ≠ 0; 0 · ∞ is 0.');

const run: Add<LinearTerm> = ({ weights }, cells, score) => {
  const { indices, values } = sparse(cells);
  const classes = score.length;
  for (let k = 0; k < indices.length; k++) {
    const from = indices[k] * classes;
    for (let c = 0; c < classes; c++) score[c] += values[k] * weights[from + c];
  }
};

export const linearTerm: TermOperation<LinearTerm> = { shape, run };
