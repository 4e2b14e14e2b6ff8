import { drawLength, linearTerms, rollInto, scoreLinear } from '../core/linear.ts';
import type { Model, Whole } from '../core/model.ts';
import {
  type Background,
  type ClassPrior,
  isBackground,
  logClassPrior,
  type Prior,
  pseudoCount,
  pseudoSum,
} from '../core/prior.ts';
import { sum } from '../math/arrays.ts';
import { logRatio } from '../math/logs.ts';
import { type Sums, sums } from '../stats/sums.ts';
import { backgroundWeights } from './background.ts';
import { type Dice, dice, diceForm, diceOf } from './dice.ts';

/** How dice are estimated. */
export interface MultinomialOptions {
  readonly prior: Prior | Background;
  readonly classPrior?: ClassPrior;
}

/**
 * Multinomial naive Bayes: each class is a die with one face per word, rolled once per word of the document.
 *
 *   p(x | c) ∝ Πⱼ θ[c,j]^xⱼ                                              (1)
 *   θ[c] ~ Dirichlet(a)  ⇒  θ̂[c,j] = (s[c,j] + k) / Σⱼ (s[c,j] + k)      (2)
 *
 * with k = 0 for MLE, a − 1 for MAP, a for the posterior mean, or a background in place of k (core/prior.ts). The number of
 * orders n! / Πⱼ xⱼ! is the same for every class and left out. A word that is not in the row says nothing, so an empty
 * row gets the prior. Manning, Raghavan & Schütze, Introduction to Information Retrieval (2008), §13.2.
 */
export const multinomial: Model<Sums, Dice, MultinomialOptions> = {
  name: 'multinomial',
  statistic: sums,
  form: diceForm,

  estimate(stats, { prior, classPrior }) {
    return diceOf(stats, classPrior, (totals) =>
      isBackground(prior) ? backgroundWeights(stats, prior) : dice(stats, pseudoCount(prior), totals),
    );
  },

  estimatePart(part, whole, { prior, classPrior }, room) {
    const k = isBackground(prior) ? undefined : pseudoCount(prior);
    if (typeof k !== 'number') return undefined;
    const { classes, features, n } = part;
    const weights = someDice(part, whole, k, room);
    return { classes, features, logPrior: logClassPrior(n, classPrior), weights, length: sum(whole.totals) / sum(n) };
  },

  /** out[i,c] = ln p(c) + Σⱼ xⱼ ln θ[c,j], by (1). */
  score: scoreLinear,

  logPrior: ({ logPrior }) => logPrior,

  terms: linearTerms,

  /** As many words as rows have on average (Poisson), whatever the class. */
  sample({ classes, features, weights, length }, c, random, row) {
    const shares = Float64Array.from({ length: features }, (_, j) => Math.exp(weights[j * classes + c]));
    rollInto(row, shares, drawLength(random, length), random);
  },
};

/** ln θ of some words by (2), feature-major: bit for bit what `dice` gives them. */
function someDice(
  { classes, features, s }: Sums,
  whole: Whole,
  k: number,
  weights: Float64Array = new Float64Array(classes * features),
): Float64Array {
  for (let c = 0; c < classes; c++) {
    const total = whole.totals[c] + pseudoSum(k, whole.features, c);
    const never = logRatio(k, total);
    for (let j = 0; j < features; j++) {
      const count = s[c * features + j];
      weights[j * classes + c] = count === 0 ? never : logRatio(count + k, total);
    }
  }
  return weights;
}
