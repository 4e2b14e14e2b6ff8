import { holdOut, logPriorWithout } from '../core/held-out.ts';
import { type Linear, linearTerms, rollInto, scoreLinear } from '../core/linear.ts';
import type { Model } from '../core/model.ts';
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
import { type Batch, toSparse } from '../data/batch.ts';
import { remainder, sum } from '../math/arrays.ts';
import { logRatio } from '../math/logs.ts';
import { type Sums, sums } from '../stats/sums.ts';
import { backgroundWeights, leaveOneOutOfBackground } from './background.ts';
import { multinomialInsight } from './multinomial-insight.ts';

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

  estimate(stats, { prior, classPrior }) {
    const { classes, features, n, s } = stats;
    const weights = isBackground(prior) ? backgroundWeights(stats, prior) : dice(stats, pseudoCount(prior));
    return { classes, features, logPrior: logClassPrior(n, classPrior), weights, length: sum(s) / sum(n) };
  },

  /** out[i,c] = ln p(c) + Σⱼ xⱼ ln θ[c,j], by (1). */
  score: scoreLinear,

  logPrior: ({ logPrior }) => logPrior,

  ...multinomialInsight,

  terms: linearTerms,

  /** The posterior mean with pseudo-counts k is the mode under Dirichlet(k + 1): Σ k ln θ. A background is no prior of θ. */
  logParameterPrior({ classes, features, weights }, { prior }) {
    if (isBackground(prior)) return 0;
    const k = pseudoCount(prior);
    let total = 0;
    for (let j = 0; j < features; j++) {
      for (let c = 0; c < classes; c++) {
        const pseudo = pseudoAt(k, features, c, j);
        if (pseudo > 0) total += pseudo * weights[j * classes + c];
      }
    }
    return total;
  },

  /** As many words as rows have on average (Poisson), whatever the class. */
  sample({ classes, features, weights, length }, c, random, row) {
    const shares = Float64Array.from({ length: features }, (_, j) => Math.exp(weights[j * classes + c]));
    rollInto(row, shares, random.poisson(length), random);
  },

  leaveOneOut(stats, { prior, classPrior }, batch, out) {
    if (isBackground(prior)) {
      const priorWithout = (i: number) => logPriorWithout(stats.n, batch.y[i], batch.w[i], classPrior);
      leaveOneOutOfBackground(stats, prior, batch, priorWithout, out);
      return;
    }
    const { classes, n } = stats;
    const k = pseudoCount(prior);
    scoreLinear({ classes, logPrior: new Float64Array(classes), weights: dice(stats, k) }, batch, out);
    holdOut(n, classPrior, batch, out, ownLikelihood(stats, k, batch));
  },
};

/** ln θ by (2), feature-major. */
function dice({ classes, features, s }: Sums, k: Pseudo): Float64Array {
  requirePseudoLength(k, classes, features);
  const totals = Float64Array.from({ length: classes }, (_, c) => rolls(s, features, c) + pseudoSum(k, features, c));
  const weights = new Float64Array(classes * features);
  for (let j = 0; j < features; j++) {
    for (let c = 0; c < classes; c++) {
      weights[j * classes + c] = logRatio(s[c * features + j] + pseudoAt(k, features, c, j), totals[c]);
    }
  }
  return weights;
}

const rolls = (s: Float64Array, features: number, c: number) => sum(s, c * features, features);

/** ln p(xᵢ | yᵢ) without row i: its own words and their number go. */
function ownLikelihood({ classes, features, s }: Sums, k: Pseudo, batch: Batch): (i: number) => number {
  const { indptr, indices, values } = toSparse(batch);
  const { y, w } = batch;
  const totals = Float64Array.from({ length: classes }, (_, c) => rolls(s, features, c));
  const pseudo = totals.map((_, c) => pseudoSum(k, features, c));
  return (i) => {
    let words = 0;
    for (let f = indptr[i]; f < indptr[i + 1]; f++) words += values[f];
    const total = remainder(totals[y[i]], w[i] * words) + pseudo[y[i]];
    let own = 0;
    for (let f = indptr[i]; f < indptr[i + 1]; f++) {
      const left = remainder(s[y[i] * features + indices[f]], w[i] * values[f]);
      own += values[f] * logRatio(left + pseudoAt(k, features, y[i], indices[f]), total);
    }
    return own;
  };
}
