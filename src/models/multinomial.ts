import { drawLength, type Linear, linearTerms, rollInto, scoreLinear } from '../core/linear.ts';
import type { Model, Whole } from '../core/model.ts';
import {
  type Background,
  type ClassPrior,
  isBackground,
  logClassPrior,
  type Prior,
  type Pseudo,
  pseudoAt,
  pseudoCount,
  pseudoSum,
  requirePseudoLength,
} from '../core/prior.ts';
import { sum } from '../math/arrays.ts';
import { logRatio } from '../math/logs.ts';
import { type Sums, sums } from '../stats/sums.ts';
import { backgroundWeights } from './background.ts';

/** Log-probabilities of the faces of every die, feature-major, and how often a die is rolled per row, on average. */
export interface Dice extends Linear {
  readonly length: number;
}

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
  form: {
    arrays: { logPrior: ['log', 'classes'], weights: ['log', 'features', 'classes'], length: ['weight'] },
  },

  estimate(stats, { prior, classPrior }) {
    const { classes, features, n, s } = stats;
    const totals = Float64Array.from({ length: classes }, (_, c) => rolls(s, features, c));
    const weights = isBackground(prior) ? backgroundWeights(stats, prior) : dice(stats, pseudoCount(prior), totals);
    return { classes, features, logPrior: logClassPrior(n, classPrior), weights, length: sum(totals) / sum(n) };
  },

  estimatePart(part, whole, { prior, classPrior }) {
    const k = isBackground(prior) ? undefined : pseudoCount(prior);
    if (typeof k !== 'number') return undefined;
    const { classes, features, n } = part;
    const weights = someDice(part, whole, k);
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

/** Counts below this are common, and the logarithms of their shares are worth keeping. */
const COMMON = 32;

/** The weights of so many words for all classes stay near the processor while they are written class by class. */
const TILE = 64;

/** ln θ by (2), feature-major. Most words of most classes were never rolled or a few times: their logarithms are computed once. */
export function dice({ classes, features, s }: Sums, k: Pseudo, totals?: Float64Array): Float64Array {
  requirePseudoLength(k, classes, features);
  const flat = typeof k === 'number' ? k : Number.NaN; // no pseudo-count is NaN
  const weights = new Float64Array(classes * features);
  const rows = Array.from({ length: classes }, (_, c) => {
    const total = (totals?.[c] ?? rolls(s, features, c)) + pseudoSum(k, features, c);
    return { total, common: Float64Array.from({ length: COMMON }, (_, count) => logRatio(count + flat, total)) };
  });
  for (let from = 0; from < features; from += TILE) {
    const to = Math.min(features, from + TILE);
    for (let c = 0; c < classes; c++) {
      const { total, common } = rows[c];
      for (let j = from; j < to; j++) {
        const count = s[c * features + j];
        const small = count | 0;
        const isCommon = small === count && small < COMMON && flat === k;
        weights[j * classes + c] = isCommon ? common[small] : logRatio(count + pseudoAt(k, features, c, j), total);
      }
    }
  }
  return weights;
}

/** ln θ of some words by (2), feature-major: bit for bit what `dice` gives them. */
function someDice({ classes, features, s }: Sums, whole: Whole, k: number): Float64Array {
  const weights = new Float64Array(classes * features);
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

/** How many words a class has. */
export const rolls = (s: Float64Array, features: number, c: number) => sum(s, c * features, features);
