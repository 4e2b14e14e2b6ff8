import { digammaDifference } from '../math/gamma-ratio.ts';
import { solveInLog } from '../math/inverse.ts';
import { type Bag, type Kind, sumOver } from './urn-bag.ts';
import {
  edcmLogLikelihood,
  leaveOneOutObjective,
  precisionOf,
  rest,
  trigammaDifference,
  type UrnFit,
  type UrnFitOptions,
  urnLogLikelihood,
} from './urn-likelihood.ts';
import { climbByNewton } from './urn-newton.ts';

/** Documents of one word each, however long, pull s to zero; from here on a second word is as good as impossible. */
export const LEAST_PRECISION = 1e-6;

/**
 * Fits an urn to a bag.
 *
 *   ℓ(α) = Σᵢ wᵢ [lnΓ(s) − lnΓ(nᵢ + s) + Σⱼ lnΓ(xᵢⱼ + αⱼ) − lnΓ(αⱼ)],  s = Σⱼ αⱼ               (1)
 *
 * For s → ∞ at αⱼ/s = mⱼ = Σᵢ xᵢⱼ / Σᵢ nᵢ, (1) is that of the multinomial plus D/2s with
 *
 *   D = Σⱼ Σᵢ wᵢ xᵢⱼ(xᵢⱼ − 1)/mⱼ − Σᵢ wᵢ nᵢ(nᵢ − 1)                                            (2)
 *
 * so that without an excess of repetitions, D ≤ 0, the multinomial is the answer. Minka, Estimating a Dirichlet
 * Distribution (2000), eq. 55 (fixed point), 61–65 (leave-one-out), 105–108 (start and EDCM).
 */
export function fitUrn(bag: Bag, options: UrnFitOptions): UrnFit {
  const { method, cap, onStep } = options;
  if (bag.kinds.length === 0) return { ...ended(new Float64Array(0), 0, 0, true), form: 'multinomial' };
  const precision = edcmPrecision(bag, cap);
  const bursting = method === 'edcm' ? precision < cap : excess(bag) > 0;
  if (!bursting) return multinomialAt(bag, cap);
  // near s = 0 the two forms are one, and there is nothing to climb
  if (method === 'edcm' || precision === LEAST_PRECISION) {
    const alpha = shares(bag.kinds, ({ documents }) => documents, precision);
    onStep?.(edcmLogLikelihood(bag, alpha, precision));
    return { ...ended(alpha, precision, 1, true), form: method === 'edcm' ? 'edcm' : 'dcm' };
  }
  const start = shares(bag.kinds, ({ total }) => total, precision);
  const fit = method === 'newton' ? climbByNewton(bag, start, options) : climbByRatios(bag, start, options);
  if (fit.precision > cap) return { ...multinomialAt(bag, cap), iterations: fit.iterations };
  if (fit.precision >= LEAST_PRECISION) return fit;
  const alpha = fit.alpha.map((a) => Math.max((a / fit.precision) * LEAST_PRECISION, LEAST_ALPHA));
  return { ...ended(alpha, LEAST_PRECISION, fit.iterations, true), form: 'dcm' };
}

function ended(alpha: Float64Array, precision: number, iterations: number, converged: boolean) {
  return { alpha, precision, iterations, converged };
}

function multinomialAt({ kinds }: Bag, cap: number): UrnFit {
  const alpha = shares(kinds, ({ total }) => total, cap);
  return { ...ended(alpha, cap, 0, true), form: 'multinomial' };
}

/** No parameter is smaller: its square, by which its trigamma function divides, is still a number. */
const LEAST_ALPHA = 1e-150;

/** s · m with m proportional to some number of each kind. */
function shares(kinds: readonly Kind[], of: (kind: Kind) => number, s: number): Float64Array {
  const all = kinds.reduce((sum, kind) => sum + kind.size * of(kind), 0);
  return Float64Array.from(kinds, (kind) => Math.max(s * (of(kind) / all), LEAST_ALPHA));
}

