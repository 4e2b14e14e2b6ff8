import { sum } from '../math/arrays.ts';
import { logAddExp, logSumExp } from '../math/logs.ts';
import type { Random } from '../math/random.ts';
import type { DrawScore } from './insight.ts';
import { type ClassPrior, classPosteriorCounts, logClassPrior, type Prior, type Pseudo } from './prior.ts';

/** What the conjugate prior adds to the counts in the posterior distribution; nothing for the likelihood alone. */
export function posteriorCount(prior: Prior): Pseudo {
  return prior.rule === 'mle' ? 0 : prior.a;
}

/**
 * Draws ln p(c). Given priors are returned as they are; counted ones follow Dirichlet(n + a), with a = 0 unless they
 * are smoothed, so their mean is the current prior.
 */
export function priorDraws(n: Float64Array, classPrior: ClassPrior = 'empirical'): DrawScore {
  const shapes = classPosteriorCounts(n, classPrior);
  if (!shapes || sum(n) === 0) {
    const fixed = logClassPrior(n, classPrior);
    return (_, out) => out.set(fixed);
  }
  return (random, out) => {
    for (let c = 0; c < shapes.length; c++) out[c] = shapes[c] > 0 ? random.logGamma(shapes[c]) : -Infinity;
    const total = logSumExp(out);
    for (let c = 0; c < shapes.length; c++) out[c] -= total;
  };
}

/** Draws ln θ and ln(1 − θ) of θ ~ Beta(a, b); a side without counts and without a prior is impossible. */
export function drawCoin(random: Random, a: number, b: number): [heads: number, tails: number] {
  if (a === 0) return [-Infinity, 0];
  if (b === 0) return [0, -Infinity];
  const [heads, tails] = [random.logGamma(a), random.logGamma(b)];
  const total = logAddExp(heads, tails);
  return [heads - total, tails - total];
}
