import { holdOut, logPriorWithout } from '../core/leave-one-out.ts';
import { byClass, drawLength, type Linear, linearTerms, rollInto, scoreLinear } from '../core/linear.ts';
import type { Form, Model, Whole } from '../core/model.ts';
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
import { Matrix } from '../data/matrix.ts';
import { remainder, sum } from '../math/arrays.ts';
import { logRatio } from '../math/logs.ts';
import { type Sums, sums } from '../stats/sums.ts';

/** Log-probabilities of the faces of every die, feature-major, and how often a die is rolled per row, on average. */
export interface MultinomialParameters extends Linear {
  readonly length: number;
}

/** How dice lie in a file. */
const diceForm: Form<MultinomialParameters, unknown> = {
  arrays: { logPrior: ['log', 'classes'], weights: ['log', 'features', 'classes'], length: ['weight'] },
};

/** MultinomialParameters whose faces are weighed by a rule that may ask how many words each class has. */
function diceOf(
  { classes, features, n, s }: Sums,
  classPrior: ClassPrior | undefined,
  weigh: (totals: Float64Array) => Float64Array,
): MultinomialParameters {
  const totals = Float64Array.from({ length: classes }, (_, c) => rolls(s, features, c));
  return {
    classes,
    features,
    logPrior: logClassPrior(n, classPrior),
    weights: weigh(totals),
    length: sum(totals) / sum(n),
  };
}

/** Counts below this are common, and the logarithms of their shares are worth keeping. */
const COMMON = 32;

/** The number of words whose weights for all classes stay in the cache while they are written class by class. */
const TILE = 64;

