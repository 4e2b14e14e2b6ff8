import { lgamma } from '../../math/gamma.ts';
import { logGammaRatio } from '../../math/gamma-ratio.ts';
import { sparse } from '../cells.ts';
import { byFeature, orNull, type ValueOf } from '../shape.ts';
import { type Add, type TermOperation, term } from './term.ts';

const shape = term(
  'poisson',
  { cells: byFeature, exposures: orNull(byFeature) },
  'Over x[j] ≠ 0: Σ x cells[j][c] − ln x!, where cells are ln λ and a missing x adds λ. With exposures B and cells A: ' +
    'ln Γ(A + x)/Γ(A) − x ln(1 + B) − ln x!, and a missing x adds A ln(1 + 1/B); without A or B an event is impossible.',
);

/** Poisson, or negative binomial with exposures; the start of the sum is the score of a row of zeros. */
export type PoissonTerm = ValueOf<typeof shape>;

const run: Add<PoissonTerm> = ({ cells: rates, exposures }, cells, score) => {
  const { indices, values } = sparse(cells);
  for (let k = 0; k < indices.length; k++) {
    const x = values[k];
    const factorial = Number.isNaN(x) ? 0 : lgamma(x + 1);
    for (let c = 0; c < score.length; c++) {
      const cell = indices[k] * score.length + c;
      score[c] += (exposures ? events(rates[cell], exposures[cell], x) : rated(rates[cell], x)) - factorial;
    }
  }
};

const rated = (logRate: number, x: number) => (Number.isNaN(x) ? Math.exp(logRate) : x * logRate);

/** The difference between the negative binomial scores of x events and of none; a missing number removes the score of none. */
function events(count: number, exposure: number, x: number): number {
  if (Number.isNaN(x)) return exposure > 0 ? count * Math.log1p(1 / exposure) : 0;
  return count > 0 && exposure > 0 ? logGammaRatio(count, x) - x * Math.log1p(exposure) : -Infinity;
}

export const poissonTerm: TermOperation<PoissonTerm> = { shape, run };
