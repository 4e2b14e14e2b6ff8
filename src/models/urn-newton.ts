import { digammaDifference } from '../math/gamma-ratio.ts';
import { type Bag, sumOver } from './urn-bag.ts';
import {
  precisionOf,
  trigammaDifference,
  type UrnFit,
  type UrnFitOptions,
  urnLogLikelihood,
} from './urn-likelihood.ts';

const FIRST_DAMPING = 0.1;
const LEAST_DAMPING = 1e-30;
const LAST_DAMPING = 1e6;

/**
 * Newton's method on the likelihood of an urn. The Hessian is diag(q) + z 11ᵀ, so that a step costs no more than a sum:
 *
 *   α ← α − (g − b)/q,   b = (Σⱼ gⱼ/qⱼ) / (1/z + Σⱼ 1/qⱼ)                                        (1)
 *   gⱼ = Σᵢ wᵢ [ψ(s) − ψ(nᵢ + s) + ψ(xᵢⱼ + αⱼ) − ψ(αⱼ)]
 *   qⱼ = Σᵢ wᵢ [ψ′(xᵢⱼ + αⱼ) − ψ′(αⱼ)] − λ,   z = Σᵢ wᵢ [ψ′(s) − ψ′(nᵢ + s)]
 *
 * all per document. A step is taken only if every α stays positive and the likelihood does not fall; λ then shrinks, and
 * grows otherwise. Minka, Estimating a Dirichlet Distribution (2000), eq. 56–60, with the damping of his fastfit.
 */
export function climbByNewton(bag: Bag, start: Float64Array, { cap, maxIter, tol, onStep }: UrnFitOptions): UrnFit {
  let alpha = start;
  let s = precisionOf(bag.kinds, alpha);
  let logLikelihood = urnLogLikelihood(bag, alpha, s);
  let damping = FIRST_DAMPING;
  let iterations = 0;
  let change = Infinity;
  while (iterations < maxIter && change > tol && damping <= LAST_DAMPING && s <= cap) {
    const curve = curvature(bag, alpha, s);
    for (let taken = false; !taken && damping <= LAST_DAMPING && change > tol; ) {
      const next = newtonStep(bag, alpha, curve, damping);
      const total = precisionOf(bag.kinds, next);
      const positive = next.every((a) => a > 0);
      const value = positive ? urnLogLikelihood(bag, next, total) : -Infinity;
      taken = value >= logLikelihood;
      // Where rounding decides whether the likelihood rises, the step that it refuses is already too short to matter.
      if (taken || positive) change = largestChange(alpha, next);
      damping = taken ? Math.max(damping / 10, LEAST_DAMPING) : damping * 10;
      if (taken) [alpha, s, logLikelihood] = [next, total, value];
    }
    iterations++;
    onStep?.(logLikelihood);
  }
  return { alpha, precision: s, iterations, converged: change <= tol, form: 'dcm' };
}

interface Curvature {
  readonly gradient: Float64Array;
  readonly diagonal: Float64Array;
  readonly common: number;
}

function curvature({ kinds, lengths }: Bag, alpha: Float64Array, s: number): Curvature {
  const documents = sumOver(lengths, () => 1);
  const pull = sumOver(lengths, (n) => digammaDifference(s, n));
  return {
    gradient: alpha.map((a, k) => (sumOver(kinds[k], (v) => digammaDifference(a, v)) - pull) / documents),
    diagonal: alpha.map((a, k) => -sumOver(kinds[k], (v) => trigammaDifference(a, v)) / documents),
    common: sumOver(lengths, (n) => trigammaDifference(s, n)) / documents,
  };
}

function newtonStep({ kinds }: Bag, alpha: Float64Array, curve: Curvature, damping: number): Float64Array {
  const { gradient, diagonal, common } = curve;
  let [upper, lower] = [0, 1 / common];
  for (let k = 0; k < alpha.length; k++) {
    const q = diagonal[k] - damping;
    upper += (kinds[k].size * gradient[k]) / q;
    lower += kinds[k].size / q;
  }
  const b = upper / lower;
  return alpha.map((a, k) => a - (gradient[k] - b) / (diagonal[k] - damping));
}

function largestChange(from: Float64Array, to: Float64Array): number {
  return from.reduce((most, a, k) => Math.max(most, Math.abs(to[k] - a) / a), 0);
}
