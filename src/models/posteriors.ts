import {
  betaPosterior,
  gammaPosterior,
  inverseGammaPosterior,
  normalPosterior,
  type ParameterPosterior,
  studentPosterior,
} from '../core/distributions.ts';
import { posteriorCount } from '../core/posterior-draws.ts';
import { betaSides, isBackground, type Prior, pseudoAt, pseudoCount, pseudoSum } from '../core/prior.ts';
import { refuse, show } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import type { Histogram } from '../stats/histogram.ts';
import { levelOffsets } from '../stats/layout.ts';
import type { Moments } from '../stats/moments.ts';
import type { Pairs } from '../stats/pairs.ts';
import type { Sums } from '../stats/sums.ts';
import type { BernoulliOptions } from './bernoulli.ts';
import { type CategoricalOptions, faceCounts } from './categorical.ts';
import { type GaussianOptions, momentsAt, normalGammaPosterior } from './gaussian.ts';
import { background, type MultinomialOptions } from './multinomial.ts';
import type { PoissonOptions } from './poisson.ts';

/** The probability of a word in a class. */
export function diePosterior(
  stats: Sums,
  { prior }: Pick<MultinomialOptions, 'prior'>,
  c: number,
  j: number,
): ParameterPosterior {
  const { features, s } = stats;
  if (isBackground(prior) && prior.rule !== 'dirichlet') {
    refuse('E_PARAM', `the smoothing '${prior.rule}' is no prior distribution, so there is no posterior`, {
      name: 'smoothing',
    });
  }
  const k = isBackground(prior) ? background(stats).map((share) => share * prior.mu) : posteriorCount(prior);
  const own = s[c * features + j] + pseudoAt(k, features, c, j);
  const all = sum(s, c * features, features) + pseudoSum(k, features, c);
  return betaPosterior(own, Math.max(0, all - own));
}

/** The probability that a feature is present in a class. */
export function coinPosterior(
  { features, n, s, m }: Sums,
  { prior }: Pick<BernoulliOptions, 'prior'>,
  c: number,
  j: number,
): ParameterPosterior {
  const cell = c * features + j;
  const [heads, tails] = betaSides(prior).map((side) => pseudoAt(posteriorCount(side), features, c, j));
  const absent = Math.max(0, n[c] - (m.length > 0 ? m[cell] : 0) - s[cell]);
  return betaPosterior(s[cell] + heads, absent + tails);
}

/** The probability of a word in all the other classes. */
export function complementPosterior(
  { classes, features, s }: Sums,
  { prior }: { readonly prior: Prior },
  c: number,
  j: number,
): ParameterPosterior {
  const k = pseudoCount(prior);
  let own = pseudoAt(k, features, c, j);
  let all = pseudoSum(k, features, c);
  for (let other = 0; other < classes; other++) {
    if (other === c) continue;
    own += s[other * features + j];
    all += sum(s, other * features, features);
  }
  return betaPosterior(own, Math.max(0, all - own));
}

/** The rate of a feature in a class. Without a prior its density is as 1 / λ. */
export function ratePosterior(
  { features, n, s, m }: Sums,
  { prior }: Pick<PoissonOptions, 'prior'>,
  c: number,
  j: number,
): ParameterPosterior {
  const added = prior.rule === 'mle' ? { shape: 0, rate: 0 } : prior;
  const rows = n[c] - (m.length > 0 ? m[c * features + j] : 0);
  return gammaPosterior(s[c * features + j] + added.shape, rows + added.rate);
}

/** The probability of level v of a column in a class. */
export function facePosterior(
  { levels, h }: Histogram,
  options: CategoricalOptions,
  c: number,
  j: number,
  v: number,
): ParameterPosterior {
  const prior = faceCounts(options, levels, posteriorCount);
  const offsets = levelOffsets(levels);
  const from = c * offsets[levels.length] + offsets[j];
  const own = h[from + v] + prior.at(offsets[j] + v);
  return betaPosterior(own, Math.max(0, sum(h, from, levels[j]) + prior.total(j) - own));
}

/** What is asked of a normal distribution: its mean, for a known variance where one is given, or its variance. */
export interface BellQuery {
  readonly parameter?: string | undefined;
  readonly variance?: number | undefined;
}

/**
 * The mean or the variance of a feature in a class. Without a prior the reference prior 1/σ² stands, which needs two
 * different values: undefined where a class has fewer. With `variance`, the posterior of the mean is for that known variance.
 */
export function bellPosterior(
  stats: Moments,
  { rule }: Pick<GaussianOptions, 'rule'>,
  c: number,
  j: number,
  { parameter, variance }: BellQuery,
): ParameterPosterior | undefined {
  const moments = momentsAt(stats, c, j);
  const { weight, mean: centre, squares } = moments;
  if (rule.rule === 'mle' && !(weight > 1 && squares > 0)) return undefined;
  const { mean, kappa, a, b } =
    rule.rule === 'mle'
      ? { mean: centre, kappa: weight, a: (weight - 1) / 2, b: squares / 2 }
      : normalGammaPosterior(rule.prior, j, moments);
  if (parameter === 'variance') return inverseGammaPosterior(a, b);
  if (variance === undefined) return studentPosterior(2 * a, mean, Math.sqrt(b / a / kappa));
  if (variance > 0) return normalPosterior(mean, Math.sqrt(variance / kappa));
  return refuse('E_PARAM', `a known variance is positive, got ${show(variance)}`, { name: 'variance' });
}

/** A level of a column, by their numbers. */
export type Place = readonly [feature: number, level: number];

/** The posterior of p(xⱼ = v | c), or of p(xⱼ = v | c, xₖ = u), under a Dirichlet(α) prior: Beta(n[c,u,v] + α, Σ others). */
export function pairPosterior(
  { levels, p }: Pairs,
  { alpha }: { readonly alpha: number },
  c: number,
  [j, v]: Place,
  given: Place | undefined,
): ParameterPosterior {
  const offsets = levelOffsets(levels);
  const width = offsets[levels.length];
  const counts = Float64Array.from({ length: levels[j] }, (_, at) => {
    const own = offsets[j] + at;
    return p[(c * width + (given ? offsets[given[0]] + given[1] : own)) * width + own];
  });
  const own = counts[v] + alpha;
  return betaPosterior(own, Math.max(0, sum(counts) + alpha * counts.length - own));
}