/** The rounding of (2), as a share of its terms: documents of one word give D = 0 but for that. */
const ROUNDING = 1e-12;

/** D of (2), zero where it is only rounding. */
function excess({ kinds, lengths }: Bag): number {
  const all = kinds.reduce((sum, { size, total }) => sum + size * total, 0);
  const repeats = kinds.reduce((sum, kind) => {
    return sum + (kind.size * all * sumOver(kind, (v) => v * (v - 1))) / kind.total;
  }, 0);
  const expected = sumOver(lengths, (n) => n * (n - 1));
  return repeats - expected <= ROUNDING * Math.abs(expected) ? 0 : repeats - expected;
}

/**
 * The s with s Σᵢ wᵢ [ψ(nᵢ + s) − ψ(s)] = Σᵢ wᵢ Kᵢ, Kᵢ distinct words (Minka 2000, eq. 108). The left side grows with s
 * from the number of documents to that of words, so that outside of these the answer is an end of the range.
 */
export function edcmPrecision({ kinds, lengths }: Bag, cap: number): number {
  const distinct = kinds.reduce((sum, { size, documents }) => sum + size * documents, 0);
  const lack = (s: number) => s * sumOver(lengths, (n) => digammaDifference(s, n)) - distinct;
  if (!(lack(cap) > ROUNDING * distinct)) return cap;
  if (!(lack(LEAST_PRECISION) < -ROUNDING * distinct)) return LEAST_PRECISION;
  const s = solveInLog(distinct / lengths.values.length, cap, (x) => {
    const value = lack(x);
    const slope = value + distinct - x * x * sumOver(lengths, (n) => trigammaDifference(x, n));
    return [value / distinct, slope / distinct];
  });
  return Math.min(cap, Math.max(LEAST_PRECISION, s));
}

/**
 * α ← α · a(α)/b(s), both of whose sides come from a bound on the objective, so that it rises with every step:
 *
 *   a = Σᵢ wᵢ [ψ(xᵢⱼ + αⱼ) − ψ(αⱼ)],     b = Σᵢ wᵢ [ψ(nᵢ + s) − ψ(s)]         for the likelihood           (3)
 *   a = Σᵢ wᵢ xᵢⱼ/(xᵢⱼ − 1 + αⱼ),        b = Σᵢ wᵢ nᵢ/(nᵢ − 1 + s)            for leaving out a word        (4)
 *
 * (4) may drive a word to zero that never occurs alone in a document; below COLLAPSED it is taken for gone, and smoothing
 * has to lift it like any unseen word. A count below one is left out as a whole.
 */
function climbByRatios(bag: Bag, start: Float64Array, { method, cap, maxIter, tol, onStep }: UrnFitOptions): UrnFit {
  const loo = method === 'leave-one-out';
  const ratio = loo ? (v: number, a: number) => v / (rest(v) + a) : (v: number, a: number) => digammaDifference(a, v);
  const objective = loo ? leaveOneOutObjective : urnLogLikelihood;
  let alpha = start;
  let s = precisionOf(bag.kinds, alpha);
  for (let step = 1; step <= maxIter; step++) {
    const below = sumOver(bag.lengths, (n) => ratio(n, s));
    let change = 0;
    alpha = alpha.map((a, k) => {
      if (a === 0) return 0;
      const next = (a * sumOver(bag.kinds[k], (v) => ratio(v, a))) / below;
      change = Math.max(change, Math.abs(next - a) / a);
      return next < COLLAPSED * s ? 0 : next;
    });
    s = precisionOf(bag.kinds, alpha);
    onStep?.(objective(bag, alpha, s));
    if (change <= tol || s > cap || s < LEAST_PRECISION) return { ...ended(alpha, s, step, true), form: 'dcm' };
  }
  return { ...ended(alpha, s, maxIter, false), form: 'dcm' };
}

const COLLAPSED = 1e-12;
