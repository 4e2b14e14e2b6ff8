import { softplus } from '../../math/logs.ts';
import { sparse } from '../cells.ts';
import { byClass, numbers, type ValueOf } from '../shape.ts';
import { type Add, type TermOperation, term } from './term.ts';

const shape = term(
  'coins',
  { logOdds: byClass, certain: numbers },
  'Σ logOdds[c][j] over x[j] ≠ 0; a missing x adds ln(1 + e^logOdds). Odds of Infinity are left out, and unless certain[c] of them are ' +
    'heads or missing the class is impossible.',
);

/** Bernoulli where a feature is always 1 in some class or cells may be missing; the start of the sum is the score of a row of zeros. */
export type CoinTerm = ValueOf<typeof shape>;

const run: Add<CoinTerm> = ({ logOdds, certain }, cells, score) => {
  const { width, indices, values } = sparse(cells);
  for (let c = 0; c < score.length; c++) {
    let owed = certain[c];
    for (let k = 0; k < indices.length; k++) {
      const odds = logOdds[c * width + indices[k]];
      if (odds === Infinity) owed--;
      else score[c] += Number.isNaN(values[k]) ? softplus(odds) : odds;
    }
    if (owed > 0) score[c] = -Infinity;
  }
};

export const coinTerm: TermOperation<CoinTerm> = { shape, run };
