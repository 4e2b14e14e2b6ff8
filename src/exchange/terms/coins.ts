import { softplus } from '../../math/logs.ts';
import { sparse } from '../cells.ts';
import { byClass, numbers } from '../shape.ts';
import { type Add, type TermOf, type TermOperation, term } from './term.ts';

/**
 * Bernoulli where some coin always shows heads or cells may be missing: Σ logOdds over x[j] ≠ 0, whose sum for a row of zeros is
 * in the start already. A missing toss adds ln(1 + e^logOdds) instead. Coins of logOdds = Infinity are left out of the sum; while
 * fewer than certain[c] of them are heads or missing, the class is impossible (−Infinity).
 */
export interface CoinTerm extends TermOf<'coins'> {
  readonly logOdds: Float64Array;
  readonly certain: Float64Array;
}

const shape = term<CoinTerm>(
  'coins',
  { logOdds: byClass, certain: numbers },
  'Σ logOdds[c][j] over x[j] ≠ 0; a missing x adds ln(1 + e^logOdds). Odds of Infinity are left out, and unless certain[c] of them are ' +
    'heads or missing the class is impossible.',
);

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