/** ln θ by (2) of models/multinomial.ts, feature-major. Most words of most classes were never rolled or a few times: their logarithms are computed once. */
function dice({ classes, features, s }: Sums, k: Pseudo, totals?: Float64Array): Float64Array {
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

/** How many words a class has. */
const rolls = (s: Float64Array, features: number, c: number) => sum(s, c * features, features);

/** The faces as a matrix of ln θ, one row per class. */
export const facesOf = ({ classes, features, weights }: MultinomialParameters): Matrix =>
  new Matrix(classes, features, byClass(weights, classes, features));

/** The counts of the faces as a matrix, one row per class. */
export const countsOf = ({ classes, features, s }: Sums): Matrix => new Matrix(classes, features, s.slice());

/** So much of the background is uniform, so that no word is impossible. */
const UNIFORM = 1e-3;

/** The share of a word in the background, from its count among all words. */
function backgroundShare(count: number, all: number, features: number): number {
  return all > 0 ? ((1 - UNIFORM) * count) / all + UNIFORM / features : 1 / features;
}

/** How one class leans on the background: θ[j] = (kept · max(F[j] − discount, 0) + lent · q[j]) / total. */
interface Lean {
  readonly kept: number;
  readonly discount: number;
  readonly lent: number;
  readonly total: number;
}

/** The three rules of core/prior.ts in one form; `freed` is R, the mass that a discount sets free. */
function leanOf(prior: Background, words: number, freed: number): Lean {
  if (prior.rule === 'dirichlet') return { kept: 1, discount: 0, lent: prior.mu, total: words + prior.mu };
  if (prior.rule === 'absolute') return { kept: 1, discount: prior.delta, lent: freed, total: words };
  return { kept: 1 - prior.lambda, discount: 0, lent: prior.lambda * words, total: words };
}

/** ln θ; a class without words is the background itself. */
function logFace({ kept, discount, lent, total }: Lean, count: number, share: number): number {
  return total > 0 ? logRatio(kept * Math.max(count - discount, 0) + lent * share, total) : Math.log(share);
}

/** How many words there are. */
interface Totals {
  readonly words: Float64Array; // by class: F[c]
  readonly freed: Float64Array; // by class: R[c]
  readonly counts: Float64Array; // by feature: Σc F[c,j]
  readonly all: number;
}

/** What is taken from every count. */
const discountOf = (prior: Background) => (prior.rule === 'absolute' ? prior.delta : 0);

/** The words of each class and each word of all classes. */
function totalsOf({ classes, features, s }: Sums, prior: Background): Totals {
  const delta = discountOf(prior);
  const words = new Float64Array(classes);
  const freed = new Float64Array(classes);
  const counts = new Float64Array(features);
  for (let c = 0; c < classes; c++) {
    words[c] = sum(s, c * features, features);
    for (let j = 0; j < features; j++) {
      freed[c] += Math.min(s[c * features + j], delta);
      counts[j] += s[c * features + j];
    }
  }
  return { words, freed, counts, all: sum(words) };
}

/** The share of every word in the background: the words of all classes together, mixed with a little of the uniform. */
export function background(stats: Sums): Float64Array {
  const { counts, all } = totalsOf(stats, { rule: 'dirichlet', mu: 0 });
  return counts.map((count) => backgroundShare(count, all, stats.features));
}

/** ln θ of every class and word under a background, feature-major. */
function backgroundWeights(stats: Sums, prior: Background): Float64Array {
  const { classes, features, s } = stats;
  const { words, freed, counts, all } = totalsOf(stats, prior);
  const leans = Array.from(words, (count, c) => leanOf(prior, count, freed[c]));
  const weights = new Float64Array(classes * features);
  for (let j = 0; j < features; j++) {
    const share = backgroundShare(counts[j], all, features);
    for (let c = 0; c < classes; c++) weights[j * classes + c] = logFace(leans[c], s[c * features + j], share);
  }
  return weights;
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
export const multinomial: Model<Sums, MultinomialParameters, MultinomialOptions> = {
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
    const weights = partialParameters(part, whole, k, room);
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
function partialParameters(
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

/** Scores every row without itself, under pseudo-counts. */
export function diceLeaveOneOut(
  stats: Sums,
  { prior, classPrior }: { readonly prior: Prior; readonly classPrior?: ClassPrior },
  batch: Batch,
  out: Float64Array,
): void {
  const { classes, n } = stats;
  const k = pseudoCount(prior);
  scoreLinear({ classes, logPrior: new Float64Array(classes), weights: dice(stats, k) }, batch, out);
  holdOut(n, classPrior, batch, out, ownLikelihood(stats, k, batch));
}

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

/** Leave-one-out: without its row a word is rarer in the background too, so the faces of its words change in every class. */
export function backgroundLeaveOneOut(
  stats: Sums,
  prior: Background,
  classPrior: ClassPrior | undefined,
  batch: Batch,
  out: Float64Array,
): void {
  const { classes, features, s } = stats;
  const { words, freed, counts, all } = totalsOf(stats, prior);
  const { indptr, indices, values } = toSparse(batch);
  const { rows, y, w } = batch;
  const leans = Array.from(words, (count, c) => leanOf(prior, count, freed[c]));
  const delta = discountOf(prior);
  for (let i = 0; i < rows; i++) {
    let [gone, free] = [0, freed[y[i]]];
    for (let f = indptr[i]; f < indptr[i + 1]; f++) {
      const count = s[y[i] * features + indices[f]];
      gone += w[i] * values[f];
      free -= Math.min(count, delta) - Math.min(remainder(count, w[i] * values[f]), delta);
    }
    const own = leanOf(prior, remainder(words[y[i]], gone), Math.max(0, free));
    const rest = remainder(all, gone);
    out.set(logPriorWithout(stats.n, y[i], w[i], classPrior), i * classes);
    for (let f = indptr[i]; f < indptr[i + 1]; f++) {
      const [j, lost] = [indices[f], w[i] * values[f]];
      const share = backgroundShare(remainder(counts[j], lost), rest, features);
      for (let c = 0; c < classes; c++) {
        const count = s[c * features + j];
        const face = c === y[i] ? logFace(own, remainder(count, lost), share) : logFace(leans[c], count, share);
        out[i * classes + c] += values[f] * face;
      }
    }
  }
}
