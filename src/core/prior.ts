import { refuse } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import { logShares } from '../math/logs.ts';

/** A pseudo-count: one for all features, one per feature, or one per class and feature (class-major). */
export type Pseudo = number | Float64Array;

/**
 * How parameters follow from counts. With a symmetric conjugate prior with parameter a, all three rules add k to every
 * count: k = 0 for maximum likelihood, a − 1 for the posterior mode, a for the posterior mean.
 */
export type Prior =
  | { readonly rule: 'mle' }
  | { readonly rule: 'map'; readonly a: Pseudo }
  | { readonly rule: 'bayes'; readonly a: Pseudo };

/** The prior Beta(a, b) of a Bernoulli parameter: `a` for success and `b` for failure. `b` defaults to `a`. */
export type BetaPrior =
  | { readonly rule: 'mle' }
  | { readonly rule: 'map' | 'bayes'; readonly a: Pseudo; readonly b?: Pseudo };

/** The pseudo-counts of a Beta prior for success and for failure. */
export function betaSides(prior: BetaPrior): [heads: Prior, tails: Prior] {
  if (prior.rule === 'mle') return [prior, prior];
  const { rule, a, b = a } = prior;
  return [
    { rule, a },
    { rule, a: b },
  ];
}

/** The pseudo-count k of a prior. */
export function pseudoCount(prior: Prior): Pseudo {
  if (prior.rule === 'mle') return 0;
  const { a } = prior;
  const [least, shift] = prior.rule === 'map' ? [1, -1] : [0, 0];
  for (const value of typeof a === 'number' ? [a] : a) {
    if (!(value >= least && value < Infinity)) {
      refuse('E_PARAM', `a is ${value}; the rule ${prior.rule} needs a finite number ≥ ${least}`, { name: 'a', least });
    }
  }
  return typeof a === 'number' ? a + shift : a.map((value) => value + shift);
}

/**
 * Smoothing of a class's distribution with the background distribution q of all classes together:
 *
 *   Jelinek–Mercer        (1 − λ) F[c,j] / F[c] + λ q[j]                                     (1)
 *   Dirichlet             (F[c,j] + μ q[j]) / (F[c] + μ)                                     (2)
 *   absolute discounting  (max(F[c,j] − δ, 0) + R[c] q[j]) / F[c],  R[c] = Σⱼ min(F[c,j], δ) (3)
 *
 * Zhai & Lafferty, A Study of Smoothing Methods for Language Models (2004), §2; (3) is written for fractional counts.
 */
export type Background =
  | { readonly rule: 'jelinek-mercer'; readonly lambda: number }
  | { readonly rule: 'dirichlet'; readonly mu: number }
  | { readonly rule: 'absolute'; readonly delta: number };

/** Whether a prior is a background. */
export function isBackground(prior: Prior | Background): prior is Background {
  return prior.rule === 'jelinek-mercer' || prior.rule === 'dirichlet' || prior.rule === 'absolute';
}

/** The pseudo-counts of one class, summed over all features. */
export function pseudoSum(k: Pseudo, features: number, c: number): number {
  if (typeof k === 'number') return k * features;
  return k.length === features ? sum(k) : sum(k, c * features, features);
}

/** The pseudo-count of one cell. */
export function pseudoAt(k: Pseudo, features: number, c: number, j: number): number {
  if (typeof k === 'number') return k;
  return k.length === features ? k[j] : k[c * features + j];
}

/** Checks that a list of pseudo-counts has one entry per feature, or one per class and feature. */
export function requirePseudoLength(k: Pseudo, classes: number, features: number, name = 'alpha'): void {
  if (typeof k === 'number' || k.length === features || k.length === classes * features) return;
  refuse('E_PARAM', `${name} has ${k.length} values; it needs one, ${features}, or ${classes} × ${features}`, {
    name,
    expected: features,
    actual: k.length,
  });
}

/**
 * Class prior π: relative frequencies, uniform, given, or estimated under π ~ Dirichlet(a), with one a for all classes
 * or one for each. The posterior mean adds a to every count, the posterior mode (`rule: 'map'`) adds a − 1.
 */
export type ClassPrior = 'empirical' | 'uniform' | Float64Array | DirichletPrior;

/** A Dirichlet prior of the class probabilities. */
interface DirichletPrior {
  readonly a: Pseudo;
  readonly rule?: 'map' | 'bayes';
}

/** The parameters of the posterior π ~ Dirichlet(n + a); undefined if class priors were given instead of counted. */
export function classPosteriorCounts(n: Float64Array, prior: ClassPrior = 'empirical'): Float64Array | undefined {
  if (prior === 'empirical') return n;
  if (prior === 'uniform' || prior instanceof Float64Array) return undefined;
  return withPseudoCounts(n, prior.a);
}

/** Class weights with pseudo-counts; throws if the list has a different length than the classes. */
function withPseudoCounts(n: Float64Array, k: Pseudo): Float64Array {
  if (typeof k === 'number') return n.map((weight) => weight + k);
  if (k.length !== n.length) {
    refuse('E_PARAM', `priorAlpha has ${k.length} values for ${n.length} classes`, {
      name: 'priorAlpha',
      expected: n.length,
      actual: k.length,
    });
  }
  return n.map((weight, c) => weight + k[c]);
}

/** ln p(c) from the weight of each class. */
export function logClassPrior(n: Float64Array, prior: ClassPrior = 'empirical'): Float64Array {
  if (prior === 'empirical') return logShares(n);
  if (prior === 'uniform') return new Float64Array(n.length).fill(-Math.log(n.length));
  if (prior instanceof Float64Array) return givenPrior(prior, n.length);
  return logShares(withPseudoCounts(n, pseudoCount({ rule: prior.rule ?? 'bayes', a: prior.a })));
}

const PRIOR_SUM_TOLERANCE = 1e-8;

function givenPrior(prior: Float64Array, classes: number): Float64Array {
  const sum = prior.reduce((total, p) => total + p, 0);
  const fault =
    prior.length !== classes
      ? `has ${prior.length} values for ${classes} classes`
      : !prior.every((p) => p >= 0)
        ? 'has a negative value'
        : Math.abs(sum - 1) > PRIOR_SUM_TOLERANCE
          ? `sums to ${sum}, not to 1`
          : undefined;
  if (fault) refuse('E_PARAM', `the class prior ${fault}`, { name: 'priors', classes, sum });
  return prior.map((p) => Math.log(p));
}
