import { readOptions } from '../core/options.ts';
import { requireKind, requireLike } from '../data/arguments.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { perNat, surprise, type UnitOptions, unitSpec } from './information.ts';

/** Parameters of a Bernoulli model: ln p(c) and ln p(xⱼ = 1 | c), as a fitted `BernoulliNB` or by themselves. */
export type CoinParameters = (
  | { readonly classLogPrior: ArrayLike<number> }
  | { readonly logPrior: ArrayLike<number> }
) & {
  readonly featureLogProb: Matrix | ArrayLike<ArrayLike<number>>;
};

/** ln p(c) and ln p(xⱼ = 1 | c), by whichever name. */
export function readCoins(coins: CoinParameters): { logPrior: ArrayLike<number>; logHeads: Matrix } {
  requireLike(coins, 'a fitted BernoulliNB', { featureLogProb: 'any' });
  const logPrior = requireKind('logPrior' in coins ? coins.logPrior : coins.classLogPrior, 'ln p(c) by class', 'list');
  const given = coins.featureLogProb;
  const logHeads = given instanceof Matrix ? given : Matrix.from(given);
  if (logHeads.rows !== logPrior.length) {
    refuse('E_SHAPE', `there are ${logPrior.length} class priors and ${logHeads.rows} rows of features`, {
      expected: logPrior.length,
      actual: logHeads.rows,
    });
  }
  return { logPrior, logHeads };
}

/**
 * The mutual information of the class and every feature of a Bernoulli model, from its parameters:
 *
 *   I[j] = Σ_c π[c] (θ[c,j] ln(θ[c,j] / θ[j]) + (1 − θ[c,j]) ln((1 − θ[c,j]) / (1 − θ[j]))),   θ[j] = Σ_c π[c] θ[c,j].
 *
 * Murphy, Machine Learning: A Probabilistic Perspective (2012), (3.76). His table 3.1 is in bits, of smoothed θ.
 */
export function bernoulliInformation(coins: CoinParameters, options: UnitOptions = {}): Float64Array {
  const { logPrior, logHeads } = readCoins(coins);
  const factor = perNat(readOptions('bernoulliInformation', unitSpec, options).unit);
  const prior = Float64Array.from(logPrior, Math.exp);
  return Float64Array.from({ length: logHeads.cols }, (_, j) => {
    let [heads, tails] = [0, 0];
    for (let c = 0; c < prior.length; c++) {
      heads += prior[c] * Math.exp(logHeads.at(c, j));
      tails -= prior[c] * Math.expm1(logHeads.at(c, j));
    }
    let sum = 0;
    for (let c = 0; c < prior.length; c++) {
      sum += surprise(prior[c] * Math.exp(logHeads.at(c, j)), prior[c] * heads);
      sum += surprise(-prior[c] * Math.expm1(logHeads.at(c, j)), prior[c] * tails);
    }
    return factor * sum;
  });
}
