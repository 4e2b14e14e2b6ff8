import { trigamma } from '../math/gamma.ts';
import { logGammaRatio } from '../math/gamma-ratio.ts';
import { xlogy } from '../math/logs.ts';
import { type Bag, type Kind, sumOver } from './urn-bag.ts';

/** How an urn is fitted to documents. */
export type UrnMethod = 'fixed-point' | 'newton' | 'leave-one-out' | 'edcm';

/** How far a fit goes. */
export interface UrnFitOptions {
  readonly method: UrnMethod;
  /** The largest precision s; beyond it an urn cannot be told from a die. */
  readonly cap: number;
  readonly maxIter: number;
  /** A fit ends when no parameter changes by more than this share. */
  readonly tol: number;
  /** Told the objective after every step. */
  readonly onStep?: (objective: number) => void;
}

/** An urn: one parameter for each kind of words. */
export interface UrnFit {
  readonly alpha: Float64Array;
  /** s = Σⱼ αⱼ. */
  readonly precision: number;
  readonly iterations: number;
  readonly converged: boolean;
  /** 'dcm', or its form for small parameters 'edcm'; a class that shows no bursts is a 'multinomial' at the cap. */
  readonly form: 'dcm' | 'edcm' | 'multinomial';
}

/** What remains of a count when one is left out; of less than one, nothing. */
export const rest = (count: number) => Math.max(0, count - 1);

/** s = Σⱼ αⱼ. */
export function precisionOf(kinds: readonly Kind[], alpha: Float64Array): number {
  return kinds.reduce((sum, { size }, k) => sum + size * alpha[k], 0);
}

/** (1), without the multinomial coefficients. */
export function urnLogLikelihood({ kinds, lengths }: Bag, alpha: Float64Array, s: number): number {
  const start = -sumOver(lengths, (n) => logGammaRatio(s, n));
  return kinds.reduce((sum, kind, k) => sum + kind.size * sumOver(kind, (v) => logGammaRatio(alpha[k], v)), start);
}

/** Σᵢ wᵢ [Σⱼ xᵢⱼ ln(xᵢⱼ − 1 + αⱼ) − nᵢ ln(nᵢ − 1 + s)]: each word foretold by the others of its document. */
export function leaveOneOutObjective({ kinds, lengths }: Bag, alpha: Float64Array, s: number): number {
  const start = -sumOver(lengths, (n) => n * Math.log(rest(n) + s));
  return kinds.reduce((sum, kind, k) => sum + kind.size * sumOver(kind, (v) => xlogy(v, rest(v) + alpha[k])), start);
}

/** Σᵢ wᵢ [Σ{j: xᵢⱼ > 0} ln βⱼ/xᵢⱼ − lnΓ(nᵢ + s) + lnΓ(s)], without nᵢ!. */
export function edcmLogLikelihood({ kinds, lengths }: Bag, beta: Float64Array, s: number): number {
  const start = -sumOver(lengths, (n) => logGammaRatio(s, n));
  return kinds.reduce((sum, kind, k) => sum + kind.size * sumOver(kind, (v) => Math.log(beta[k] / v)), start);
}

const FEW = 16;

/** ψ′(x) − ψ′(x + n); as a sum for few whole steps, where the difference would lose digits. */
export function trigammaDifference(x: number, n: number): number {
  if (n > FEW || !Number.isInteger(n)) return trigamma(x) - trigamma(x + n);
  let sum = 0;
  for (let k = 0; k < n; k++) sum += 1 / (x + k) ** 2;
  return sum;
}
